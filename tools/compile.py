"""Builds the compiled form of the engine into build/compiled, from the same files as the pure form.

Whole copies of the rooms `engine` and `schemas` go there, with the modules of COMPILED as extension
modules beside their sources, so that build/compiled at the head of PYTHONPATH is all that it takes.
Does nothing when the sources have not changed. Where it cannot compile it says so and leaves no
compiled form behind: the pure form does the same work, slower. Of several that are run at once, one
builds and the others wait for it.
"""

import fcntl
import hashlib
import os
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path

from mypyc.build import mypycify
from setuptools import Distribution
from setuptools.errors import BaseError

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "build" / "compiled"
ROOMS = ("engine", "schemas")
COMPILED = (
    "engine/*.py",
    "engine/bourre/*.py",
    "engine/vying/*.py",
    "schemas/decode.py",
    "schemas/record.py",
)


def main() -> None:
    """Builds, unless it is built already."""
    with Path(_made(TARGET.parent), "compile.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        build()


def build() -> None:
    """Builds, unless it is built already; nobody else is to build meanwhile."""
    stamp = TARGET / "sources.sha256"
    sources = sources_hash()
    if stamp.exists() and stamp.read_text() == sources:
        return
    shutil.rmtree(TARGET, ignore_errors=True)
    missing = missing_tool()
    if missing:
        sys.stderr.write(f"{missing} is missing: the engine runs in its pure form, slower.\n")
        return
    sys.stderr.write("Compiling the engine; this is done once and takes about a minute.\n")
    with tempfile.TemporaryDirectory(dir=_made(ROOT / "build")) as scratch:
        built = Path(scratch, "compiled")
        try:
            compile_to(built, Path(scratch, "objects"))
        except (BaseError, SystemExit) as error:
            sys.stderr.write(f"{error}\nNot compiled: the engine runs in its pure form, slower.\n")
            return
        copy_sources(built)
        Path(built, stamp.name).write_text(sources)
        built.rename(TARGET)


def missing_tool() -> str | None:
    """What compiling needs and this machine lacks."""
    compiler = os.environ.get("CC", "gcc").split()[0]
    if shutil.which(compiler) is None:
        return f"A C compiler ({compiler})"
    header = Path(sysconfig.get_paths()["include"], "Python.h")
    return None if header.exists() else f"Python's C header ({header})"


def sources_hash() -> str:
    """What the build was made of: every file of the rooms, this tool and the interpreter."""
    digest = hashlib.sha256(sys.version.encode())
    for path in [Path(__file__), *source_files()]:
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def source_files() -> list[Path]:
    """Every file of the rooms that are copied."""
    return sorted(
        path
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )


def compile_to(built: Path, objects: Path) -> None:
    """Compiles the modules of COMPILED into extension modules below ``built``."""
    os.chdir(ROOT)
    modules = [str(path.relative_to(ROOT)) for glob in COMPILED for path in sorted(ROOT.glob(glob))]
    os.environ.setdefault("CFLAGS", "-w")
    extensions = mypycify(modules, opt_level="3", target_dir=str(objects), verbose=False)
    distribution = Distribution({"name": "retourne-compiled", "ext_modules": extensions})
    command = distribution.get_command_obj("build_ext")
    command.build_lib = str(built)
    command.build_temp = str(objects)
    command.ensure_finalized()
    command.run()


def copy_sources(built: Path) -> None:
    """Puts every file of the rooms beside the extension modules."""
    for path in source_files():
        copy = built / path.relative_to(ROOT)
        _made(copy.parent)
        shutil.copy2(path, copy)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


if __name__ == "__main__":
    main()
