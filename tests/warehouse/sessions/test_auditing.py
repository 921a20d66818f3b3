"""A session's audit out of the warehouse: which hands it is made of, and that it is the file's."""

import copy
from fractions import Fraction
from io import BytesIO

from schemas.document import HandId
from schemas.inflate import StreamLimits
from schemas.session_audit import audit_upload
from schemas.session_decode import ReadSession, read_session
from tests.schemas.sessions import worked
from tests.warehouse.forms import BOTH_FORMS
from tests.warehouse.sessions.material import (
    COUPE,
    HISTORICO,
    Document,
    audited,
    codes,
    encoded,
    later,
    lines,
    nameless,
    session,
    tournament,
    with_hand_ids,
)
from tests.warehouse.uploads import NOON, processed
from warehouse.queries import Warehouse
from warehouse.sessions.auditing import process_session
from warehouse.sessions.declarations import session_key
from warehouse.sessions.records import Session
from warehouse.sessions.runs import AuditedSession
from warehouse.store import Store

pytestmark = BOTH_FORMS


def declared(store: Store, document: Document, minutes: int = 0) -> Session:
    read = read_session(BytesIO(encoded(document)), StreamLimits())
    assert isinstance(read, ReadSession)
    return store.sessions.declare(read, None, later(minutes)).session


def exported(warehouse: Warehouse, name: str) -> bytes:
    return b"".join(warehouse.session_hands.document(session(warehouse, name)))


def is_the_audit_of_its_document(warehouse: Warehouse, name: str, made: AuditedSession) -> bool:
    """Whether the document given out, audited as a file, gives the audit that is stored."""
    return audit_upload(BytesIO(exported(warehouse, name)), StreamLimits()) == made.audit


def results(made: AuditedSession) -> dict[str, Fraction]:
    return {
        standing.player: Fraction(standing.ours.result.exact)
        for standing in made.audit.standings
        if standing.ours is not None
    }


def test_hands_that_name_a_session_make_it(store: Store, warehouse: Warehouse) -> None:
    hands = worked("historico")["hands"]
    processed(store, lines(hands[6:]))
    processed(store, lines(list(reversed(hands[:6]))))

    made = audited(warehouse, HISTORICO)

    assert made.audit.verdict == "legal"
    assert [hand.hand_no for hand in made.audit.hands] == list(range(1, 13))
    # The stacks at the end, the ledger and 3/4 of the pot, less 100 for each cave; Ben bought two.
    assert results(made) == {
        "Anna": 197 + 4 + Fraction(3, 4) - 100,
        "Ben": 98 + Fraction(3, 4) - 200,
        "Carla": 98 - 4 + Fraction(3, 4) - 100,
        "Dan": 104 + Fraction(3, 4) - 100,
    }
    stands = session(warehouse, HISTORICO)
    assert (stands.state, stands.verdict, stands.hands, stands.findings) == ("done", "legal", 12, 0)
    assert is_the_audit_of_its_document(warehouse, HISTORICO, made)
    for hand in made.audit.hands:
        stored = warehouse.find_hand(made.hand_ids[hand.place])
        assert stored is not None
        assert (stored.summary.hand, stored.summary.hand_no) == (hand.id.hand, hand.hand_no)


def test_a_wrong_standing_is_found_whichever_comes_first(
    store: Store, warehouse: Warehouse
) -> None:
    document = tournament()
    stands = declared(store, {**document, "hands": []})
    assert (stands.kind, stands.state) == ("tournament", "stale")
    assert process_session(warehouse, stands.key) == "settled"
    assert session(warehouse, COUPE).state == "none"
    processed(store, lines(document["hands"]))
    assert session(warehouse, COUPE).state == "stale"

    made = audited(warehouse, COUPE)

    assert made.audit.kind == "tournament"
    assert made.audit.verdict == "illegal"
    assert codes(made) == {"declared-account", "declared-position", "declared-result"}
    quarter = Fraction(1, 4)
    assert results(made) == {
        "Carla": 3 * quarter,
        "Anna": -quarter,
        "Ben": -quarter,
        "Dan": -quarter,
    }
    assert is_the_audit_of_its_document(warehouse, COUPE, made)


def test_listed_hands_are_the_session_s_and_those_to_come_are_missed(
    store: Store, warehouse: Warehouse
) -> None:
    document = tournament()
    hands = nameless(document["hands"])
    key = declared(store, with_hand_ids(document)).key
    processed(store, lines(hands[:2]))
    early = audited(warehouse, COUPE)
    assert ("hand-missing", early.audit.verdict) == (
        *codes(early) - {"session-short"},
        "unverifiable",
    )
    assert all(standing.agrees is None for standing in early.audit.standings)

    processed(store, lines(hands[2:]))

    assert session(warehouse, COUPE).state == "stale"
    made = audited(warehouse, COUPE)
    assert [hand.hand_no for hand in made.audit.hands] == [1, 2, 3]
    assert codes(made) == {"declared-account", "declared-position", "declared-result"}
    assert {found.pointer.split("/")[1] for found in made.audit.findings} == {"standings"}
    assert is_the_audit_of_its_document(warehouse, COUPE, made)
    assert warehouse.session_runs.audit(key) is not None


def test_hands_are_attached_and_taken_out(store: Store, warehouse: Warehouse) -> None:
    document = tournament()
    hands = document["hands"]
    processed(store, lines([*hands[:2], *nameless(hands[2:])]))
    key = declared(store, {**document, "hands": []}).key
    assert "session-short" in codes(audited(warehouse, COUPE))
    lost = HandId("club", COUPE, "99")
    third = HandId("club", COUPE, "03")

    assert store.sessions.attach(key, [third, lost, "0" * 24], NOON) == [lost, "0" * 24]
    assert isinstance(store.sessions.attach(key, [third], NOON), Session)

    whole = audited(warehouse, COUPE)
    assert codes(whole) == {"declared-account", "declared-position", "declared-result"}
    assert [hand.id.hand for hand in whole.audit.hands] == ["01", "02", "03"]
    assert is_the_audit_of_its_document(warehouse, COUPE, whole)
    assert store.sessions.detach(key, [lost], NOON) == [lost]
    assert isinstance(store.sessions.detach(key, [whole.hand_ids[2]], NOON), Session)
    assert "session-short" in codes(audited(warehouse, COUPE))


def test_a_conflict_is_told_of_until_somebody_rules(store: Store, warehouse: Warehouse) -> None:
    hands = tournament()["hands"]
    other = copy.deepcopy(hands[2])
    other["seats"][0]["stack"] = 90
    processed(store, lines(hands))
    processed(store, lines([other]))

    contested = audited(warehouse, COUPE)
    assert codes(contested) == {"hand-conflict"}
    assert is_the_audit_of_its_document(warehouse, COUPE, contested)
    first = contested.hand_ids[2]
    conflict = store.rulings.conflict(first)
    assert conflict is not None
    second = next(one.hand_id for one in conflict.contestants if one.hand_id != first)

    store.rulings.rule(first, first, None, NOON)
    assert session(warehouse, COUPE).state == "stale"
    assert codes(audited(warehouse, COUPE)) == set()
    store.rulings.rule(first, second, None, NOON)
    ruled = audited(warehouse, COUPE)
    assert (codes(ruled), ruled.hand_ids[2]) == ({"stack-break"}, second)
    store.rulings.rule(first, None, None, NOON)
    assert codes(audited(warehouse, COUPE)) == {"session-short"}


def test_a_deleted_upload_leaves_its_sessions(store: Store, warehouse: Warehouse) -> None:
    hands = tournament()["hands"]
    processed(store, lines(hands[:2]))
    last = processed(store, lines(hands[2:]))
    assert codes(audited(warehouse, COUPE)) == set()

    store.deletions.delete(last, None, NOON)

    assert codes(audited(warehouse, COUPE)) == {"session-short"}
    (first,) = store.records.recent_uploads(10)
    store.deletions.delete(first.id, None, NOON)
    assert process_session(warehouse, session_key(COUPE)) == "settled"
    assert warehouse.sessions.session(session_key(COUPE)) is None
