import datetime as dt

from tests.warehouse.forms import BOTH_FORMS
from tests.warehouse.uploads import NOON, all_hands, contradicted, ndjson, processed, some_hands
from warehouse.queries import Warehouse
from warehouse.rulings import Conflict, NoConflict, NoContestant, Ruling
from warehouse.store import Store

pytestmark = BOTH_FORMS

SECOND = dt.timedelta(seconds=1)


def _counted(warehouse: Warehouse) -> dict[str, int]:
    return {one.player: one.hands for one in warehouse.players()}


def _ruled(store: Store, hand: str, stands: str | None, now: dt.datetime = NOON) -> Conflict:
    conflict = store.rulings.rule(hand, stands, "anna", now)
    assert isinstance(conflict, Conflict)
    return conflict


def test_a_ruling_says_which_hand_counts_and_may_be_made_anew(
    store: Store, warehouse: Warehouse
) -> None:
    hand = some_hands(1)[0]
    first = processed(store, ndjson([hand]))
    second = processed(store, ndjson([contradicted(hand)]))
    players = {seat.player for seat in hand.seats}
    others = {name + "?" for name in players}
    [open_] = store.rulings.conflicts(10)
    assert (open_.source, open_.table, open_.hand) == (hand.id.source, hand.id.table, hand.id.hand)
    ours, theirs = (one.hand_id for one in open_.contestants)
    assert open_.hand_id == ours
    assert [(one.upload, one.standing) for one in open_.contestants] == [
        (first, "first"),
        (second, "conflict"),
    ]
    assert open_.ruling is None
    assert set(_counted(warehouse)) == players

    ruled = _ruled(store, ours, theirs)
    assert ruled.ruling == Ruling(theirs, NOON, "anna")
    assert [one.standing for one in ruled.contestants] == ["conflict", "first"]
    assert set(_counted(warehouse)) == others
    found = {one.hand_id: one.standing for one in all_hands(warehouse)}
    assert found == {ours: "conflict", theirs: "first"}
    one = warehouse.find_hand(theirs)
    assert one is not None
    assert one.summary.standing == "first"
    assert {point.hand_id for name in others for point in warehouse.profit(name)} == {theirs}

    assert _ruled(store, theirs, theirs, NOON + SECOND) == ruled  # who said it first, and when
    none = _ruled(store, theirs, None, NOON + SECOND)
    assert none.ruling == Ruling(None, NOON + SECOND, "anna")
    assert _counted(warehouse) == {}
    assert [one.standing for one in all_hands(warehouse)] == ["conflict", "conflict"]

    _ruled(store, theirs, ours)
    assert set(_counted(warehouse)) == players


def test_only_what_is_in_conflict_can_be_ruled_upon(store: Store) -> None:
    hands = some_hands(2)
    processed(store, ndjson([hands[0], contradicted(hands[0]), hands[1]]))
    [conflict] = store.rulings.conflicts(10)
    of_conflict = [one.hand_id for one in conflict.contestants]
    assert store.rulings.rule("0" * 24, None, None, NOON) == NoConflict()
    assert store.rulings.conflict("0" * 24) is None
    [alone] = [one for one in _ids(store) if one not in of_conflict]
    assert store.rulings.rule(alone, alone, None, NOON) == NoConflict()
    assert store.rulings.conflict(alone) is None
    assert store.rulings.rule(conflict.hand_id, alone, None, NOON) == NoContestant(of_conflict)
    assert store.rulings.conflict(of_conflict[1]) == conflict


def _ids(store: Store) -> list[str]:
    return [one.hand_id for one in all_hands(Warehouse(store.settings))]


def test_conflicts_are_listed_by_upload_and_by_ruling(store: Store) -> None:
    hands = some_hands(12)
    first = processed(store, ndjson(hands))
    second = processed(store, ndjson([contradicted(hand) for hand in hands[:7]]))
    third = processed(store, ndjson([contradicted(hand) for hand in hands[5:]]))
    listed = store.rulings.conflicts(100)
    assert len(listed) == 12
    seen: list[Conflict] = []
    while page := store.rulings.conflicts(5, after=seen[-1].hand_id if seen else ""):
        seen += page
    assert seen == listed == sorted(listed, key=lambda one: one.hand_id)
    assert store.rulings.conflicts(100, upload=first) == listed
    assert len(store.rulings.conflicts(100, upload=second)) == 7
    assert len(store.rulings.conflicts(100, upload=third)) == 5  # two of its hands were known
    ruled = [_ruled(store, one.hand_id, None) for one in listed[:4]]
    assert store.rulings.conflicts(100, ruled=True) == ruled
    assert store.rulings.conflicts(100, ruled=False) == listed[4:]


def test_a_ruling_outlives_the_hands_that_come_and_go(store: Store, warehouse: Warehouse) -> None:
    hand = some_hands(1)[0]
    told = [hand, contradicted(hand), contradicted(contradicted(hand))]
    uploads = [
        processed(store, ndjson([one]), NOON + SECOND * place) for place, one in enumerate(told)
    ]
    [conflict] = store.rulings.conflicts(10)
    ids = [one.hand_id for one in conflict.contestants]
    _ruled(store, ids[0], ids[1])

    def counts() -> list[str]:
        return [one.hand_id for one in all_hands(warehouse) if one.standing == "first"]

    assert counts() == [ids[1]]
    # The first of them goes: the ruling stays.
    store.deletions.delete(uploads[0], None, NOON)
    assert counts() == [ids[1]]
    # The one ruled for goes: the earliest of the others counts, as if nobody had ruled.
    store.deletions.delete(uploads[1], None, NOON)
    assert counts() == [ids[2]]
    # It comes again, and counts by the ruling.
    processed(store, ndjson([told[1]]))
    assert counts() == [ids[1]]
    # Nothing is left, and of the ruling neither.
    for upload in uploads[1:]:
        store.deletions.delete(upload, None, NOON)
    processed(store, ndjson([told[0]]))
    processed(store, ndjson([told[1]]))
    assert counts() == [ids[0]]
