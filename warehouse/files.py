"""Habits of durable files: a rename counts only when its folder is synced, leftovers go by age."""

import os
import time
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Wait until the folder's entries, renames included, are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def discard_older(folder: Path, seconds: float) -> None:
    """Delete the folder's files that nobody has written to for so long; no folder has none."""
    if not folder.is_dir():
        return
    oldest = time.time() - seconds
    for path in folder.iterdir():
        try:
            if path.stat().st_mtime < oldest:
                path.unlink()
        except FileNotFoundError:
            continue  # another process was faster
