import hashlib
from pathlib import Path

from plotly.offline import get_plotlyjs_version  # type: ignore[import-untyped] # no types

VENDOR = Path(__file__).parent.parent.parent / "dashboards" / "static" / "vendor"


def test_every_vendored_file_has_the_checksum_written_down() -> None:
    listed = {}
    for line in (VENDOR / "SHA256SUMS").read_text().splitlines():
        checksum, name = line.split("  ")
        listed[name] = checksum
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.iterdir()
        if path.name not in ("SHA256SUMS", "README.md")
    }

    assert found == listed


def test_the_vendored_plotly_is_the_one_that_the_figures_are_built_for() -> None:
    version = get_plotlyjs_version()

    assert (VENDOR / f"plotly-basic-{version}.min.js").is_file()
    assert (VENDOR / f"plotly-{version}.css").is_file()
