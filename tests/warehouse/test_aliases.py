"""Names of one person: merged and split, never a chain."""

import threading

from tests.warehouse.forms import BOTH_FORMS
from tests.warehouse.uploads import NOON
from warehouse.aliases import Aliases, NotMerged, Person
from warehouse.settings import Settings
from warehouse.store import Store

pytestmark = BOTH_FORMS


def test_names_are_merged_and_split_again(store: Store) -> None:
    aliases = Aliases(store.database)
    assert aliases.all() == {}
    assert aliases.person("anna") == Person("anna", [])

    assert aliases.merge("anna", "anna_92", NOON) == Person("anna", ["anna_92"])
    assert aliases.merge("anna", "Anna!", NOON) == Person("anna", ["Anna!", "anna_92"])
    assert aliases.merge("anna", "Anna!", NOON) == Person("anna", ["Anna!", "anna_92"])
    assert aliases.person("anna_92").names == ["anna", "Anna!", "anna_92"]

    assert aliases.split("anna", "Anna!", NOON) == Person("anna", ["anna_92"])
    assert aliases.split("anna", "Anna!", NOON) == NotMerged("no-alias")
    assert aliases.person("Anna!") == Person("Anna!", [])
    assert aliases.all() == {"anna_92": "anna"}


def test_merging_a_person_brings_their_aliases_along(store: Store) -> None:
    aliases = Aliases(store.database)
    aliases.merge("ben", "b1", NOON)
    aliases.merge("ben", "b2", NOON)

    assert aliases.merge("anna", "ben", NOON) == Person("anna", ["b1", "b2", "ben"])
    assert aliases.all() == {"b1": "anna", "b2": "anna", "ben": "anna"}
    # What came along stays: a split takes out one name and no more.
    assert aliases.split("anna", "ben", NOON) == Person("anna", ["b1", "b2"])


def test_what_would_be_a_chain_or_a_circle_is_refused(store: Store) -> None:
    aliases = Aliases(store.database)
    aliases.merge("anna", "a1", NOON)

    assert aliases.merge("anna", "anna", NOON) == NotMerged("itself")
    assert aliases.merge("a1", "ben", NOON) == NotMerged("player-is-alias", "anna")
    assert aliases.merge("a1", "anna", NOON) == NotMerged("player-is-alias", "anna")
    assert aliases.merge("ben", "a1", NOON) == NotMerged("alias-taken", "anna")
    assert aliases.merge("ben", "b\0", NOON) == NotMerged("unkept")
    assert aliases.split("ben", "a1", NOON) == NotMerged("no-alias")
    assert aliases.all() == {"a1": "anna"}


def test_many_merge_at_once_and_no_chain_comes_of_it(settings: Settings) -> None:
    names = [f"p{number}" for number in range(6)]
    ready = threading.Barrier(len(names))

    def merge(into: str) -> None:
        with Store(settings) as store:
            aliases = Aliases(store.database)
            ready.wait()
            for name in names:
                aliases.merge(into, name, NOON)

    threads = [threading.Thread(target=merge, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Store(settings) as store:
        known = Aliases(store.database).all()
    assert set(known.values()).isdisjoint(known)
    assert len(known) == len(names) - 1
    assert len(set(known.values())) == 1
