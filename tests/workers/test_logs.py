"""What the log of a process looks like to whoever reads it at a terminal."""

import os
import subprocess
import sys
from typing import Final

_SAID: Final = """
import logging
import structlog
from workers.logs import configure_logs
configure_logs("web")
structlog.get_logger("web").info("request", path="/\\x1b]0;renamed\\x07")
logging.getLogger("other").warning("an \\x9b31m")
try:
    raise ValueError("\\x1b[2J")
except ValueError:
    structlog.get_logger("web").exception("failed")
"""


def test_a_terminal_takes_no_orders_from_the_log() -> None:
    told = subprocess.run(
        [sys.executable, "-c", _SAID],
        env={**os.environ, "RETOURNE_LOG": "console"},
        capture_output=True,
        check=True,
        text=True,
    ).stderr
    assert not {"\x1b", "\x07", "\x9b"} & set(told)
    for written in (r"/\x1b]0;renamed\x07", r"an \x9b31m", r"ValueError: \x1b[2J"):
        assert written in told
