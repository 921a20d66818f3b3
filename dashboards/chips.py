"""Owns how the filters of a list are shown: each as a chip whose link takes it away again."""

from collections.abc import Callable, Mapping

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
    **place: str,
) -> list[Chip]:
    """The chips of a list's filters, in the order of their labels.

    Args:
        endpoint: The list.
        written: Its filters as they are in its address.
        labels: What each filter that has a chip is called.
        said: A filter's value in words.
        place: What else the list's address is made of.
    """
    found = []
    for name, label in labels.items():
        if name not in written:
            continue
        others = {one: text for one, text in written.items() if one != name}
        without = url_for(endpoint, **place, **others)
        is_moment = name in ("from", "until")
        found.append(Chip(label, said(name, written[name]), without, is_moment))
    return found
