"""Players as SQL over the rollups: one row a person, whatever names they played under."""

from typing import Final

COUNTED: Final = "counted AND standing = 'first'"
"""Which seats count; of others rollups hold what counts nevertheless, as of no hands."""

SUMMARY: Final = (
    "first_played, last_played, player, hands, net, net_showdown, net_uncontested, premium, per_100"
)

COUNTERS: Final = (
    *("decided", "entered", "could_raise", "raised", "folds_all_shown", "winner_folded"),
    *("declared", "stayed"),
)
"""The counters that a person's row has as well, for the rates of a list."""

_SUMMED: Final = ("hands", "net", "net_showdown", "net_uncontested", "premium", *COUNTERS)
_SUMS: Final = ", ".join(f"sum({name})::BIGINT AS {name}" for name in _SUMMED)

_PEOPLE: Final = f"""(
    WITH named AS (
        SELECT
            player AS name,
            min(first_played) AS first_played,
            max(last_played) AS last_played,
            {_SUMS},
            fsum(net / unit) AS units
        FROM {{rollups}}
        WHERE {{where}}
        GROUP BY player
        HAVING sum(hands) > 0
    ),
    known AS (
        SELECT unnest($aliases::VARCHAR[]) AS alias, unnest($persons::VARCHAR[]) AS person
    )
    SELECT
        coalesce(person, name) AS player,
        list(name) AS names,
        min(first_played) AS first_played,
        max(last_played) AS last_played,
        {_SUMS},
        round(100 * fsum(units) / sum(hands), 6) AS per_100
    FROM named LEFT JOIN known ON alias = name
    GROUP BY coalesce(person, name)
)"""  # noqa: S608 -- constants

CALLED: Final = (
    "(contains(lower(player), lower($name))"
    " OR list_bool_or(list_transform(names, lambda one: contains(lower(one), lower($name)))))"
)
"""Whether any of a person's names holds a text, in whatever case."""


def people(where: str = "true", *, apart: bool = False) -> str:
    """Return as SQL everybody who has a counted hand, by the rollups for which `where` holds.

    These are asked of by hour and session only if it is said that they are to be ``apart``.

    It takes ``$aliases`` and ``$persons``. Rounding makes sums that were made in another order the
    same.
    """
    return _PEOPLE.format(where=where, rollups="rollups" if apart else "by_player")
