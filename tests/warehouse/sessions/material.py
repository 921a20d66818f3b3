"""Session documents for the tests of the warehouse: the worked ones, and what is sent of them."""

import copy
import datetime as dt
import json
from typing import Any

from tests.schemas.sessions import worked
from tests.warehouse.uploads import NOON
from warehouse.queries import Warehouse
from warehouse.sessions.auditing import process_session
from warehouse.sessions.declarations import session_key
from warehouse.sessions.records import Session
from warehouse.sessions.runs import AuditedSession

Document = dict[str, Any]

HISTORICO = "quinta-42"
COUPE = "coupe-de-mars"


def tournament() -> Document:
    """Three hands, each passed out: 1 in the pot after each, 3 in the end, 3/4 for each player.

    It declares Carla first with a result of 1; all come to 0 but Carla's share.
    """
    return worked("tournament-wrong-standings")


def encoded(document: Document) -> bytes:
    return json.dumps(document).encode()


def lines(hands: list[Document]) -> bytes:
    return b"".join(encoded(hand) + b"\n" for hand in hands)


def nameless(hands: list[Document]) -> list[Document]:
    """The hands without the session that they name."""
    return [{name: part for name, part in hand.items() if name != "session"} for hand in hands]


def with_hand_ids(document: Document) -> Document:
    """The document with the identities of its hands in place of them."""
    changed = copy.deepcopy(document)
    hands = changed.pop("hands")
    return changed | {"hand_ids": [hand["id"] for hand in hands]}


def later(minutes: int) -> dt.datetime:
    return NOON + dt.timedelta(minutes=minutes)


def session(warehouse: Warehouse, name: str) -> Session:
    found = warehouse.sessions.session(session_key(name))
    assert found is not None, f"no session {name}"
    return found


def audited(warehouse: Warehouse, name: str) -> AuditedSession:
    """The audit of a session after one run."""
    assert process_session(warehouse, session_key(name)) == "settled"
    stored = warehouse.session_runs.audit(session_key(name))
    assert stored is not None
    return stored.audited


def codes(made: AuditedSession) -> set[str]:
    return {found.code for found in made.audit.findings}
