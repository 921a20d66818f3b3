"""What is kept of a session's audit: its result in a line, and where the chips came from."""

from collections import Counter
from fractions import Fraction

from schemas.season import TOURNAMENT, season_tournament
from tests.warehouse.forms import BOTH_FORMS
from tests.warehouse.sessions.material import COUPE, audited, encoded, later, tournament
from tests.warehouse.uploads import processed
from warehouse.database import open_house
from warehouse.queries import Warehouse
from warehouse.sessions.declarations import session_key
from warehouse.sessions.results import SessionResult, write_result
from warehouse.sessions.search import SessionConditions, SessionPage
from warehouse.store import Store

pytestmark = BOTH_FORMS


def test_a_wrong_result_is_found_by_the_hand_where_it_begins(
    store: Store, warehouse: Warehouse
) -> None:
    processed(store, season_tournament().content)
    processed(store, encoded(tournament()))
    made, _ = audited(warehouse, TOURNAMENT), audited(warehouse, COUPE)

    # Bastien's pot of hand 6 is written down as Camille's; the small one parts at no hand.
    key, coupe = session_key(TOURNAMENT), session_key(COUPE)
    sixth = made.hand_ids[5]
    search = warehouse.session_search
    assert search.results([key, coupe]) == {
        key: SessionResult(
            agrees=False, winners=["Bastien"], parts_at=6, hand_id=sixth, finding="declared-pots"
        ),
        coupe: SessionResult(agrees=False, winners=["Carla"]),
    }
    assert search.count_wrong() == 2
    wrong, right = (search.find(SessionConditions(agrees=agrees)) for agrees in (False, True))
    assert isinstance(wrong, SessionPage)
    assert [one.id for one in wrong.sessions] == [TOURNAMENT, COUPE]
    assert right == SessionPage([], None)

    # Where the chips came from adds up to the result, the illegal hand among them.
    came: Counter[str] = Counter()
    for lines in made.lines.values():
        for player, line in lines.items():
            came[player] += line.showdown + line.alone + line.premium
    assert len(made.lines) == 12
    assert came == {
        one.player: Fraction(one.ours.result.exact) for one in made.audit.standings if one.ours
    }
    assert made.lines[5]["Bastien"].showdown + made.lines[5]["Bastien"].alone > 0


def test_an_audit_without_a_result_beside_it_is_made_anew(
    store: Store, warehouse: Warehouse
) -> None:
    processed(store, encoded(tournament()))
    audited(warehouse, COUPE)
    assert store.session_runs.renew_untold(later(1), 9) == 0
    with open_house(store.settings).write() as connection:  # as an earlier version left it
        write_result(connection, session_key(COUPE), None)
    assert store.session_runs.renew_untold(later(1), 9) == 1
    audited(warehouse, COUPE)
    assert warehouse.session_search.count_wrong() == 1
