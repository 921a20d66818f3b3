"""Every planted fault is found under its code, at its place, for its seat, and nothing else is.

Nothing else but what stands beside it by its nature, as the answer key says.
"""

import io
from collections.abc import Iterator
from itertools import islice

import pytest

from engine.presets import PRESETS
from engine.violations import CODES
from schemas.audit import ExaminedHand, audit_document, examine_hand
from schemas.errors import READING_CODES
from schemas.faults.kinds import Kind
from schemas.faults.season import FaultyHand, NoPlaceError, generate_faults
from schemas.faults.table import KINDS, NOT_OF_ONE_HAND, kinds_for
from schemas.streams import StreamLimits, read_hands

HANDS = [30, pytest.param(100, marks=pytest.mark.proof)]
COSTLY = {"too-much-hidden"}
"""The kinds whose hands take the audit all its tries: a sixth of the hands is enough."""
GAMES = {
    game: tuple(name for name, preset in PRESETS.items() if preset.game.name == game)
    for game in ("vying", "bourre")
}


def found(raw: bytes) -> list[tuple[str, str, int | None]]:
    """The code, the pointer and the seat of everything that the audit has to say of a hand."""
    examined = examine_hand(raw)
    if not isinstance(examined, ExaminedHand):
        return [(examined.code, examined.pointer, None)]
    violations = audit_document(examined).violations
    return [(found.code, found.pointer, found.seat) for found in violations]


def expected(hand: FaultyHand) -> list[tuple[str, str, int | None]]:
    return [(hand.answer.code, hand.answer.pointer, hand.answer.seat)]


def _name(part: str | Kind) -> str:
    return part if isinstance(part, str) else part.name


def games_and_kinds() -> Iterator[tuple[str, Kind]]:
    for kind in KINDS.values():
        for game in kind.games:
            yield game, kind


def test_every_code_has_a_kind_and_every_kind_a_code() -> None:
    codes = {*CODES, *READING_CODES, "unknown-key"} - {*NOT_OF_ONE_HAND}
    assert {kind.code for kind in KINDS.values()} == codes


def test_only_codes_of_reading_cannot_be_planted() -> None:
    assert {*NOT_OF_ONE_HAND} <= {*READING_CODES}


@pytest.mark.parametrize("hands", HANDS)
@pytest.mark.parametrize(("game", "kind"), list(games_and_kinds()), ids=_name)
def test_a_planted_fault_is_found_and_nothing_else(game: str, kind: Kind, hands: int) -> None:
    if kind.name in COSTLY:
        hands //= 6
    for hand in generate_faults(hands, 7, [kind], GAMES[game]):
        everything = found(hand.raw)
        beside = [part for part in everything if part[0] in hand.answer.besides]
        assert [code for code, _, _ in beside] == [*kind.besides], (hand.answer, hand.raw)
        alone = [part for part in everything if part not in beside]
        assert alone == expected(hand), (hand.answer, hand.raw)


def test_the_same_seed_plants_the_same_faults() -> None:
    kinds = list(KINDS.values())
    hands = len(kinds)
    first = list(generate_faults(hands, 3, kinds))
    assert first == list(generate_faults(hands, 3, kinds))
    assert [hand.raw for hand in first] != [hand.raw for hand in generate_faults(hands, 4, kinds)]


def test_the_kinds_take_turns_and_the_key_counts_the_lines() -> None:
    kinds = [KINDS["other-call"], KINDS["cut-off"]]
    answers = [hand.answer for hand in generate_faults(5, 1, kinds)]
    names = ["other-call", "cut-off", "other-call", "cut-off", "other-call"]
    assert [answer.kind for answer in answers] == names
    assert [answer.line for answer in answers] == [1, 2, 3, 4, 5]
    assert len({answer.hand for answer in answers}) == 5


@pytest.mark.parametrize("first", ["cut-off", "written-twice", "latin-letters", "other-call"])
def test_a_stream_of_faulty_hands_keeps_its_lines(first: str) -> None:
    kinds = [KINDS[first], *KINDS.values()]
    hands = list(generate_faults(len(kinds), 5, kinds))
    stream = b"".join(hand.raw + b"\n" for hand in hands)
    read = list(read_hands(io.BytesIO(stream), StreamLimits()))
    assert [(raw.line, raw.raw) for raw in read if raw.error is None] == [
        (hand.answer.line, hand.raw) for hand in hands
    ]


def test_the_key_says_what_a_legal_hand_had_and_what_stands_there_now() -> None:
    (hand,) = islice(generate_faults(1, 1, [KINDS["other-call"]]), 1)
    assert isinstance(hand.answer.after, dict)
    assert hand.answer.after["do"] == "call"
    assert hand.answer.after["seat"] == hand.answer.seat


def test_a_kind_without_a_place_in_the_presets_is_named() -> None:
    with pytest.raises(NoPlaceError) as caught:
        next(generate_faults(1, 1, [KINDS["other-call"]], GAMES["bourre"]))
    assert caught.value.kind.name == "other-call"
    assert "other-call" not in {kind.name for kind in kinds_for(GAMES["bourre"])}
