"""Owns how the filters of a list are shown: each as a chip whose link takes it away again."""

from collections.abc import Callable, Mapping
from typing import Any

from flask import url_for
from msgspec import Struct


class Chip(Struct, frozen=True):
    """A filter that is asked for, in words, and the address of the list without it.

    ``moment`` says that the text is a day or a moment of ISO 8601.
    """

    label: str
    text: str
    without: str
    moment: bool = False


def chips(
    endpoint: str,
    written: Mapping[str, str],
    labels: Mapping[str, str],
    said: Callable[[str, str], str],
) -> list[Chip]:
    """The chips of a list's filters, in the order of their labels.

    Args:
        endpoint: The list.
        written: Its filters as they are in its address.
        labels: What each filter that has a chip is called.
        said: A filter's value in words.
    """
    found = []
    for name, label in labels.items():
        if name not in written:
            continue
        others: dict[str, Any] = {one: text for one, text in written.items() if one != name}
        without = url_for(endpoint, **others)
        is_moment = name in ("from", "until")
        found.append(Chip(label, said(name, written[name]), without, is_moment))
    return found
