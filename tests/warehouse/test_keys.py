import datetime as dt
from pathlib import Path

import pytest

from warehouse.clubs import Clubs, shared_secret
from warehouse.database import Database, open_control
from warehouse.keys import Key, Keys
from warehouse.settings import Settings

NOON = dt.datetime(2026, 3, 14, 12, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)


@pytest.fixture
def control(tmp_path: Path) -> Database:
    return open_control(Settings(data=tmp_path))


@pytest.fixture
def keys(control: Database) -> Keys:
    Clubs(control).add("paris", "Cercle de Paris", NOON)
    return Keys(control)


def test_a_key_opens_its_club_by_its_text_alone(keys: Keys) -> None:
    made, text = keys.make("paris", "phone", ("upload", "read"), NOON)
    found = keys.check(text, NOON)
    assert isinstance(found, Key)
    assert (found.id, found.club, found.scopes) == (made.id, "paris", ("upload", "read"))
    assert keys.check(text[:-1] + ("A" if text[-1] != "A" else "B"), NOON) == "unknown"
    assert keys.check(f"rtn_{made.id}", NOON) == "unknown"
    assert keys.check("", NOON) == "unknown"


def test_the_records_do_not_hold_the_text(keys: Keys, tmp_path: Path) -> None:
    _, text = keys.make("paris", "phone", ("read",), NOON)
    secret = text.rpartition("_")[2].encode()
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert kept
    assert not any(secret in path.read_bytes() for path in kept)


def test_a_scope_is_needed_and_admin_has_all(keys: Keys) -> None:
    reader, _ = keys.make("paris", "reader", ("read",), NOON)
    admin, _ = keys.make("paris", "admin", ("admin",), NOON)
    assert [reader.may(scope) for scope in ("read", "upload", "audit", "admin")] == [
        *(True, False),
        *(False, False),
    ]
    assert all(admin.may(scope) for scope in ("read", "upload", "audit", "admin"))


def test_an_expired_key_opens_nothing(keys: Keys) -> None:
    _, text = keys.make("paris", "guest", ("read",), NOON, NOON + DAY)
    assert isinstance(keys.check(text, NOON + DAY - dt.timedelta(seconds=1)), Key)
    assert keys.check(text, NOON + DAY) == "expired"


def test_a_revoked_key_opens_nothing_and_stays_revoked_since_then(keys: Keys) -> None:
    made, text = keys.make("paris", "phone", ("read",), NOON)
    keys.revoke(made.id, NOON + DAY)
    keys.revoke(made.id, NOON + 2 * DAY)
    assert keys.check(text, NOON + DAY) == "revoked"
    found = keys.find(made.id)
    assert found is not None
    assert found.revoked_at == NOON + DAY


def test_a_rotated_key_opens_for_the_overlap_and_its_successor_as_long_as_it_did(
    keys: Keys,
) -> None:
    old, text = keys.make("paris", "phone", ("read",), NOON, NOON + 30 * DAY)
    rotated = NOON + 10 * DAY
    made, successor = keys.rotate(old, DAY, rotated)
    assert (made.label, made.scopes, made.expires_at) == ("phone", ("read",), rotated + 30 * DAY)
    assert isinstance(keys.check(text, rotated + DAY - dt.timedelta(seconds=1)), Key)
    assert keys.check(text, rotated + DAY) == "expired"
    assert isinstance(keys.check(successor, rotated + DAY), Key)


def test_rotation_never_makes_a_key_open_longer(keys: Keys) -> None:
    old, text = keys.make("paris", "phone", ("read",), NOON, NOON + DAY)
    keys.rotate(old, 5 * DAY, NOON)
    assert keys.check(text, NOON + DAY) == "expired"


def test_the_last_use_is_known_to_the_minute(keys: Keys) -> None:
    made, text = keys.make("paris", "phone", ("read",), NOON)
    for seconds, noted in ((0, 0), (59, 0), (60, 60)):
        keys.check(text, NOON + dt.timedelta(seconds=seconds))
        found = keys.find(made.id)
        assert found is not None
        assert found.used_at == NOON + dt.timedelta(seconds=noted)


def test_a_club_is_added_once_and_lists_its_own_keys(control: Database, keys: Keys) -> None:
    assert Clubs(control).add("paris", "Another", NOON) is None
    assert Clubs(control).add("lyon", "Lyon", NOON) is not None
    made, _ = keys.make("lyon", "x", ("read",), NOON)
    assert [key.id for key in keys.of_club("lyon")] == [made.id]
    assert keys.of_club("paris") == []


def test_a_shared_secret_is_made_up_once(control: Database, tmp_path: Path) -> None:
    made = shared_secret(control, "cookies")
    assert len(made) == 32
    assert shared_secret(open_control(Settings(data=tmp_path)), "cookies") == made
    assert shared_secret(control, "other") != made
