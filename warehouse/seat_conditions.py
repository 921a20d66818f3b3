"""What one seat of a hand must be, as SQL over the columns of seats: where it sat, what it did."""

from typing import Final

from warehouse.statistics import STATISTICS
from warehouse.totals import Narrowed, Place, conditions

RATES: Final = {one.id: one for one in STATISTICS}
"""The rates whose hands can be asked for, by their ids."""


def seat_where(
    place: Place | None, position: int | None, made: str | None, chance: str | None
) -> str:
    """Return what is asked of a seat as SQL, or an empty text where nothing is asked.

    Args:
        place: Where it sat.
        position: The same as a number, which is bound to ``$position``.
        made: The rate whose act it did.
        chance: The rate whose act it could have done.
    """
    parts = []
    if place is not None:
        parts.append(conditions(Narrowed(place=place))[0])
    if position is not None:
        parts.append("position = $position")
    if made is not None:
        parts.append(_any_of(RATES[made].made))
    if chance is not None:
        parts.append(_any_of(RATES[chance].chances))
    return " AND ".join(parts)


def _any_of(counters: tuple[str, ...]) -> str:
    return f"({' OR '.join(f'{name} > 0' for name in counters)})"
