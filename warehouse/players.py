"""Players as SQL over the seats: one row a person, whatever names they played under."""

from typing import Final

COUNTED: Final = "counted AND standing = 'first'"

SUMMARY: Final = (
    "first_played, last_played, player, hands, net, net_showdown, net_uncontested, premium, per_100"
)

_PEOPLE: Final = f"""(
    WITH named AS (
        SELECT
            player AS name,
            min(played_at) AS first_played,
            max(played_at) AS last_played,
            count(*) AS hands,
            sum(net) AS net,
            sum(net_showdown) AS net_showdown,
            sum(net_uncontested) AS net_uncontested,
            sum(premium) AS premium,
            fsum(net / unit) AS units
        FROM {{{{seats}}}}
        WHERE {COUNTED} AND {{where}}
        GROUP BY player
    ),
    known AS (
        SELECT unnest($aliases::VARCHAR[]) AS alias, unnest($persons::VARCHAR[]) AS person
    )
    SELECT
        coalesce(person, name) AS player,
        list(name) AS names,
        min(first_played) AS first_played,
        max(last_played) AS last_played,
        sum(hands)::BIGINT AS hands,
        sum(net)::BIGINT AS net,
        sum(net_showdown)::BIGINT AS net_showdown,
        sum(net_uncontested)::BIGINT AS net_uncontested,
        sum(premium)::BIGINT AS premium,
        round(100 * fsum(units) / sum(hands), 6) AS per_100
    FROM named LEFT JOIN known ON alias = name
    GROUP BY coalesce(person, name)
)"""  # noqa: S608 -- constants

CALLED: Final = (
    "(contains(lower(player), lower($name))"
    " OR list_bool_or(list_transform(names, lambda one: contains(lower(one), lower($name)))))"
)
"""Whether any of a person's names holds a text, in whatever case."""


def people(where: str = "true") -> str:
    """Return as SQL everybody who has a counted hand, over the seats for which `where` holds.

    It takes ``$aliases`` and ``$persons``. Rounding makes sums that were made in another order the
    same.
    """
    return _PEOPLE.format(where=where)
