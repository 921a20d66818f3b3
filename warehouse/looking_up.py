"""What the records know of conditions on hands: all names of people, the hands of a tag, times."""

from warehouse.aliases import Aliases
from warehouse.conditions import HandConditions, LookedUp
from warehouse.database import Database
from warehouse.notes import Notes
from warehouse.spans import years_played


def look_up(database: Database, conditions: HandConditions) -> LookedUp:
    """Return what the records of a house know of what is asked for."""
    player, opponent = (
        [] if name is None else Aliases(database).person(name).names
        for name in (conditions.player, conditions.opponent)
    )
    tagged = [] if conditions.tag is None else Notes(database).tagged(conditions.tag)
    if conditions.hour is None and conditions.weekday is None:
        return LookedUp(player=player, opponent=opponent, tagged=tagged)
    with database.read() as connection:
        years = years_played(connection)
    return LookedUp(player=player, opponent=opponent, tagged=tagged, years=years)
