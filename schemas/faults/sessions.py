"""The faults of a session as a whole: a hand that does not follow, a claim that is not so.

Each changes one legal session document. A hand that is changed at its table is played anew; it is
the last one, so that nothing follows from it. Claims that the fault would make untrue as well are
left out of the document, which may do without any of them.
"""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from schemas import document
from schemas.errors import UnreadableHand
from schemas.faults.hands import played
from schemas.faults.kinds import Case
from schemas.faults.season import SOURCE, Answer
from schemas.generate import generate_session
from schemas.record import to_record

MOST_SESSIONS: Final = 200
"""So many sessions are looked at for a place for one fault."""

_CLAIMS: Final = ("standings", "ledger", "rebuys", "entrants")

Tree = dict[str, object]


@dataclass
class Evening:
    """A session document as plain values that may be changed, its hands as documents."""

    tree: Tree
    hands: list[document.Hand]
    rng: random.Random

    def without(self, *claims: str) -> None:
        """Leaves claims out of the document."""
        for claim in claims:
            self.tree.pop(claim, None)

    def rows(self, claim: str) -> list[Tree]:
        """The rows of a claim, such as the standings."""
        rows = self.tree.get(claim, [])
        if not isinstance(rows, list):
            raise TypeError(f"{claim} is no list")
        return rows


@dataclass(frozen=True)
class Change:
    """Where the finding points, and what was changed there."""

    pointer: str
    before: object
    after: object


@dataclass(frozen=True)
class SessionKind:
    """A kind of fault of a session: its name, its code, what it does, and where it can be.

    ``besides`` are the codes that stand beside it by its nature.
    """

    name: str
    code: str
    sentence: str
    plant: Callable[[Evening], Change | None]
    preset: str = "bouillotte/salon"
    besides: tuple[str, ...] = ()


@dataclass(frozen=True)
class FaultySession:
    """A session document's bytes and what is planted in it."""

    raw: bytes
    answer: Answer


def generate_session_fault(
    seed: int, kind: SessionKind, form: Literal["session", "tournament"] = "session"
) -> FaultySession:
    """A session with one fault of the kind; the same seed gives the same session.

    Raises:
        LookupError: no session has a place for it.
    """
    rng = random.Random(seed)  # noqa: S311 -- games to look at, not secrets
    for number in range(MOST_SESSIONS):
        session = generate_session(seed + number, kind.preset, form)
        tree: Tree = json.loads(msgspec.json.encode(session))
        decoded = [
            msgspec.json.decode(json.dumps(hand), type=document.Hand)
            for hand in tree["hands"]  # type: ignore[attr-defined]
        ]
        evening = Evening(tree, decoded, rng)
        change = kind.plant(evening)
        if change is None:
            continue
        tree["hands"] = [json.loads(msgspec.json.encode(hand)) for hand in evening.hands]
        raw = json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode()
        name = session.session.id
        planted = Answer(
            hand=name,
            line=1,
            kind=kind.name,
            code=kind.code,
            pointer=change.pointer,
            seat=None,
            before=change.before,
            after=change.after,
            besides=kind.besides,
        )
        return FaultySession(raw, planted)
    raise LookupError(kind.name)


# the last hand, played anew


def _last_anew(evening: Evening, table: document.Hand) -> bool:
    """Plays the last hand anew at another table; the claims about the whole are left out."""
    record = to_record(msgspec.structs.replace(table, events=[]))
    if isinstance(record, UnreadableHand):
        raise TypeError(f"a table to be played at cannot be read: {record}")
    hand = played(Case(table, record, evening.rng), table)
    if hand is None:
        return False
    evening.hands[-1] = hand
    evening.without(*_CLAIMS)
    return True


def _other_stack(evening: Evening) -> Change | None:
    last = evening.hands[-1]
    seat = evening.rng.randrange(len(last.seats))
    before = last.seats[seat]
    if before.rebuy is not msgspec.UNSET:
        return None
    seats = last.seats.copy()
    seats[seat] = msgspec.structs.replace(before, stack=before.stack + evening.rng.randint(1, 9))
    at = f"/hands/{len(evening.hands) - 1}/seats/{seat}/stack"
    made = _last_anew(evening, msgspec.structs.replace(last, seats=seats))
    return Change(at, before.stack, seats[seat].stack) if made else None


def _cave_with_chips(evening: Evening) -> Change | None:
    last = evening.hands[-1]
    seat = evening.rng.randrange(len(last.seats))
    before = last.seats[seat]
    if before.rebuy is not msgspec.UNSET:
        return None
    seats = last.seats.copy()
    seats[seat] = msgspec.structs.replace(before, stack=100, rebuy=100)
    at = f"/hands/{len(evening.hands) - 1}/seats/{seat}/rebuy"
    made = _last_anew(evening, msgspec.structs.replace(last, seats=seats))
    return Change(at, None, 100) if made else None


def _other_dealer(evening: Evening) -> Change | None:
    last = evening.hands[-1]
    after = (last.dealer + evening.rng.randint(1, len(last.seats) - 1)) % len(last.seats)
    at = f"/hands/{len(evening.hands) - 1}/dealer"
    made = _last_anew(evening, msgspec.structs.replace(last, dealer=after))
    return Change(at, last.dealer, after) if made else None


def _other_carried(evening: Evening) -> Change | None:
    last = evening.hands[-1]
    before = 0 if last.carried is msgspec.UNSET else last.carried
    after = before + evening.rng.randint(1, 9)
    at = f"/hands/{len(evening.hands) - 1}/carried"
    made = _last_anew(evening, msgspec.structs.replace(last, carried=after))
    return Change(at, before, after) if made else None


def _other_order(evening: Evening) -> Change | None:
    last = evening.hands[-1]
    seats = [last.seats[1], last.seats[0], *last.seats[2:]]
    at = f"/hands/{len(evening.hands) - 1}/seats"
    before = [seat.player for seat in last.seats]
    made = _last_anew(evening, msgspec.structs.replace(last, seats=seats))
    return Change(at, before, [seat.player for seat in seats]) if made else None


def _other_rules(evening: Evening) -> Change | None:
    last = evening.hands[-1]
    rules = document.Rules(preset=last.rules.preset, options={"no-more": False})
    at = f"/hands/{len(evening.hands) - 1}/rules"
    made = _last_anew(evening, msgspec.structs.replace(last, rules=rules))
    return Change(at, None, {"no-more": False}) if made else None


def _exempt_for_nothing(evening: Evening) -> Change | None:
    last = evening.hands[-1]
    seat = evening.rng.randrange(len(last.seats))
    before = last.seats[seat]
    if before.exempt is not msgspec.UNSET:
        return None
    seats = last.seats.copy()
    seats[seat] = msgspec.structs.replace(before, exempt=True)
    at = f"/hands/{len(evening.hands) - 1}/seats/{seat}/exempt"
    made = _last_anew(evening, msgspec.structs.replace(last, seats=seats))
    return Change(at, None, after=True) if made else None


def _under(evening: Evening, options: dict[str, str | int | bool]) -> None:
    """Puts the whole session under options of its own."""
    rules = document.Rules(preset=evening.hands[0].rules.preset, options=options)
    evening.hands[:] = [msgspec.structs.replace(hand, rules=rules) for hand in evening.hands]
    evening.tree["rules"] = msgspec.to_builtins(rules)


def _player_gone(evening: Evening) -> Change | None:
    _under(evening, {"session-seats": "fixed"})
    last = evening.hands[-1]
    if len(last.seats) < 4:
        return None
    gone = (last.dealer + 1) % len(last.seats)
    seats = last.seats[:gone] + last.seats[gone + 1 :]
    dealer = last.dealer - (gone < last.dealer)
    at = f"/hands/{len(evening.hands) - 1}/seats"
    made = _last_anew(evening, msgspec.structs.replace(last, seats=seats, dealer=dealer))
    return Change(at, last.seats[gone].player, None) if made else None


def _player_new(evening: Evening) -> Change | None:
    _under(evening, {"session-seats": "fixed"})
    return _joined(evening, 100, "player")


def _other_cave(evening: Evening) -> Change | None:
    return _joined(evening, evening.rng.choice([50, 99, 200]), "stack")


def _joined(evening: Evening, stack: int, field: str) -> Change | None:
    """Somebody sits down behind the last seat, where the deal does not come to them."""
    last = evening.hands[-1]
    if len(last.seats) > 4 or not last.dealer:
        return None
    seats = [*last.seats, document.Seat(player="Xavier", stack=stack)]
    at = f"/hands/{len(evening.hands) - 1}/seats/{len(last.seats)}/{field}"
    made = _last_anew(evening, msgspec.structs.replace(last, seats=seats))
    return Change(at, None, stack if field == "stack" else "Xavier") if made else None


def _player_in_two_seats(evening: Evening) -> Change | None:
    last = evening.hands[-1]
    place = evening.rng.randrange(1, len(last.seats))
    twice = evening.rng.randrange(place)
    seats = last.seats.copy()
    seats[place] = msgspec.structs.replace(seats[place], player=seats[twice].player)
    evening.hands[-1] = msgspec.structs.replace(last, seats=seats)
    evening.without(*_CLAIMS)
    at = f"/hands/{len(evening.hands) - 1}/seats/{place}/player"
    return Change(at, last.seats[place].player, seats[place].player)


def _last_hand_cut(evening: Evening) -> Change | None:
    last = evening.hands[-1]
    evening.hands[-1] = msgspec.structs.replace(last, events=last.events[:2])
    evening.without(*_CLAIMS)
    return Change(f"/hands/{len(evening.hands) - 1}", len(last.events), 2)


def _hand_spoilt(evening: Evening) -> Change | None:
    last = evening.hands[-1]
    spoilt = document.Rules(preset="no such game")
    evening.hands[-1] = msgspec.structs.replace(last, rules=spoilt)
    evening.without(*_CLAIMS)
    return Change(f"/hands/{len(evening.hands) - 1}", last.rules.preset, "no such game")


def _hand_too_many(evening: Evening) -> Change | None:
    length = len(evening.hands) - 1
    _under(evening, {"session-hands": length})
    evening.without(*_CLAIMS)
    return Change(f"/hands/{length}", length + 1, length)


# the order of the hands


def _hand_again(evening: Evening) -> Change | None:
    place = evening.rng.randrange(len(evening.hands))
    evening.hands.append(evening.hands[place])
    return Change(f"/hands/{len(evening.hands) - 1}", None, evening.hands[place].id.hand)


def _hand_otherwise(evening: Evening) -> Change | None:
    place = evening.rng.randrange(len(evening.hands))
    other = msgspec.structs.replace(evening.hands[place], tz="Europe/Lisbon")
    evening.hands.append(other)
    return Change(f"/hands/{len(evening.hands) - 1}", None, other.id.hand)


def _strange_hand(evening: Evening) -> Change | None:
    last = evening.hands[-1]
    name = document.HandId(source=SOURCE, table="elsewhere", hand="1")
    ref = document.SessionRef(id="elsewhere", hand_no=1)
    evening.hands.append(msgspec.structs.replace(last, id=name, session=ref))
    return Change(f"/hands/{len(evening.hands) - 1}", None, "1")


def _hand_too_late(evening: Evening) -> Change | None:
    place = evening.rng.randrange(len(evening.hands) - 1)
    moved = evening.hands.pop(place)
    evening.hands.append(moved)
    if place == len(evening.hands) - 2:
        return None
    return Change(f"/hands/{len(evening.hands) - 1}", place, len(evening.hands) - 1)


def _hand_left_out(evening: Evening) -> Change | None:
    place = evening.rng.randrange(1, len(evening.hands) - 1)
    lost = evening.hands.pop(place)
    evening.without(*_CLAIMS)
    return Change(f"/hands/{place}", lost.id.hand, None)


def _chips_over_a_gap(evening: Evening) -> Change | None:
    """A hand is left out, and the next begins with chips that no cave explains."""
    *_, before, gone, last = evening.hands
    names = {seat.player for seat in before.seats}
    if names != {seat.player for seat in last.seats}:
        return None
    seat = evening.rng.randrange(len(last.seats))
    if last.seats[seat].rebuy is not msgspec.UNSET:
        return None
    seats = last.seats.copy()
    stack = seats[seat].stack + evening.rng.randint(1, 9)
    seats[seat] = msgspec.structs.replace(seats[seat], stack=stack)
    evening.hands.remove(gone)
    at = f"/hands/{len(evening.hands) - 1}/seats"
    made = _last_anew(evening, msgspec.structs.replace(last, seats=seats))
    return Change(at, last.seats[seat].stack, stack) if made else None


def _hand_before_its_time(evening: Evening) -> Change | None:
    last, before = evening.hands[-1], evening.hands[0].played_at
    evening.hands[-1] = msgspec.structs.replace(last, played_at=before)
    at = f"/hands/{len(evening.hands) - 1}"
    stood = msgspec.to_builtins(last.played_at)
    return Change(f"{at}/played_at", stood, msgspec.to_builtins(before))


def _last_hand_left_out(evening: Evening) -> Change | None:
    lost = evening.hands.pop()
    evening.without(*_CLAIMS)
    return Change("/hands", lost.id.hand, None)


# the claims


def _claimed(
    claim: str, part: str, other: Callable[[Evening, object], object]
) -> Callable[[Evening], Change | None]:
    """Another value of a part of one row of a claim."""

    def plant(evening: Evening) -> Change | None:
        rows = evening.rows(claim)
        if not rows:
            return None
        place = evening.rng.randrange(len(rows))
        before = rows[place][part]
        rows[place][part] = after = other(evening, before)
        return Change(f"/{claim}/{place}/{part}", before, after)

    return plant


def _more(evening: Evening, before: object) -> object:
    if not isinstance(before, int):
        raise TypeError(f"{before} is no amount")
    return before + evening.rng.randint(1, 9)


def _another_result(evening: Evening, before: object) -> object:
    return str(evening.rng.choice([result for result in range(-9, 10) if str(result) != before]))


def _player_left_out(evening: Evening) -> Change | None:
    rows = evening.rows("standings")
    lost = rows.pop(evening.rng.randrange(len(rows)))
    return Change("/standings", lost, None)


def _stranger_in_standings(evening: Evening) -> Change | None:
    rows = evening.rows("standings")
    rows.append({"player": "Xavier"})
    return Change(f"/standings/{len(rows) - 1}", None, "Xavier")


def _entrant_who_never_sits(evening: Evening) -> Change | None:
    evening.without("standings")
    rows = evening.rows("entrants")
    rows.append({"player": "Xavier", "buy_in": rows[0]["buy_in"]})
    return Change(f"/entrants/{len(rows) - 1}", None, "Xavier")


def _entrant_left_out(evening: Evening) -> Change | None:
    rows = evening.rows("entrants")
    place = evening.rng.randrange(len(rows))
    lost = rows.pop(place)
    names = [seat.player for seat in evening.hands[0].seats]
    if lost["player"] not in names:
        return None
    seat = names.index(str(lost["player"]))
    return Change(f"/hands/0/seats/{seat}/player", lost, None)


def _other_balance(evening: Evening) -> Change | None:
    rows = evening.rows("ledger")
    last = rows[-1]["balances"] if rows else None
    if not isinstance(last, dict):
        return None
    player = evening.rng.choice(sorted(last))
    before = last[player]
    last[player] = before + evening.rng.choice([-2, -1, 1, 2])
    return Change(f"/ledger/{len(rows) - 1}", before, last[player])


def _rebuy_unmarked(evening: Evening) -> Change | None:
    bought = [
        (place, seat)
        for place, hand in enumerate(evening.hands)
        for seat, held in enumerate(hand.seats)
        if held.rebuy is not msgspec.UNSET
    ]
    if not bought:
        return None
    place, seat = evening.rng.choice(bought)
    hand = evening.hands[place]
    seats = hand.seats.copy()
    before = seats[seat].rebuy
    seats[seat] = msgspec.structs.replace(seats[seat], rebuy=msgspec.UNSET)
    evening.hands[place] = msgspec.structs.replace(hand, seats=seats)
    evening.without("rebuys")
    return Change(f"/hands/{place}/seats/{seat}", before, None)


KINDS: Final[dict[str, SessionKind]] = {
    kind.name: kind
    for kind in (
        SessionKind(
            "broken-stack", "stack-break", "A stack is not what the hand before left.", _other_stack
        ),
        SessionKind(
            "cave-with-chips", "rebuy-early", "A cave is bought with chips left.", _cave_with_chips
        ),
        SessionKind(
            "other-dealer", "dealer-break", "Another seat deals than the next.", _other_dealer
        ),
        SessionKind(
            "broken-pot", "carried-break", "More is carried than was left.", _other_carried
        ),
        SessionKind("other-order", "order-break", "Two players change seats.", _other_order),
        SessionKind(
            "other-rules", "rules-break", "A hand is played by other options.", _other_rules
        ),
        SessionKind(
            "exempt-for-nothing",
            "exempt-break",
            "A seat is exempt that owes its ante.",
            _exempt_for_nothing,
            "bourre/pagat",
        ),
        SessionKind(
            "player-gone", "player-left", "A player leaves where seats are fixed.", _player_gone
        ),
        SessionKind(
            "player-new", "player-joined", "A player joins where seats are fixed.", _player_new
        ),
        SessionKind(
            "other-first-cave", "arrival-cave", "A player arrives with another cave.", _other_cave
        ),
        SessionKind(
            "player-in-two-seats",
            "player-twice",
            "A player sits in two seats.",
            _player_in_two_seats,
        ),
        SessionKind("last-hand-cut", "outcome-open", "The last hand does not end.", _last_hand_cut),
        SessionKind("hand-spoilt", "hand-unreadable", "A hand cannot be read.", _hand_spoilt),
        SessionKind(
            "hand-too-many", "session-long", "The session has a hand too many.", _hand_too_many
        ),
        SessionKind("hand-again", "hand-repeated", "A hand stands there twice.", _hand_again),
        SessionKind("hand-otherwise", "hand-conflict", "A hand has two versions.", _hand_otherwise),
        SessionKind("strange-hand", "hand-foreign", "A hand is of another session.", _strange_hand),
        SessionKind(
            "hand-too-late", "hand-misplaced", "A hand stands after later ones.", _hand_too_late
        ),
        SessionKind("hand-left-out", "hand-missing", "A hand is left out.", _hand_left_out),
        SessionKind(
            "chips-over-a-gap",
            "gap-chips",
            "A hand is left out, and the next begins with more chips.",
            _chips_over_a_gap,
            besides=("hand-missing",),
        ),
        SessionKind(
            "hand-before-its-time",
            "time-break",
            "The last hand has the first one's time.",
            _hand_before_its_time,
        ),
        SessionKind(
            "last-hand-left-out",
            "session-short",
            "The last hand is left out.",
            _last_hand_left_out,
            "bouillotte/historico",
        ),
        SessionKind(
            "other-result",
            "declared-result",
            "A declared result is another.",
            _claimed("standings", "result", _another_result),
        ),
        SessionKind(
            "other-position",
            "declared-position",
            "A declared position is another.",
            _claimed("standings", "position", _more),
        ),
        SessionKind(
            "other-bought",
            "declared-account",
            "A player is said to have bought more.",
            _claimed("standings", "bought", _more),
        ),
        SessionKind(
            "player-left-out", "declared-players", "A player has no standing.", _player_left_out
        ),
        SessionKind(
            "stranger-in-standings",
            "declared-players",
            "Somebody has a standing who did not play.",
            _stranger_in_standings,
        ),
        SessionKind(
            "entrant-who-never-sits",
            "never-seated",
            "Somebody enters who does not play.",
            _entrant_who_never_sits,
        ),
        SessionKind(
            "entrant-left-out", "not-entered", "A player has not entered.", _entrant_left_out
        ),
        SessionKind(
            "other-balance",
            "ledger-break",
            "The last balance of a player is another.",
            _other_balance,
            "bouillotte/historico",
        ),
        SessionKind(
            "rebuy-unmarked", "rebuy-unrecorded", "A rebuy is not marked as one.", _rebuy_unmarked
        ),
        SessionKind(
            "other-rebuy",
            "rebuy-list",
            "The list of rebuys has another amount.",
            _claimed("rebuys", "amount", _more),
        ),
    )
}
"""Every kind of fault of a session, by its name."""
