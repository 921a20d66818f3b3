"""Who owns an identity: the first hand that was published under it.

The same hand again is a duplicate, the same identity with another content a conflict.

A claim is a row of the records that is committed together with the chunk of its hand, so there is
no claim without its hand.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, TypeVar

from msgspec import Struct
from sqlalchemy import Connection, select

from warehouse.identity import Identity
from warehouse.rows import HandRows, Standing
from warehouse.tables import conflicts, identities

_AT_ONCE: Final = 500
_T = TypeVar("_T")


class KeptHand(Struct, frozen=True):
    """A hand that is no duplicate, and the hand that owns its identity, which may be itself."""

    hand: HandRows
    owner: str

    @property
    def standing(self) -> Standing:
        """Whether the hand counts or is set against the one that does."""
        return "first" if self.owner == self.hand.hand_id else "conflict"


def settle(connection: Connection, hands: list[HandRows]) -> list[KeptHand]:
    """Return the hands that are new, in order, judged against what is published now."""
    owners = _owners(connection, {hand.identity for hand in hands})
    others = {
        hand.hand_id for hand in hands if owners.get(hand.identity, hand.hand_id) != hand.hand_id
    }
    known = set(owners.values()) | _known_conflicts(connection, others)
    kept = []
    for hand in hands:
        owner = owners.setdefault(hand.identity, hand.hand_id)
        if hand.hand_id not in known:
            known.add(hand.hand_id)
            kept.append(KeptHand(hand, owner))
    return kept


def claim(connection: Connection, kept: list[KeptHand], upload: str, chunk: int) -> None:
    """Write down the claims and the conflicts of a chunk's hands.

    Raises:
        IntegrityError: somebody has published one of these hands since they were settled.
    """
    firsts = sorted((one for one in kept if one.standing == "first"), key=_identity)
    if firsts:
        connection.execute(
            identities.insert(),
            [
                {**one.hand.identity._asdict(), "hand_id": one.hand.hand_id, "chunk": chunk}
                for one in firsts
            ],
        )
    contested = sorted((one for one in kept if one.standing == "conflict"), key=_identity)
    if contested:
        connection.execute(
            conflicts.insert(),
            [
                {
                    **one.hand.identity._asdict(),
                    "hand_id": one.hand.hand_id,
                    "first_hand_id": one.owner,
                    "upload": upload,
                    "chunk": chunk,
                }
                for one in contested
            ],
        )


def _identity(kept: KeptHand) -> Identity:
    """The order of writing is one everywhere, so that no two writers wait for each other."""
    return kept.hand.identity


def _owners(connection: Connection, wanted: set[Identity]) -> dict[Identity, str]:
    hands_of = defaultdict(list)
    for identity in wanted:
        hands_of[identity.source, identity.table].append(identity.hand)
    owners = {}
    for (source, table), hands in hands_of.items():
        of_table = (identities.c.source == source, identities.c.table == table)
        query = select(identities.c.hand, identities.c.hand_id).where(*of_table)
        for some in _slices(hands):
            for hand, owner in connection.execute(query.where(identities.c.hand.in_(some))):
                owners[Identity(source, table, hand)] = owner
    return owners


def _known_conflicts(connection: Connection, wanted: set[str]) -> set[str]:
    known: set[str] = set()
    for some in _slices(wanted):
        known.update(
            connection.scalars(select(conflicts.c.hand_id).where(conflicts.c.hand_id.in_(some)))
        )
    return known


def _slices(values: Iterable[_T]) -> Iterator[list[_T]]:
    rest = iter(values)
    while some := list(islice(rest, _AT_ONCE)):
        yield some
