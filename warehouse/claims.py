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
from warehouse.tables import chunks, conflicts, identities, overlaps

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


class Settled(Struct, frozen=True):
    """What a chunk's hands are, judged against what is published.

    ``kept`` are the hands that are new, in order. The chunks ``repeated`` own hands that are
    duplicates here; ``contested`` own identities that hands here are in conflict over.
    """

    kept: list[KeptHand]
    repeated: set[int]
    contested: set[int]


class ClaimsChangedError(Exception):
    """What hands were settled against is not there any more; they are to be settled anew."""


def settle(connection: Connection, hands: list[HandRows], *, anew: int | None = None) -> Settled:
    """Judge hands against what is published now.

    Args:
        connection: a transaction that reads.
        hands: those of one chunk, in order.
        anew: the chunk that these hands are to replace, whose claims therefore are free.
    """
    owners = _owners(connection, {hand.identity for hand in hands})
    present = {hand.hand_id for hand in hands}
    named: dict[Identity, str] = {}
    chunk_of: dict[str, int | None] = {}
    for identity, (owner, chunk) in owners.items():
        if chunk != anew:
            named[identity] = owner
            chunk_of[owner] = chunk
        elif owner in present:  # the first of its identity stays so, whatever comes before it
            named[identity] = owner
    others = {
        hand.hand_id
        for hand in hands
        if hand.identity in owners and named.get(hand.identity) != hand.hand_id
    }  # an identity that nobody owns has no conflicts either
    chunk_of.update(_known_conflicts(connection, others, anew))
    kept: list[KeptHand] = []
    repeated: set[int | None] = set()
    for hand in hands:
        if hand.hand_id in chunk_of:
            repeated.add(chunk_of[hand.hand_id])
        else:
            chunk_of[hand.hand_id] = None  # this one
            kept.append(KeptHand(hand, named.setdefault(hand.identity, hand.hand_id)))
    contested = {chunk_of.get(one.owner) for one in kept if one.standing == "conflict"}
    return Settled(kept, _others(repeated), _others(contested))


def hold(connection: Connection, settled: Settled) -> None:
    """Keep the chunks against which hands were settled as they are until the transaction ends.

    Raises:
        ClaimsChangedError: one of them was deleted or made anew in between.
    """
    for some in _slices(sorted(settled.repeated | settled.contested)):
        standing = (chunks.c.id.in_(some), chunks.c.superseded_by.is_(None))
        held = select(chunks.c.id).where(*standing).order_by(chunks.c.id)
        if len(connection.scalars(held.with_for_update(read=True)).all()) != len(some):
            raise ClaimsChangedError


def claim(connection: Connection, settled: Settled, upload: str, chunk: int) -> None:
    """Write down the claims and the conflicts of a chunk's hands, and whose hands it repeats.

    Raises:
        IntegrityError: somebody has published one of these hands since they were settled.
    """
    kept = settled.kept
    firsts = sorted((one for one in kept if one.standing == "first"), key=_identity)
    if firsts:
        connection.execute(
            identities.insert(),
            [
                {
                    **one.hand.identity._asdict(),
                    "hand_id": one.hand.hand_id,
                    "chunk": chunk,
                    "written": "first",
                }
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
                    "ordinal": one.hand.ordinal,
                }
                for one in contested
            ],
        )
    if settled.repeated:
        connection.execute(
            overlaps.insert(),
            [{"chunk": chunk, "owner": owner} for owner in sorted(settled.repeated)],
        )


def _identity(kept: KeptHand) -> Identity:
    """The order of writing is one everywhere, so that no two writers wait for each other."""
    return kept.hand.identity


def _owners(connection: Connection, wanted: set[Identity]) -> dict[Identity, tuple[str, int]]:
    """The hand that owns each identity, and the chunk that it is of."""
    hands_of = defaultdict(list)
    for identity in wanted:
        hands_of[identity.source, identity.table].append(identity.hand)
    owners = {}
    for (source, table), hands in hands_of.items():
        columns = (identities.c.hand, identities.c.hand_id, identities.c.chunk)
        of_table = (identities.c.source == source, identities.c.table == table)
        for some in _slices(hands):
            query = select(*columns).where(*of_table, identities.c.hand.in_(some))
            for hand, owner, chunk in connection.execute(query):
                owners[Identity(source, table, hand)] = (owner, chunk)
    return owners


def _known_conflicts(connection: Connection, wanted: set[str], anew: int | None) -> dict[str, int]:
    """The chunks of those hands that are kept as conflicts."""
    known: dict[str, int] = {}
    for some in _slices(wanted):
        query = select(conflicts.c.hand_id, conflicts.c.chunk).where(conflicts.c.hand_id.in_(some))
        known |= {hand: chunk for hand, chunk in connection.execute(query) if chunk != anew}
    return known


def _others(found: set[int | None]) -> set[int]:
    return {chunk for chunk in found if chunk is not None}


def _slices(values: Iterable[_T]) -> Iterator[list[_T]]:
    rest = iter(values)
    while some := list(islice(rest, _AT_ONCE)):
        yield some
