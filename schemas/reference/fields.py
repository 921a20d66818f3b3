"""The tables of the fields of the hand document and of the verdict, made from their types."""

import re
from collections.abc import Iterator
from typing import Final, get_args

from msgspec import inspect

from engine.vying.unseen import TRIES
from schemas import verdict
from schemas.diagnosis import describe
from schemas.document import MAX_CHIPS, MAX_EVENTS, MAX_SEATS, AnyEvent, Card, Document, Hand
from schemas.errors import SEEN_LIMIT
from schemas.rawtree import MAX_DEPTH
from schemas.reference.tables import code, table
from schemas.session import Session
from schemas.session_verdict import SessionAudit

_CARD: Final = inspect.type_info(Card)
_LONG_NUMBER: Final = re.compile(r"\d{5,}")
_WRITTEN_ELSEWHERE: Final = {
    "session-audithandsid": "id",
    "session-auditstandingsdeclared": "session-documentstandings",
}
"""Where objects that clients write have their tables, by the place where we repeat them."""
_SUFFIX: Final = "[]"
"""Ends the path of an object that is an element of a list."""


def hand_parts() -> str:
    """The hand and every object inside it but the events, a table each."""
    return "\n".join(_documented(_struct(Hand), "", "hand"))


def event_parts() -> str:
    """Every event by its ``do``, then the fields that events have."""
    events = [_struct(kind) for kind in get_args(AnyEvent)]
    rows = [
        [
            code(event.tag),
            _sentence(event.cls),
            ", ".join(code(field.encode_name) for field in event.fields if field.required),
        ]
        for event in events
    ]
    fields = {field.encode_name: field for event in events for field in event.fields}
    kinds = [
        [code(name), _kind(field.type, ""), _description(field.type)]
        for name, field in fields.items()
    ]
    return (
        table(["`do`", "what happened", "fields"], rows)
        + "\n"
        + table(["field", "kind", "what it is"], kinds)
    )


def verdict_parts() -> str:
    """The verdict on a hand and every object inside it that is not of the hand, a table each."""
    return "\n".join(_answered(_struct(verdict.HandAudit), "", "verdict"))


def session_parts() -> str:
    """The session document and every object inside it, a table each."""
    return "\n".join(_documented(_struct(Session), "session-document", "session-document"))


def session_audit_parts() -> str:
    """The audit of a session and every object inside it, a table each."""
    text = "\n".join(_answered(_struct(SessionAudit), "session-audit", "session-audit"))
    for place, home in _WRITTEN_ELSEWHERE.items():
        text = text.replace(f"(#{place})", f"(#{home})")
    return text


def limit_table() -> str:
    """What a document may hold at most, whoever reads it."""
    return table(
        ["what", "limit"],
        [
            ["players", f"2 to {MAX_SEATS}, further bounded by the preset"],
            ["events", f"{MAX_EVENTS:,}"],
            ["an amount of chips", f"{MAX_CHIPS:,}"],
            ["objects and lists inside one another", str(MAX_DEPTH)],
            ["trials for the hidden cards of a hand", f"{TRIES:,}"],
            ["what an error quotes of the document", f"{SEEN_LIMIT} characters"],
        ],
    )


def _struct(kind: type) -> inspect.StructType:
    info = inspect.type_info(kind)
    if not isinstance(info, inspect.StructType):
        raise TypeError(f"{kind} is no struct")
    return info


def _documented(struct: inspect.StructType, path: str, title: str) -> Iterator[str]:
    """The tables of what a client writes: with what is required and each field's meaning."""
    rows = [
        [
            code(field.encode_name),
            "yes" if field.required else "",
            _kind(field.type, _below(path, field.encode_name)),
            _description(field.type),
        ]
        for field in struct.fields
    ]
    head = ["key", "required", "kind", "what it is"]
    yield f"### {code(title)}\n\n{_sentence(struct.cls)}\n\n{table(head, rows)}"
    for inner, below in _inside(struct, path):
        yield from _documented(inner, below, below)


def _answered(struct: inspect.StructType, path: str, title: str) -> Iterator[str]:
    """The tables of what we answer: every key is always there."""
    rows = [
        [code(field.encode_name), _kind(field.type, _below(path, field.encode_name))]
        for field in struct.fields
    ]
    yield f"### {code(title)}\n\n{_sentence(struct.cls)}\n\n{table(['key', 'kind'], rows)}"
    for inner, below in _inside(struct, path):
        if not issubclass(inner.cls, Document):
            yield from _answered(inner, below, below)


def _inside(struct: inspect.StructType, path: str) -> Iterator[tuple[inspect.StructType, str]]:
    """The objects right inside an object, each with its path."""
    for field in struct.fields:
        kind = _bare(field.type)
        suffix = ""
        if isinstance(kind, inspect.ListType):
            kind, suffix = _bare(kind.item_type), _SUFFIX
        below = _below(path, field.encode_name) + suffix
        if isinstance(kind, inspect.StructType):
            yield kind, below
        elif isinstance(kind, inspect.UnionType) and not suffix:
            for member in kind.types:
                if isinstance(member, inspect.StructType):
                    yield member, _of_game(member, below)


def _of_game(struct: inspect.StructType, path: str) -> str:
    """The place of one of several objects that a key may have, told apart by its tag."""
    return f"{path} ({struct.tag})"


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _bare(kind: inspect.Type) -> inspect.Type:
    """The type without annotations and without a null beside it."""
    if isinstance(kind, inspect.Metadata):
        return _bare(kind.type)
    if isinstance(kind, inspect.UnionType):
        others = [part for part in kind.types if not isinstance(part, inspect.NoneType)]
        return _bare(others[0]) if len(others) == 1 else kind
    return kind


def _kind(kind: inspect.Type, path: str) -> str:
    """What a value may be, for people; an object is a link to its own table at ``path``."""
    if isinstance(kind, inspect.Metadata) and kind != _CARD:
        return _kind(kind.type, path)
    if isinstance(kind, inspect.UnionType):
        several = isinstance(_bare(kind), inspect.UnionType)
        parts = [
            _kind(part, _of_game(part, path))
            if several and isinstance(part, inspect.StructType)
            else _kind(part, path)
            for part in kind.types
        ]
        return (" or " if all("→" not in part for part in parts) else "; or ").join(parts)
    if isinstance(kind, inspect.ListType):
        return _list_kind(kind, path)
    if isinstance(kind, inspect.DictType):
        key = "name" if isinstance(kind.key_type, inspect.StrType) else "seat"
        return f"an object, {key} → {_kind(kind.value_type, '')}"
    return _single_kind(kind, path)


def _single_kind(kind: inspect.Type, path: str) -> str:
    match kind:
        case inspect.Metadata():
            return "a card"
        case inspect.StructType():
            return f"[an object](#{_anchor(path)})"
        case inspect.NoneType():
            return "null"
        case inspect.RawType() | inspect.CustomType():
            return "any JSON"
        case _:
            return _LONG_NUMBER.sub(lambda digits: f"{int(digits[0]):,}", describe(kind))


def _list_kind(kind: inspect.ListType, path: str) -> str:
    bounds = describe(kind).removeprefix("a list").removesuffix(" elements").removeprefix(" of ")
    many = f"a list of {bounds} " if bounds else "a list of "
    element = _bare(kind.item_type)
    if isinstance(element, inspect.UnionType):
        return f"{many}[events](#events)"
    if isinstance(element, inspect.StructType):
        return f"{many}[objects](#{_anchor(path)})"
    words = _kind(kind.item_type, path)
    return many + re.sub(r"^a (card|whole number|list)", r"\1s", words)


def _anchor(path: str) -> str:
    """The heading's anchor as GitHub makes it: lower case without punctuation."""
    return re.sub(r"[^\w -]", "", path).replace(" ", "-").lower()


def _description(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.Metadata) and kind.extra_json_schema:
        return str(kind.extra_json_schema.get("description", ""))
    return ""


def _sentence(kind: type) -> str:
    text, _, _ = (kind.__doc__ or "").partition("Attributes:")
    return " ".join(text.split()).replace("``", "`")
