"""Webhooks and their deliveries: who is to be told, and how far the telling is.

A webhook is worked on by one worker at a time, its deliveries in the order in which they are due. A
worker that dies holds it no longer than its lease. A receiver that fails is left in peace for a
while, and a delivery that fails comes again later and later until it is dead.
"""

import base64
import datetime as dt
import random
import secrets
from typing import Any, Final, Literal

from msgspec import Struct
from sqlalchemy import Connection, Row, Update, delete, exists, func, or_, select, tuple_, update

from warehouse.database import Database
from warehouse.events import PING, Event, write_delivery
from warehouse.tables import deliveries, webhooks

MOST: Final = 20
"""So many webhooks a house may have: each of them may keep a worker waiting for its receiver."""

MAX_ATTEMPTS: Final = 8
"""A delivery that fails this often is dead."""

LEASE: Final = dt.timedelta(seconds=60)
"""How long a worker may take over one attempt before others think it dead."""

OVERLAP: Final = dt.timedelta(hours=24)
"""How long an old secret signs beside the new one."""

KEPT: Final = dt.timedelta(days=30)
"""How long a delivery that has come to its end is remembered."""

_FIRST_PAUSE: Final = 5.0  # seconds before the second attempt; five times as long before each next
_PAUSE_FACTOR: Final = 5
_JITTER: Final = 0.25  # of a pause may be added, so that deliveries come apart
_FIRST_REST: Final = 5.0  # seconds that a failing receiver is left in peace; doubled each time
_LONGEST_REST: Final = 300.0
_WAKING: Final = dt.timedelta(seconds=20)  # how long a wake-up is given to reach a worker
_SECRET_BYTES: Final = 32

State = Literal["pending", "delivered", "dead"]


class Webhook(Struct, frozen=True, kw_only=True):
    """An address that is told of events. ``failures`` are those since the last success.

    ``last_at``, ``last_status`` and ``last_error`` tell of the last attempt to reach it.
    """

    id: str
    url: str
    events: tuple[Event, ...]
    active: bool
    created_at: dt.datetime
    old_secret_until: dt.datetime | None
    failures: int
    last_at: dt.datetime | None
    last_status: int | None
    last_error: str | None


class Delivery(Struct, frozen=True, kw_only=True):
    """A message to a webhook. ``status`` and ``error`` are those of its last attempt.

    ``next_at`` is when it is due again; None once it is delivered or dead.
    """

    id: str
    webhook: str
    event: str
    state: State
    attempts: int
    created_at: dt.datetime
    next_at: dt.datetime | None
    finished_at: dt.datetime | None
    status: int | None
    error: str | None
    payload: str


class Attempt(Struct, frozen=True):
    """A delivery in a worker's hands: where it goes and by which secrets it is signed."""

    delivery: Delivery
    url: str
    secrets: tuple[str, ...]
    request_id: str | None


class Outcome(Struct, frozen=True):
    """What came of an attempt. ``error`` is None when the receiver took it.

    ``final`` is set where trying again is of no use.
    """

    status: int | None
    error: str | None
    final: bool = False


_WEBHOOK: Final = [webhooks.c[field] for field in Webhook.__struct_fields__]
_DELIVERY: Final = [deliveries.c[field] for field in Delivery.__struct_fields__]


class Webhooks:
    """The webhooks of one house."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, url: str, events: tuple[Event, ...], now: dt.datetime) -> tuple[Webhook, str]:
        """Add a webhook; return it and its secret, which is not shown again."""
        name, secret = f"whk_{secrets.token_hex(8)}", _new_secret()
        row = {"url": url, "events": ",".join(events), "secret": secret, "active": True}
        with self._database.write() as connection:
            connection.execute(webhooks.insert().values(id=name, created_at=now, **row))
            return _one(connection, name), secret

    def all(self) -> list[Webhook]:
        """Return every webhook, the newest first."""
        query = select(*_WEBHOOK).order_by(webhooks.c.created_at.desc(), webhooks.c.id)
        with self._database.read() as connection:
            return [_webhook(row) for row in connection.execute(query)]

    def full(self) -> bool:
        """Tell whether there are as many webhooks as there may be."""
        with self._database.read() as connection:
            return (
                connection.execute(select(func.count()).select_from(webhooks)).scalar_one() >= MOST
            )

    def find(self, webhook: str) -> Webhook | None:
        """Return a webhook, or None where there is none of this id."""
        with self._database.read() as connection:
            row = connection.execute(select(*_WEBHOOK).where(webhooks.c.id == webhook)).first()
        return None if row is None else _webhook(row)

    def change(self, webhook: str, **values: Any) -> Webhook | None:  # noqa: ANN401 - of any column
        """Give a webhook another ``url``, other ``events``, or make it ``active`` or not.

        Whatever is changed, what is due is tried at once.
        """
        if "events" in values:
            values["events"] = ",".join(values["events"])
        with self._database.write() as connection:
            changed = connection.execute(_to(webhook).values(resume_at=None, failures=0, **values))
            return _one(connection, webhook) if changed.rowcount else None

    def renew_secret(self, webhook: str, now: dt.datetime) -> tuple[Webhook, str] | None:
        """Give a webhook another secret, beside which the old one signs for the overlap."""
        secret = _new_secret()
        kept = {"old_secret": webhooks.c.secret, "old_secret_until": now + OVERLAP}
        with self._database.write() as connection:
            changed = connection.execute(_to(webhook).values(secret=secret, **kept))
            return (_one(connection, webhook), secret) if changed.rowcount else None

    def remove(self, webhook: str) -> bool:
        """Remove a webhook and all of its deliveries; False where there is none of this id."""
        with self._database.write() as connection:
            connection.execute(delete(deliveries).where(deliveries.c.webhook == webhook))
            gone = connection.execute(delete(webhooks).where(webhooks.c.id == webhook))
            return bool(gone.rowcount)

    def ping(self, webhook: str, now: dt.datetime) -> Delivery:
        """Write down that an existing webhook is to be sent a ping."""
        with self._database.write() as connection:
            written = write_delivery(connection, webhook, PING, {"webhook": webhook}, now)
            return _delivery(connection, written)

    def deliveries(
        self, webhook: str, limit: int, before: Delivery | None = None
    ) -> list[Delivery]:
        """Return at most `limit` deliveries to a webhook, the newest first, older than `before`."""
        place = (deliveries.c.created_at, deliveries.c.id)
        query = select(*_DELIVERY).where(deliveries.c.webhook == webhook)
        if before is not None:
            query = query.where(tuple_(*place) < tuple_(before.created_at, before.id))
        order = [column.desc() for column in place]
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(*order).limit(limit)).mappings()
            return [Delivery(**row) for row in rows]

    def delivery(self, webhook: str, delivery: str) -> Delivery | None:
        """Return a delivery to a webhook, or None where there is none of this id."""
        query = select(*_DELIVERY).where(
            deliveries.c.id == delivery, deliveries.c.webhook == webhook
        )
        with self._database.read() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else Delivery(**row)

    def redeliver(self, webhook: str, delivery: str, now: dt.datetime) -> Delivery | None:
        """Have a delivery made anew, as if it had not been tried yet, and at once."""
        anew = {"state": "pending", "attempts": 0, "next_at": now, "finished_at": None}
        which = (deliveries.c.id == delivery, deliveries.c.webhook == webhook)
        with self._database.write() as connection:
            changed = connection.execute(update(deliveries).where(*which).values(**anew))
            if not changed.rowcount:
                return None
            connection.execute(_to(webhook).values(resume_at=None))
            return _delivery(connection, delivery)

    def waiting(self, now: dt.datetime) -> list[str]:
        """Return the webhooks for which something is due and nobody was woken up lately."""
        query = (
            select(webhooks.c.id)
            .where(
                webhooks.c.active,
                or_(webhooks.c.resume_at.is_(None), webhooks.c.resume_at <= now),
                or_(webhooks.c.woken_at.is_(None), webhooks.c.woken_at <= now - _WAKING),
                exists().where(
                    deliveries.c.webhook == webhooks.c.id,
                    deliveries.c.state == "pending",
                    deliveries.c.next_at <= now,
                ),
            )
            .order_by(webhooks.c.id)
        )
        with self._database.read() as connection:
            return list(connection.scalars(query))

    def mark_woken(self, webhook: str, now: dt.datetime) -> None:
        """Note that a wake-up for the webhook was given to the broker."""
        with self._database.write() as connection:
            connection.execute(_to(webhook).values(woken_at=now))

    def take(self, webhook: str, now: dt.datetime) -> Attempt | None:
        """Take what is due first to a webhook in hand, for one more attempt.

        Returns:
            None where nothing is due, the webhook rests, or somebody else has it in hand.
        """
        with self._database.write() as connection:
            query = select(webhooks).where(webhooks.c.id == webhook).with_for_update()
            hook = connection.execute(query).first()
            if hook is None or not hook.active:
                return None
            connection.execute(_to(webhook).values(woken_at=None))
            if hook.resume_at is not None and hook.resume_at > now:
                return None
            _bury_lost(connection, webhook, now)
            due = _first_due(connection, webhook, now)
            if due is None:
                return None
            taken = update(deliveries).where(deliveries.c.id == due.id)
            connection.execute(taken.values(attempts=due.attempts + 1, next_at=now + LEASE))
            connection.execute(_to(webhook).values(resume_at=now + LEASE))
            attempted = _delivery(connection, due.id)
            return Attempt(attempted, hook.url, _signing(hook, now), due.request_id)

    def settle(self, attempt: Attempt, outcome: Outcome, now: dt.datetime) -> Delivery | None:
        """Write down what came of an attempt.

        Returns:
            The delivery as it stands; None where the attempt took so long that it counts as lost,
            or the webhook is gone.
        """
        before = attempt.delivery
        held = (
            deliveries.c.id == before.id,
            deliveries.c.attempts == before.attempts,
            deliveries.c.state == "pending",
        )
        said = {"status": outcome.status, "error": outcome.error}
        becomes = _becomes(before, outcome, now)
        last = {"last_at": now, "last_status": outcome.status, "last_error": outcome.error}
        with self._database.write() as connection:
            settling = update(deliveries).where(*held)
            if not connection.execute(settling.values(**becomes, **said)).rowcount:
                return None
            failures = 0
            if outcome.error is not None:
                failures = (
                    1
                    + connection.execute(
                        select(webhooks.c.failures).where(webhooks.c.id == before.webhook)
                    ).scalar_one()
                )
            resume_at = None if failures == 0 else now + _rest(failures)
            connection.execute(
                _to(before.webhook).values(failures=failures, resume_at=resume_at, **last)
            )
            return _delivery(connection, before.id)

    def forget(self, webhook: str, before: dt.datetime) -> None:
        """Forget a webhook's deliveries that came to their end before then."""
        old = (deliveries.c.webhook == webhook, deliveries.c.finished_at < before)
        with self._database.write() as connection:
            connection.execute(delete(deliveries).where(*old))


def _new_secret() -> str:
    return f"whsec_{base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()}"


def _to(webhook: str) -> Update:
    """A change of one webhook, its values to be given."""
    return update(webhooks).where(webhooks.c.id == webhook)


def _one(connection: Connection, webhook: str) -> Webhook:
    return _webhook(connection.execute(select(*_WEBHOOK).where(webhooks.c.id == webhook)).one())


def _webhook(row: Row[Any]) -> Webhook:
    values = dict(row._mapping)  # noqa: SLF001 - SQLAlchemy's public name for a row as a mapping
    values["events"] = tuple(filter(None, values["events"].split(",")))
    return Webhook(**values)


def _delivery(connection: Connection, delivery: str) -> Delivery:
    query = select(*_DELIVERY).where(deliveries.c.id == delivery)
    return Delivery(**connection.execute(query).mappings().one())


def _signing(hook: Row[Any], now: dt.datetime) -> tuple[str, ...]:
    """The secrets that sign now, the newest first."""
    if hook.old_secret_until is None or hook.old_secret_until <= now:
        return (hook.secret,)
    return (hook.secret, hook.old_secret)


def _bury_lost(connection: Connection, webhook: str, now: dt.datetime) -> None:
    """Give up deliveries each of whose attempts, the last one too, took its worker with it."""
    lost = (
        deliveries.c.webhook == webhook,
        deliveries.c.state == "pending",
        deliveries.c.next_at <= now,
        deliveries.c.attempts >= MAX_ATTEMPTS,
    )
    dead = {"state": "dead", "next_at": None, "finished_at": now, "error": "worker-lost"}
    connection.execute(update(deliveries).where(*lost).values(**dead))


def _first_due(connection: Connection, webhook: str, now: dt.datetime) -> Row[Any, Any, Any] | None:
    query = (
        select(deliveries.c.id, deliveries.c.attempts, deliveries.c.request_id)
        .where(
            deliveries.c.webhook == webhook,
            deliveries.c.state == "pending",
            deliveries.c.next_at <= now,
        )
        .order_by(deliveries.c.created_at, deliveries.c.id)
        .limit(1)
    )
    return connection.execute(query).first()


def _becomes(before: Delivery, outcome: Outcome, now: dt.datetime) -> dict[str, Any]:
    """What an attempt makes of its delivery."""
    if outcome.error is None:
        return {"state": "delivered", "next_at": None, "finished_at": now}
    if outcome.final or before.attempts >= MAX_ATTEMPTS:
        return {"state": "dead", "next_at": None, "finished_at": now}
    return {"next_at": now + _pause(before.attempts)}


def _pause(attempts: int) -> dt.timedelta:
    """How long a delivery waits after so many failed attempts."""
    spread = 1 + random.uniform(0, _JITTER)  # noqa: S311 - it spreads load and guards nothing
    return dt.timedelta(seconds=_FIRST_PAUSE * _PAUSE_FACTOR ** (attempts - 1) * spread)


def _rest(failures: int) -> dt.timedelta:
    """How long a receiver is left in peace after so many failures in a row."""
    return dt.timedelta(seconds=min(_FIRST_REST * 2 ** min(failures - 1, 16), _LONGEST_REST))
