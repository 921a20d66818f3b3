"""What the commands write on: a terminal that takes no orders from the texts it shows.

Names, notes and whole hands are other people's. A control character among them could move the
cursor, rename the window or write to the clipboard.
"""

import re
from typing import Any, Final

import rich.console
from rich.text import Text

_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Console(rich.console.Console):
    """A console of rich that shows a control character as one that cannot be shown."""

    def render_str(self, text: str, **options: Any) -> Text:  # noqa: ANN401 - rich's own
        """Take a text as rich does, with its markup, free of control characters."""
        return super().render_str(_CONTROLS.sub("\ufffd", text), **options)
