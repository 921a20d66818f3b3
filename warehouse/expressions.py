"""Expressions that people write over the columns of a seat, read strictly and written anew.

DuckDB's own parser takes an expression apart; what comes of it is built up again from the few kinds
of parts that are known here, so nothing else can get into a query: no other column, no function, no
table, no file.
"""

import json
from collections.abc import Callable
from typing import Any, Final

import duckdb
from msgspec import Struct

from warehouse.rows import COLUMNS

LONGEST: Final = 1_000
"""So many characters an expression may have."""

NAMES: Final = frozenset(COLUMNS["seats"]) - {"hand_id", "upload", "ordinal", "standing", "counted"}
"""The columns that an expression may name."""

_DEEPEST: Final = 50
_OPERATORS: Final = frozenset({"+", "-", "*"})
_COMPARED: Final = {
    "COMPARE_EQUAL": "=",
    "COMPARE_NOTEQUAL": "<>",
    "COMPARE_LESSTHAN": "<",
    "COMPARE_GREATERTHAN": ">",
    "COMPARE_LESSTHANOREQUALTO": "<=",
    "COMPARE_GREATERTHANOREQUALTO": ">=",
}
_CONJOINED: Final = {"CONJUNCTION_AND": " AND ", "CONJUNCTION_OR": " OR "}

Node = dict[str, Any]


class BadExpression(Struct, frozen=True):
    """Why an expression is not taken."""

    reason: str


class _RefusedError(Exception):
    """A part of an expression that is not known here."""


def read_expression(text: str) -> str | BadExpression:
    """Return an expression as SQL that is safe to put into a query, or why it is not taken."""
    if not text.strip():
        return BadExpression("It is empty.")
    if len(text) > LONGEST:
        return BadExpression(f"It has more than {LONGEST} characters.")
    try:
        return _written(_parsed(text), 0)
    except _RefusedError as refused:
        return BadExpression(str(refused))


def _parsed(text: str) -> Node:
    """The one expression that a text is, as DuckDB takes it apart; nothing is run."""
    with duckdb.connect(":memory:") as parser:
        query = f"SELECT ({text}\n) FROM seats"  # noqa: S608 -- it is parsed, not run
        row = parser.execute("SELECT json_serialize_sql(?)", [query]).fetchone()
    document: Node = json.loads(row[0]) if row else {"error": True, "error_message": "nothing"}
    if document["error"]:
        raise _RefusedError(f"It is no expression: {document['error_message']}.")
    selected: list[Node] = [
        node for one in document["statements"] for node in one["node"].get("select_list", [])
    ]
    if len(selected) != 1 or len(document["statements"]) != 1:
        raise _RefusedError("It is not one expression.")
    return selected[0]


def _written(node: Node, depth: int) -> str:
    """A part of an expression, built up again from what is known of it."""
    if depth > _DEEPEST:
        raise _RefusedError("It is nested too deeply.")
    write = _KINDS.get(node["class"])
    if write is None:
        raise _RefusedError(f"It has a part of a kind that is not taken: {node['class'].lower()}.")
    return f"({write(node, lambda part: _written(part, depth + 1))})"


_Write = Callable[[Node], str]


def _column(node: Node, _: _Write) -> str:
    name = ".".join(node["column_names"])
    if name not in NAMES:
        raise _RefusedError(f"There is no column {name!r}.")
    return f'"{name}"'


def _constant(node: Node, _: _Write) -> str:
    literal = node["literal"]
    if literal["kind"] == "INTEGER":
        return str(int(literal["text"]))
    if literal["kind"] == "STRING":
        text: str = literal["text"]
        return "'" + text.replace("'", "''") + "'"
    raise _RefusedError("It has a value that is neither a whole number nor a text.")


def _function(node: Node, write: _Write) -> str:
    name = node["function_name"]
    if not node["is_operator"] or name not in _OPERATORS:
        raise _RefusedError(f"It uses {name!r}; of functions there are only + - and *.")
    parts = [write(argument["expression"]) for argument in node["arguments"]]
    return f" {name} ".join(parts) if len(parts) > 1 else f"{name} {parts[0]}"


def _comparison(node: Node, write: _Write) -> str:
    compared = _COMPARED.get(node["type"])
    if compared is None:
        raise _RefusedError("It compares in a way that is not taken.")
    return f"{write(node['left'])} {compared} {write(node['right'])}"


def _conjunction(node: Node, write: _Write) -> str:
    return _CONJOINED[node["type"]].join(map(write, node["children"]))


def _operator(node: Node, write: _Write) -> str:
    kind, parts = node["type"], [write(child) for child in node["children"]]
    if kind == "OPERATOR_NOT":
        return f"NOT {parts[0]}"
    if kind in ("OPERATOR_IS_NULL", "OPERATOR_IS_NOT_NULL"):
        return f"{parts[0]} {kind.removeprefix('OPERATOR_').replace('_', ' ')}"
    if kind == "OPERATOR_COALESCE":
        return f"coalesce({', '.join(parts)})"
    if kind in ("COMPARE_IN", "COMPARE_NOT_IN"):
        word = "IN" if kind == "COMPARE_IN" else "NOT IN"
        return f"{parts[0]} {word} ({', '.join(parts[1:])})"
    raise _RefusedError("It has an operator that is not taken.")


def _between(node: Node, write: _Write) -> str:
    return f"{write(node['input'])} BETWEEN {write(node['lower'])} AND {write(node['upper'])}"


def _case(node: Node, write: _Write) -> str:
    checks = (
        f"WHEN {write(check['when_expr'])} THEN {write(check['then_expr'])}"
        for check in node["case_checks"]
    )
    return f"CASE {' '.join(checks)} ELSE {write(node['else_expr'])} END"


_KINDS: Final[dict[str, Callable[[Node, _Write], str]]] = {
    "COLUMN_REF": _column,
    "CONSTANT": _constant,
    "FUNCTION": _function,
    "COMPARISON": _comparison,
    "CONJUNCTION": _conjunction,
    "OPERATOR": _operator,
    "BETWEEN": _between,
    "CASE": _case,
}
"""Every kind of part that may be in an expression, and how it is written."""
