"""Shares: hands that are shown to whoever has the link, until it expires or is revoked.

A link names its share and is signed with a secret of the installation, so that nobody makes one up
and none has to be kept.
"""

import base64
import datetime as dt
import functools
import hashlib
import hmac
import re
import secrets
from typing import Final

from msgspec import Struct
from sqlalchemy import Row, select, update

from warehouse.clubs import shared_secret
from warehouse.control_tables import shares
from warehouse.database import Database
from warehouse.settings import ClubId

_TOKEN: Final = re.compile(r"([0-9a-f]{12})\.([A-Za-z0-9_-]{22})")
_SIGNED: Final = 16  # bytes of the signature that a token has


class Share(Struct, frozen=True, kw_only=True):
    """A hand of a club that is shown to whoever has the link; ``masked`` hides who played it."""

    id: str
    club: ClubId
    hand_id: str
    masked: bool
    created_at: dt.datetime
    created_by: str
    expires_at: dt.datetime | None
    revoked_at: dt.datetime | None

    def is_open(self, now: dt.datetime) -> bool:
        """Tell whether the link still leads to the hand."""
        expired = self.expires_at is not None and self.expires_at <= now
        return self.revoked_at is None and not expired


class Shares:
    """The shares that the installation's records know."""

    def __init__(self, control: Database) -> None:
        self._control = control

    def make(
        self,
        club: ClubId,
        hand_id: str,
        by: str,
        now: dt.datetime,
        *,
        masked: bool,
        expires_at: dt.datetime | None,
    ) -> Share:
        """Share a hand of a club that exists."""
        row = {
            "id": secrets.token_hex(6),
            "club": club,
            "hand_id": hand_id,
            "masked": masked,
            "created_at": now,
            "created_by": by,
            "expires_at": expires_at,
        }
        with self._control.write() as connection:
            connection.execute(shares.insert().values(row))
            made = connection.execute(select(shares).where(shares.c.id == row["id"])).one()
        return _share(made)

    def token(self, share: Share) -> str:
        """Return the part of a link that leads to a share."""
        return f"{share.id}.{self._signature(share.id)}"

    def find(self, token: str, now: dt.datetime) -> Share | None:
        """Return the share that a token leads to; None where it leads nowhere, or no more."""
        parts = _TOKEN.fullmatch(token)
        if parts is None:
            return None
        name, signature = parts.groups()
        if not hmac.compare_digest(signature, self._signature(name)):
            return None
        with self._control.read() as connection:
            row = connection.execute(select(shares).where(shares.c.id == name)).first()
        found = None if row is None else _share(row)
        return found if found is not None and found.is_open(now) else None

    def of_hand(self, club: ClubId, hand_id: str, now: dt.datetime) -> list[Share]:
        """Return the open shares of a club's hand, the newest first."""
        query = select(shares).where(shares.c.club == club, shares.c.hand_id == hand_id)
        query = query.order_by(shares.c.created_at.desc(), shares.c.id)
        with self._control.read() as connection:
            found = [_share(row) for row in connection.execute(query)]
        return [share for share in found if share.is_open(now)]

    def revoke(self, club: ClubId, hand_id: str, name: str, now: dt.datetime) -> bool:
        """End a share of a club's hand at once; tell whether there was one that was not ended."""
        ending = update(shares).where(
            shares.c.id == name,
            shares.c.club == club,
            shares.c.hand_id == hand_id,
            shares.c.revoked_at.is_(None),
        )
        with self._control.write() as connection:
            return connection.execute(ending.values(revoked_at=now)).rowcount > 0

    @functools.cached_property
    def _secret(self) -> bytes:
        return shared_secret(self._control, "shares")

    def _signature(self, name: str) -> str:
        digest = hmac.new(self._secret, name.encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest[:_SIGNED]).rstrip(b"=").decode()


def _share(row: Row[tuple[object, ...]]) -> Share:
    return Share(**{name: getattr(row, name) for name in Share.__struct_fields__})
