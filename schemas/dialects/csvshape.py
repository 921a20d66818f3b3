"""A hand of CSV rows: a row an event, the seats and what is declared in rows of their own."""

from typing import Final

from schemas.dialects.acts import ACTS, act_named, event_of, takes_amount
from schemas.dialects.draft import Draft, Tree, members, whole
from schemas.dialects.jsonshapes import view_of
from schemas.dialects.rows import COLUMNS, HEAD, IDENTITY, Row
from schemas.errors import UnreadableHand, clip

SEAT: Final = "seat"
OPTION: Final = "option"
DECLARED: Final[dict[str, str]] = {
    "declared-premium": "premiums",
    "declared-tricks": "tricks",
    "declared-payment": "payments",
}
"""Rows that declare a number of a seat; without a player, that no seat has one."""
_POT, _WIN, _STACK, _CARRIED = "declared-pot", "declared-win", "declared-stack", "declared-carried"
KINDS: Final = (SEAT, OPTION, *ACTS, _POT, _WIN, *DECLARED, _STACK, _CARRIED)
"""What ``do`` may be."""

_TRUE: Final = frozenset({"true", "yes", "1"})
_FALSE: Final = frozenset({"false", "no", "0"})
_NUMBERS: Final = (
    *("amount", "add", "to", "count", "at", "stack", "rebuy"),
    *("hand_no", "unit", "carried"),
)


class _Reader:
    """One hand being read, row by row."""

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows
        self.draft = Draft({}, origins={"": ""})
        self.seats: dict[str, int] = {}
        self.players: list[object] = []
        self.options: Tree = {}
        self.events: list[object] = []
        self.declared: Tree = {}
        self.pots: list[Tree] = []
        self.stacks: dict[int, object] = {}


def draft_of_rows(rows: list[Row]) -> Draft | UnreadableHand:
    """A draft of the rows of one hand."""
    reader = _Reader(rows)
    head = _head(reader)
    if isinstance(head, UnreadableHand):
        return head
    for index, row in enumerate(rows):
        error = _wrong_number(index, row) or _read_row(reader, index, row)
        if error is not None:
            return error
    error = _finish(reader, head)
    return reader.draft if error is None else error


def _bad(code: str, index: int, column: str, expected: str, row: Row) -> UnreadableHand:
    seen = row.cells.get(column, "an empty cell")
    return UnreadableHand(code, f"/{index}/{column}", expected, clip(seen))


def _wrong_number(index: int, row: Row) -> UnreadableHand | None:
    for column in _NUMBERS:
        if column in row.cells and whole(row.cells[column]) is None:
            return _bad("wrong-type", index, column, "a whole number", row)
    return None


def _head(reader: _Reader) -> dict[str, tuple[int, str]] | UnreadableHand:
    """The cells that say which hand it is: by column, the first row that has it, and the text."""
    head: dict[str, tuple[int, str]] = {}
    for index, row in enumerate(reader.rows):
        for column in (*IDENTITY, *HEAD):
            if column not in row.cells:
                continue
            text = row.cells[column].strip()
            if head.setdefault(column, (index, text))[1] != text:
                expected = f"{head[column][1]}, as in a row above"
                return _bad("unknown-value", index, column, expected, row)
    return head


def _read_row(reader: _Reader, index: int, row: Row) -> UnreadableHand | None:
    do = row.cells.get("do", "").strip().casefold()
    if do == SEAT:
        return _read_seat(reader, index, row)
    if do == OPTION:
        if "option" not in row.cells or "value" not in row.cells:
            return _bad("missing-key", index, "option", "an option and its value", row)
        name = row.cells["option"].strip()
        reader.options[name] = _value(row.cells["value"].strip())
        reader.draft.origins[f"/rules/options/{name}"] = f"/{index}/value"
        return None
    act = act_named(do)
    if act is not None:
        return _read_event(reader, index, row, act)
    if do in KINDS:
        return _read_declared(reader, index, row, do)
    return _bad("unknown-value", index, "do", "one of " + ", ".join(KINDS), row)


def _read_seat(reader: _Reader, index: int, row: Row) -> UnreadableHand | None:
    player = row.cells.get("player")
    if player is None or player in reader.seats:
        code = "missing-key" if player is None else "unknown-value"
        return _bad(code, index, "player", "a name that no other seat has", row)
    seat = len(reader.players)
    reader.seats[player] = seat
    entry: Tree = {"player": player}
    for key in ("stack", "rebuy"):
        if key in row.cells:
            entry[key] = whole(row.cells[key])
    for column in ("exempt", "dealer"):
        value = row.cells.get(column, "no").strip().casefold()
        if value not in _TRUE | _FALSE:
            return _bad("wrong-type", index, column, "yes or no", row)
        if value in _TRUE and column == "dealer":
            if "dealer" in reader.draft.tree:
                return _bad("unknown-value", index, column, "one dealer", row)
            reader.draft.tree["dealer"] = seat
        elif column in row.cells and column == "exempt":
            entry["exempt"] = value in _TRUE
    reader.players.append(entry)
    reader.draft.origins[f"/seats/{seat}"] = f"/{index}"
    return None


def _value(text: str) -> object:
    if text.casefold() in ("true", "false"):
        return text.casefold() == "true"
    number = whole(text)
    return text if number is None else number


def _seat_of(reader: _Reader, index: int, row: Row) -> int | UnreadableHand:
    seat = reader.seats.get(row.cells.get("player", ""))
    if seat is None:
        return _bad("unknown-value", index, "player", "a player with a row `seat` above", row)
    return seat


def _read_event(reader: _Reader, index: int, row: Row, act: str) -> UnreadableHand | None:
    seat: int | UnreadableHand | None = None
    if act != "turn":
        seat = _seat_of(reader, index, row)
        if isinstance(seat, UnreadableHand):
            return seat
    keys = ["at"]
    if takes_amount(act):
        keys += ["add", "to", "amount"]
    elif act == "stay":
        keys.append("count")
    parts: Tree = {key: whole(row.cells[key]) for key in keys if key in row.cells}
    if act == "draw" and "received" in row.cells:
        parts["received"] = row.cells["received"]
    event = event_of(act, seat, row.cells.get("cards"), parts)
    pointer = f"/events/{len(reader.events)}"
    reader.draft.origins.update(
        {
            pointer: f"/{index}",
            f"{pointer}/seat": f"/{index}/player",
            f"{pointer}/add": f"/{index}/{'add' if 'add' in row.cells else 'amount'}",
            f"{pointer}/card": f"/{index}/cards",
            f"{pointer}/cards": f"/{index}/cards",
            f"{pointer}/discards": f"/{index}/cards",
        }
    )
    reader.events.append(event)
    return None


def _read_declared(reader: _Reader, index: int, row: Row, do: str) -> UnreadableHand | None:
    """Reads a row of what the client declares."""
    if do in DECLARED and "player" not in row.cells:
        reader.declared.setdefault(DECLARED[do], {})
        return None
    if do == _POT and "amount" not in row.cells:
        reader.declared["pots"] = reader.pots
        return None
    amount = whole(row.cells.get("amount"))
    if amount is None:
        return _bad("missing-key", index, "amount", "a whole number", row)
    if do == _CARRIED:
        reader.declared["carried"] = amount
    elif do == _POT:
        reader.pots.append({"amount": amount, "winners": {}})
        reader.declared["pots"] = reader.pots
    else:
        return _read_claim(reader, index, row, amount)
    return None


def _read_claim(reader: _Reader, index: int, row: Row, amount: int) -> UnreadableHand | None:
    """Reads a row that declares a number of a seat."""
    seat = _seat_of(reader, index, row)
    if isinstance(seat, UnreadableHand):
        return seat
    do = row.cells["do"].strip().casefold()
    if do == _WIN and not reader.pots:
        return _bad("unknown-value", index, "do", f"a row `{_POT}` above", row)
    if do == _STACK:
        reader.stacks[seat] = amount
        reader.draft.origins[f"/declared/stacks/{seat}"] = f"/{index}/amount"
    elif do == _WIN:
        members(reader.pots[-1]["winners"])[str(seat)] = amount
    else:
        members(reader.declared.setdefault(DECLARED[do], {}))[str(seat)] = amount
    return None


def _finish(reader: _Reader, head: dict[str, tuple[int, str]]) -> UnreadableHand | None:
    tree = reader.draft.tree
    _write_head(reader, head)
    if reader.players and "dealer" not in tree:
        expected = f"a row `{SEAT}` whose `dealer` is yes"
        return UnreadableHand("missing-key", "", expected, "none")
    tree["seats"], tree["events"] = reader.players, reader.events
    if reader.stacks:
        missing = [name for name, seat in reader.seats.items() if seat not in reader.stacks]
        if missing:
            expected = f"a row `{_STACK}` for every player"
            return UnreadableHand("missing-key", "", expected, clip("none for " + missing[0]))
        reader.declared["stacks"] = [reader.stacks[seat] for seat in sorted(reader.stacks)]
    if reader.declared:
        tree["declared"] = reader.declared
    others = {name: None for row in reader.rows for name in row.cells if name not in COLUMNS}
    if others:
        names = clip(", ".join(others))
        reader.draft.notes.append(f"left out columns that mean nothing here: {names}")
    return None


def _write_head(reader: _Reader, head: dict[str, tuple[int, str]]) -> None:
    """Writes what says which hand it is, by which rules, in which session."""
    draft, tree = reader.draft, reader.draft.tree
    cells = {column: text for column, (_, text) in head.items()}
    origins = {column: f"/{index}/{column}" for column, (index, _) in head.items()}
    tree["id"] = {key: cells[key] for key in IDENTITY if key in cells}
    tree["rules"] = {"preset": cells["preset"]} if "preset" in cells else {}
    if reader.options:
        tree["rules"] = {**members(tree["rules"]), "options": reader.options}
    tree |= {column: cells[column] for column in ("played_at", "tz") if column in cells}
    tree |= {column: whole(cells[column]) for column in ("unit", "carried") if column in cells}
    if "view" in cells:
        tree["view"] = view_of(cells["view"], reader.seats)
    session = {key: cells[column] for column, key in _SESSION.items() if column in cells}
    if session:
        number = {"hand_no": whole(session["hand_no"])} if "hand_no" in session else {}
        tree["session"] = {**session, **number}
    for column in ("played_at", "tz", "unit", "carried", "view"):
        draft.origins[f"/{column}"] = origins.get(column, "")
    for column, key in _SESSION.items():
        draft.origins[f"/session/{key}"] = origins.get(column, "")
    for column in IDENTITY:
        draft.origins[f"/id/{column}"] = origins.get(column, "")
    draft.origins["/rules/preset"] = origins.get("preset", "")


_SESSION: Final = {"session": "id", "session_kind": "kind", "hand_no": "hand_no"}
