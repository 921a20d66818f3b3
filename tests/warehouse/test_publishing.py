import datetime as dt
from itertools import count
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import func, select

from schemas.audit import ExaminedHand, examine_hand
from schemas.document import Hand
from schemas.streams import RawHand
from tests.warehouse.forms import ALWAYS_BOTH, kept
from tests.warehouse.uploads import NOON, all_hands, contradicted, received, some_hands
from warehouse.conditions import HandConditions
from warehouse.places import house_place
from warehouse.publishing import MAX_PROBLEMS, Draft
from warehouse.queries import Page, Warehouse
from warehouse.records import LEASE, Problem, Run, Upload
from warehouse.rows import HandRows, hand_rows
from warehouse.settings import Settings
from warehouse.store import Store
from warehouse.tables import chunks, segments

pytestmark = ALWAYS_BOTH
_bytes = count()


def _run(store: Store, upload: str, now: dt.datetime = NOON) -> Run:
    run = store.records.begin(upload, now)
    assert isinstance(run, Run)
    return run


def _new_run(store: Store) -> Run:
    return _run(store, received(store, b"upload %d" % next(_bytes)))


def _rows(hand: Hand, upload: str, ordinal: int) -> HandRows:
    raw = RawHand(ordinal, 0, msgspec.json.encode(hand))
    examined = examine_hand(raw.raw, want_turns=True)
    assert isinstance(examined, ExaminedHand)
    return hand_rows(examined, raw, upload, ordinal)


def _draft(run: Run, hands: list[Hand], first: int = 1) -> Draft:
    rows = [_rows(hand, run.upload.id, ordinal) for ordinal, hand in enumerate(hands, first)]
    return Draft(first, first + len(hands) - 1, rows, [], 1)


def _stands(store: Store, run: Run) -> Upload:
    upload = store.records.upload(run.upload.id)
    assert upload is not None
    return upload


def _files(settings: Settings) -> dict[str, bytes]:
    return kept(settings, "segments")


def _published(store: Store) -> tuple[int, int]:
    with store.database.read() as connection:
        of_each = (select(func.count()).select_from(table) for table in (chunks, segments))
        first, second = (connection.scalar(query) or 0 for query in of_each)
        return first, second


def test_a_chunk_appears_whole(store: Store, settings: Settings, warehouse: Warehouse) -> None:
    hands = some_hands(3)
    run = _new_run(store)
    assert store.publisher.publish(run, _draft(run, hands), NOON)
    assert _published(store) == (1, 3)
    assert [name.partition("/")[0] for name in _files(settings)] == ["hands", "rollups", "seats"]
    assert {hand.hand for hand in all_hands(warehouse)} == {hand.id.hand for hand in hands}
    stands = _stands(store, run)
    assert (stands.hands, stands.legal, stands.duplicates) == (3, 3, 0)


def test_a_repeated_chunk_changes_nothing(
    store: Store, settings: Settings, warehouse: Warehouse
) -> None:
    run = _new_run(store)
    draft = _draft(run, some_hands(3))
    assert store.publisher.publish(run, draft, NOON)
    before = (_stands(store, run), _files(settings), all_hands(warehouse), _published(store))
    assert not store.publisher.publish(run, draft, NOON + LEASE)
    again = _run(store, run.upload.id, NOON + LEASE)
    assert not store.publisher.publish(again, draft, NOON + LEASE)
    after = (_stands(store, run), _files(settings), all_hands(warehouse), _published(store))
    assert after[1:] == before[1:]
    assert after[0].hands == before[0].hands == 3


def test_a_run_that_lost_its_hold_publishes_nothing(store: Store, warehouse: Warehouse) -> None:
    lost = _new_run(store)
    _run(store, lost.upload.id, NOON + LEASE)
    assert not store.publisher.publish(lost, _draft(lost, some_hands(3)), NOON + LEASE)
    assert all_hands(warehouse) == []
    assert _stands(store, lost).hands == 0


def test_a_chunk_out_of_its_turn_is_not_published(store: Store) -> None:
    run = _new_run(store)
    hands = some_hands(6)
    assert not store.publisher.publish(run, _draft(run, hands[3:], first=4), NOON)
    assert store.publisher.publish(run, _draft(run, hands[:4]), NOON)
    assert not store.publisher.publish(run, _draft(run, hands[3:], first=4), NOON)
    assert store.publisher.publish(run, _draft(run, hands[4:], first=5), NOON)


def test_segments_in_place_but_not_published_are_never_read(
    store: Store, settings: Settings, warehouse: Warehouse, tmp_path: Path
) -> None:
    """What a crash between the putting in place and the commit leaves."""
    run = _new_run(store)
    draft = _draft(run, some_hands(3))
    assert store.publisher.publish(run, draft, NOON)
    name, content = next(iter(_files(settings).items()))
    orphan = _new_run(store)
    aside = tmp_path / "aside"
    aside.write_bytes(content)
    place = house_place(settings, "segments")
    place.take({name.replace(run.upload.id, orphan.upload.id): aside})
    assert len(all_hands(warehouse)) == 3
    assert store.publisher.publish(orphan, _draft(orphan, some_hands(3, seed=2)), NOON)
    assert len(all_hands(warehouse)) == 6


def test_a_failed_commit_publishes_nothing(store: Store, warehouse: Warehouse) -> None:
    run = _new_run(store)
    draft = _draft(run, some_hands(3))
    twice = Problem(1, 1, 0, "not-json", "", "", "")
    broken = Draft(1, 5, draft.hands, [twice, twice], 1)  # one place cannot have two problems
    with pytest.raises(Exception, match=r"(?i)unique"):
        store.publisher.publish(run, broken, NOON)
    assert all_hands(warehouse) == []
    assert _published(store) == (0, 0)
    assert store.publisher.publish(run, draft, NOON)
    assert len(all_hands(warehouse)) == 3


def test_the_same_hand_again_is_counted_without_a_row(store: Store, warehouse: Warehouse) -> None:
    hands = some_hands(3)
    first, second = _new_run(store), _new_run(store)
    assert store.publisher.publish(first, _draft(first, [*hands, hands[0]]), NOON)
    assert store.publisher.publish(second, _draft(second, hands[1:]), NOON)
    assert len(all_hands(warehouse)) == 3
    assert (_stands(store, first).hands, _stands(store, first).duplicates) == (4, 1)
    assert (_stands(store, second).hands, _stands(store, second).duplicates) == (2, 2)
    assert warehouse.search_hands(HandConditions(upload=second.upload.id)) == Page([], None)


def test_another_content_is_kept_as_a_conflict(store: Store, warehouse: Warehouse) -> None:
    hand = some_hands(1)[0]
    told_otherwise = contradicted(hand)
    first, second, third = _new_run(store), _new_run(store), _new_run(store)
    assert store.publisher.publish(first, _draft(first, [hand]), NOON)
    assert store.publisher.publish(second, _draft(second, [told_otherwise]), NOON)
    # Told a third time it is a duplicate of the conflict that is kept already.
    assert store.publisher.publish(third, _draft(third, [told_otherwise, hand]), NOON)
    kept = {one.standing: one for one in all_hands(warehouse)}
    assert set(kept) == {"first", "conflict"}
    assert kept["first"].upload == first.upload.id
    stands = _stands(store, second)
    assert (stands.legal, stands.conflicts, stands.duplicates) == (1, 1, 0)
    assert _stands(store, third).duplicates == 2
    [conflict] = store.records.conflicts(second.upload.id, 10)
    assert conflict.first_hand_id == kept["first"].hand_id
    assert conflict.hand_id == kept["conflict"].hand_id
    for one in kept.values():
        found = warehouse.find_hand(one.hand_id)
        assert found is not None
        assert found.summary == one
    assert {player.player for player in warehouse.players()} == {seat.player for seat in hand.seats}


def test_any_characters_are_kept_as_they_are(store: Store, warehouse: Warehouse) -> None:
    hand = some_hands(1)[0]
    strange = replace(hand, id=replace(hand.id, hand="\U0001f0a1 é\u2028"))
    first, second = _new_run(store), _new_run(store)
    assert store.publisher.publish(first, _draft(first, [strange]), NOON)
    problem = Problem(2, 2, 0, "unknown-value", "/\0", "no \0", "\0")
    again = replace(_draft(second, [strange]), last=2, problems=[problem])
    assert store.publisher.publish(second, again, NOON)
    assert _stands(store, second).duplicates == 1
    assert store.records.problems(second.upload.id, 9) == [problem]
    assert [one.hand for one in all_hands(warehouse)] == ["\U0001f0a1 é\u2028"]


def test_two_contents_within_one_chunk_are_a_conflict(store: Store, warehouse: Warehouse) -> None:
    hand = some_hands(1)[0]
    run = _new_run(store)
    assert store.publisher.publish(run, _draft(run, [hand, contradicted(hand)]), NOON)
    assert sorted(one.standing for one in all_hands(warehouse)) == ["conflict", "first"]


def test_problems_beyond_the_limit_are_counted_only(store: Store) -> None:
    run = _new_run(store)
    many = MAX_PROBLEMS - 1
    told = [Problem(n, n, 0, "not-json", "", "", "") for n in range(1, many + 3)]
    assert store.publisher.publish(run, Draft(1, many, [], told[:many], 1), NOON)
    assert store.publisher.publish(run, Draft(many + 1, many + 2, [], told[many:], 2), NOON)
    assert _stands(store, run).unreadable == many + 2
    assert len(store.records.problems(run.upload.id, 2 * MAX_PROBLEMS)) == MAX_PROBLEMS
    assert store.records.problems(run.upload.id, 1, after=MAX_PROBLEMS - 1) == [
        told[MAX_PROBLEMS - 1]
    ]
