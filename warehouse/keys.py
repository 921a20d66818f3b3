"""The keys by which clients and people come in: made, found, rotated and revoked.

A key's text is shown once, when it is made. It carries 256 random bits, so the records keep its
SHA-256 and nothing slower is needed.
"""

import datetime as dt
import hashlib
import hmac
import re
import secrets
from typing import Final, Literal, get_args

from msgspec import Struct
from sqlalchemy import Row, or_, select, update

from warehouse.control_tables import keys
from warehouse.database import Database
from warehouse.settings import ClubId

Scope = Literal["upload", "read", "audit", "admin"]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
Refusal = Literal["unknown", "expired", "revoked"]

_TEXT: Final = re.compile(r"rtn_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")
_USE_NOTED: Final = dt.timedelta(minutes=1)
"""How exactly the last use of a key is known."""


class Key(Struct, frozen=True, kw_only=True):
    """A key as the records know it: whose it is, what it may do, until when.

    Whoever may ``admin`` may do everything.
    """

    id: str
    club: ClubId
    label: str
    scopes: tuple[Scope, ...]
    created_at: dt.datetime
    expires_at: dt.datetime | None
    revoked_at: dt.datetime | None
    used_at: dt.datetime | None

    def may(self, scope: Scope) -> bool:
        """Tell whether the key may do what takes this scope."""
        return scope in self.scopes or "admin" in self.scopes

    def refusal(self, now: dt.datetime) -> Refusal | None:
        """Tell why the key opens nothing any more; None while it does."""
        if self.revoked_at is not None and self.revoked_at <= now:
            return "revoked"
        if self.expires_at is not None and self.expires_at <= now:
            return "expired"
        return None


class Keys:
    """The keys that the installation's records know."""

    def __init__(self, control: Database) -> None:
        self._control = control

    def make(
        self,
        club: ClubId,
        label: str,
        scopes: tuple[Scope, ...],
        now: dt.datetime,
        expires_at: dt.datetime | None = None,
    ) -> tuple[Key, str]:
        """Make a key of a club that exists; return it and its text, which nothing else holds."""
        name, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
        row = {
            "id": name,
            "club": club,
            "label": label,
            "digest": _digest(secret),
            "scopes": ",".join(scopes),
            "created_at": now,
            "expires_at": expires_at,
        }
        with self._control.write() as connection:
            connection.execute(keys.insert().values(row))
            made = connection.execute(select(keys).where(keys.c.id == name)).one()
        return _key(made), f"rtn_{name}_{secret}"

    def check(self, text: str, now: dt.datetime) -> Key | Refusal:
        """Return the key of this text, or why there is none that opens anything."""
        parts = _TEXT.fullmatch(text)
        if parts is None:
            return "unknown"
        name, secret = parts.groups()
        with self._control.read() as connection:
            row = connection.execute(select(keys).where(keys.c.id == name)).first()
        if row is None or not hmac.compare_digest(row.digest, _digest(secret)):
            return "unknown"
        return self._used(_key(row), now)

    def check_id(self, name: str, now: dt.datetime) -> Key | Refusal:
        """Return the key of this id, whose text was checked before, as `check` does."""
        key = self.find(name)
        return "unknown" if key is None else self._used(key, now)

    def find(self, name: str) -> Key | None:
        """Return the key of this id, whether it opens anything or not."""
        with self._control.read() as connection:
            row = connection.execute(select(keys).where(keys.c.id == name)).first()
        return None if row is None else _key(row)

    def of_club(self, club: ClubId) -> list[Key]:
        """Return a club's keys, the newest first, with those that open nothing any more."""
        order = (keys.c.created_at.desc(), keys.c.id)
        with self._control.read() as connection:
            rows = connection.execute(select(keys).where(keys.c.club == club).order_by(*order))
            return [_key(row) for row in rows]

    def revoke(self, name: str, now: dt.datetime) -> None:
        """End a key at once; one that was revoked before stays revoked since then."""
        ending = update(keys).where(keys.c.id == name, keys.c.revoked_at.is_(None))
        with self._control.write() as connection:
            connection.execute(ending.values(revoked_at=now))

    def rotate(self, old: Key, overlap: dt.timedelta, now: dt.datetime) -> tuple[Key, str]:
        """Make a key like another one, which goes on to open for the overlap and then expires."""
        lifetime = None if old.expires_at is None else old.expires_at - old.created_at
        made = self.make(
            old.club, old.label, old.scopes, now, None if lifetime is None else now + lifetime
        )
        last = now + overlap
        sooner = or_(keys.c.expires_at.is_(None), keys.c.expires_at > last)
        with self._control.write() as connection:
            ending = update(keys).where(keys.c.id == old.id, sooner)
            connection.execute(ending.values(expires_at=last))
        return made

    def _used(self, key: Key, now: dt.datetime) -> Key | Refusal:
        refusal = key.refusal(now)
        if refusal is not None:
            return refusal
        if key.used_at is None or now - key.used_at >= _USE_NOTED:
            with self._control.write() as connection:
                connection.execute(update(keys).where(keys.c.id == key.id).values(used_at=now))
        return key


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _key(row: Row[tuple[object, ...]]) -> Key:
    scopes = tuple(scope for scope in SCOPES if scope in row.scopes.split(","))
    return Key(
        id=row.id,
        club=row.club,
        label=row.label,
        scopes=scopes,
        created_at=row.created_at,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        used_at=row.used_at,
    )
