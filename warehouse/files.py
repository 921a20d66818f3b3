"""The one habit of durable files: a rename counts only when its folder is synced too."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Wait until the folder's entries, renames included, are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
