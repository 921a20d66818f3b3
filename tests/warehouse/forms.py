"""What has to hold in the embedded form and in the scale-out one."""

from typing import Final

import pytest

BOTH_FORMS: Final = pytest.mark.parametrize("settings", ["embedded", "scale-out"], indirect=True)
"""Runs a module's tests on SQLite and a folder, and on PostgreSQL and an S3 store."""
