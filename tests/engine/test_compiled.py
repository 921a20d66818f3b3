"""The compiled form passes the tests of the pure form."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMPILED = ROOT / "build" / "compiled"
TESTS = {
    "vying": ["tests/engine", "--ignore=tests/engine/bourre"],
    "bourre": ["tests/engine/bourre"],
    "documents": [
        "tests/rules",
        *(f"tests/schemas/test_{module}.py" for module in ("decode", "record", "audit")),
    ],
}
LONG = ["*/test_chance.py", "*/test_exhaustion.py", "*/test_perft.py", "*/session/*"]
"""What plays through much that the others play through as well, or is not compiled."""
INSIDE = "RETOURNE_COMPILED_TESTS"

pytestmark = [
    pytest.mark.skipif(INSIDE in os.environ, reason="these are the tests that it runs"),
    pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc to compile with"),
    pytest.mark.timeout(600),
]


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    subprocess.run([sys.executable, "tools/compile.py"], cwd=ROOT, check=True)
    return {**os.environ, INSIDE: "1", "PYTHONPATH": str(COMPILED), "PYTHONSAFEPATH": "1"}


def test_the_modules_are_the_compiled_ones(environment: dict[str, str]) -> None:
    script = (
        "import engine.vying.replay, schemas.decode, schemas.record\n"
        "print(*(m.__file__ for m in (engine.vying.replay, schemas.decode, schemas.record)))"
    )
    files = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    ).stdout.split()
    assert all(Path(file).is_relative_to(COMPILED) and file.endswith(".so") for file in files)


@pytest.mark.parametrize("tests", TESTS)
def test_the_compiled_form_passes_the_same_tests(environment: dict[str, str], tests: str) -> None:
    path_order = f"pythonpath={COMPILED} ."
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:schemathesis", "-o", path_order]
    command += TESTS[tests]
    command += [f"--ignore-glob={glob}" for glob in LONG]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:]
