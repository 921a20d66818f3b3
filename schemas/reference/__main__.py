"""``python -m schemas.reference PAGE...`` writes the generated parts of the pages anew."""

import sys
from pathlib import Path

from schemas.reference import refresh

for name in sys.argv[1:]:
    page = Path(name)
    page.write_text(refresh(page.read_text()))
