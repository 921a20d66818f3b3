"""Prints the part of requirements.lock that the program itself needs, hashes included.

The lock holds the development tools as well; an image that serves does without them. What needs
what is read from the packages of the environment that this runs in, which is made from the lock.
"""

import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Prints the lock's blocks of the packages needed, in the lock's order."""
    needed = needed_packages()
    for name, block in lock_blocks():
        if name in needed:
            sys.stdout.write(block)


def needed_packages() -> set[str]:
    """The names of what the project needs to run, and of what that needs in turn."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    # setuptools puts the project itself in place; nothing of it runs afterwards.
    waiting = [Requirement(text) for text in [*project["dependencies"], "setuptools"]]
    needed: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        one = waiting.pop()
        key = (canonicalize_name(one.name), frozenset(one.extras))
        if key in needed:
            continue
        needed.add(key)
        try:
            texts = requires(one.name) or []
        except PackageNotFoundError:
            continue  # it is for another platform
        for text in texts:
            further = Requirement(text)
            if further.marker is None or any(
                further.marker.evaluate({"extra": extra}) for extra in {*one.extras, ""}
            ):
                waiting.append(further)
    return {name for name, _ in needed}


def lock_blocks() -> list[tuple[str, str]]:
    """Every pin of the lock as its package and its lines, those of the hashes included."""
    text = (ROOT / "requirements.lock").read_text()
    blocks = re.findall(r"^[^\s#][^\n]*\n(?:[ \t][^\n]*\n)*", text, re.MULTILINE)
    return [(canonicalize_name(re.split(r"[\s=<>;\[]", block)[0]), block) for block in blocks]


if __name__ == "__main__":
    main()
