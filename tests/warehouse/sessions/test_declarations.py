"""What uploads declare of sessions: versions, which of them counts, and what cannot be read."""

import gzip
import json

from tests.warehouse.forms import BOTH_FORMS
from tests.warehouse.sessions.material import (
    COUPE,
    audited,
    codes,
    encoded,
    session,
    tournament,
    with_hand_ids,
)
from tests.warehouse.uploads import NOON, processed
from warehouse.queries import Warehouse
from warehouse.sessions.declarations import session_key
from warehouse.store import Store

pytestmark = BOTH_FORMS

KEY = session_key(COUPE)


def test_a_document_with_its_hands_is_a_declaration_and_its_hands(
    store: Store, warehouse: Warehouse
) -> None:
    upload = processed(store, gzip.compress(encoded(tournament())))

    stands = session(warehouse, COUPE)
    assert (stands.id, stands.kind, stands.state) == (COUPE, "tournament", "stale")
    (declaration,) = warehouse.sessions.declarations(KEY)
    assert (declaration.upload, declaration.counts) == (upload, True)
    said = {name: part for name, part in tournament().items() if name != "hands"}
    text = warehouse.sessions.text(KEY)
    assert text is not None
    assert json.loads(text) == said
    assert warehouse.sessions.text(KEY, declaration.digest) == text
    assert codes(audited(warehouse, COUPE)) == {
        "declared-account",
        "declared-position",
        "declared-result",
    }


def test_a_document_of_identities_alone_is_done_with_no_hand(
    store: Store, warehouse: Warehouse
) -> None:
    upload = processed(store, encoded(with_hand_ids(tournament())))
    stands = store.records.upload(upload)
    assert stands is not None
    assert (stands.status, stands.hands, stands.unreadable) == ("done", 0, 0)
    assert session(warehouse, COUPE).declared is not None


def test_the_newest_version_counts_and_a_repeat_of_an_older_one_changes_nothing(
    store: Store, warehouse: Warehouse
) -> None:
    wrong, right = tournament(), tournament()
    right["standings"] = [{"player": "Carla", "result": "3/4"}]
    first = processed(store, encoded({**wrong, "hands": []}))
    second = processed(store, encoded(right))
    again = processed(store, encoded({**wrong, "hands": wrong["hands"][:1]}))
    versions = warehouse.sessions.declarations(KEY)
    assert [(one.upload, one.counts) for one in versions] == [(second, True), (first, False)]
    # Only Carla's result is declared, and the others have no place in the standings.
    assert codes(audited(warehouse, COUPE)) == {"declared-players"}

    store.deletions.delete(second, None, NOON)
    assert [one.counts for one in warehouse.sessions.declarations(KEY)] == [True]
    store.deletions.delete(first, None, NOON)
    assert [one.upload for one in warehouse.sessions.declarations(KEY)] == [again]


def test_an_envelope_that_declares_nothing_takes_nothing_back(
    store: Store, warehouse: Warehouse
) -> None:
    document = tournament()
    processed(store, encoded({**document, "hands": []}))
    bare = {"session": document["session"], "hands": document["hands"]}
    processed(store, encoded(bare))
    assert len(warehouse.sessions.declarations(KEY)) == 1
    assert "declared-result" in codes(audited(warehouse, COUPE))


def test_a_session_part_that_cannot_be_read_is_a_problem_of_its_upload(
    store: Store, warehouse: Warehouse
) -> None:
    document = tournament()
    document["standings"][0]["result"] = "0.75"
    for content in (document, with_hand_ids(document)):
        upload = processed(store, encoded(content))
        (problem,) = store.records.problems(upload, 10)
        assert (problem.code, problem.pointer) == ("wrong-type", "/standings/0/result")
    assert warehouse.sessions.declarations(KEY) == []
    assert codes(audited(warehouse, COUPE)) == set()
