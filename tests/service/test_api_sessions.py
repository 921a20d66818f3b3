"""Sessions over the API: declared, their hands attached, audited, reported and verified."""

import copy
import datetime as dt
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from service.cli import main
from tests.conftest import ServedTree, Until
from tests.service.client import ask, keyed_app
from tests.warehouse.sessions.material import (
    COUPE,
    Document,
    encoded,
    lines,
    nameless,
    tournament,
    with_hand_ids,
)
from tests.warehouse.uploads import processed
from warehouse.queries import Warehouse
from warehouse.sessions.auditing import process_session
from warehouse.sessions.declarations import session_key
from warehouse.settings import Settings
from warehouse.store import Store
from workers.app import app as celery

KEY = session_key(COUPE)
HERE = f"/api/v1/sessions/{KEY}"
ODD = "club-42//../2026-03-14 ?#é"


class Club:
    """A club's house, its API, and its worker's work done by hand."""

    def __init__(self, settings: Settings, store: Store, client: FlaskClient) -> None:
        self.store = store
        self.warehouse = Warehouse(settings)
        self._client = client

    def ask(self, method: str, path: str, body: object = None, status: int = HTTPStatus.OK) -> Any:  # noqa: ANN401 - JSON
        raw = body if isinstance(body, bytes) else None if body is None else encoded(body)  # type: ignore[arg-type]
        answer = self._client.open(path, method=method, data=raw)
        assert answer.status_code == status, answer.text
        self.headers = answer.headers
        return answer.json if answer.is_json else answer.data

    def raw(self, path: str) -> bytes:
        answer = self._client.get(path)
        assert answer.status_code == HTTPStatus.OK
        assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
        return bytes(answer.data)

    def audit(self, name: str = COUPE) -> None:
        assert process_session(self.warehouse, session_key(name)) == "settled"


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    monkeypatch.setattr(celery.conf, "broker_url", "memory://")  # the tests are the worker
    settings = Settings(data=tmp_path / "data")
    with Store(settings) as store:
        yield Club(settings, store, keyed_app(settings).test_client())


def without_hands(document: Document) -> Document:
    return {name: part for name, part in document.items() if name != "hands"}


def test_a_declared_tournament_is_audited_and_its_report_verified(
    club: Club, tmp_path: Path
) -> None:
    made = club.ask("POST", "/api/v1/sessions", without_hands(tournament()), HTTPStatus.CREATED)
    assert club.headers["Location"] == HERE
    assert (made["id"], made["kind"], made["state"]) == (COUPE, "tournament", "stale")
    assert club.ask("POST", "/api/v1/sessions", without_hands(tournament()))["key"] == KEY
    waiting = club.ask("GET", f"{HERE}/audit", status=HTTPStatus.ACCEPTED)
    assert (waiting["audit"], club.headers["Retry-After"]) == (None, "2")
    refused = club.ask("GET", f"{HERE}/report", status=HTTPStatus.CONFLICT)
    assert refused["type"].endswith("#not-audited")

    processed(club.store, lines(tournament()["hands"]))
    club.audit()

    said = club.ask("GET", f"{HERE}/audit")
    audit = said["audit"]
    assert (said["verdict"], said["state"], said["hands"]) == ("illegal", "done", 3)
    assert audit["hands"] == {"legal": 3, "illegal": 0, "unverifiable": 0}
    standings = {
        one["player"]: (one["ours"]["result"]["exact"], one["declared"]["result"], one["agrees"])
        for one in audit["standings"]
    }
    assert standings == {
        "Carla": ("3/4", "1", False),
        "Anna": ("-1/4", "-1/4", True),
        "Ben": ("-1/4", "-1/4", False),
        "Dan": ("-1/4", "-1/4", False),
    }
    found = {(one["code"], one["pointer"]) for one in audit["findings"]}
    assert ("declared-result", "/standings/0/result") in found

    document = tmp_path / "session.json"
    document.write_bytes(club.raw(f"{HERE}/document"))
    for form in ("html", "json"):
        report = tmp_path / f"report.{form}"
        report.write_bytes(club.raw(f"{HERE}/report?format={form}"))
        verified = CliRunner().invoke(main, ["verify", str(report), str(document)])
        assert (verified.exit_code, verified.output[:10]) == (0, "Same bytes")


def test_the_sessions_of_an_upload_are_those_it_declared_named_or_holds_hands_of(
    club: Club,
) -> None:
    declaring = processed(club.store, encoded(with_hand_ids(tournament())))
    holding = processed(club.store, lines(nameless(tournament()["hands"])))
    naming = processed(club.store, lines(renamed(tournament()["hands"])[:1]))
    alone = processed(club.store, lines(nameless(renamed(tournament()["hands"]))[1:2]))

    def ids(upload: str) -> list[str]:
        shown = club.ask("GET", f"/api/v1/uploads/{upload}")
        assert shown["links"]["sessions"] == f"/api/v1/sessions?upload={upload}"
        return [one["id"] for one in club.ask("GET", shown["links"]["sessions"])["sessions"]]

    assert [ids(one) for one in (declaring, holding, naming, alone)] == [[COUPE]] * 3 + [[]]
    assert f"/sessions/{KEY}" in str(club.ask("GET", f"/uploads/{holding}"))
    assert COUPE in str(club.ask("GET", f"/sessions?upload={holding}"))
    assert COUPE not in str(club.ask("GET", f"/sessions?upload={alone}"))


def test_sessions_are_listed_by_conditions_and_in_orders(club: Club) -> None:
    processed(club.store, lines(tournament()["hands"]))
    moved = [
        hand
        | {"session": {"id": ODD, "hand_no": number}, "played_at": f"2026-03-14T20:0{number}:00Z"}
        for number, hand in enumerate(nameless(renamed(tournament()["hands"])), 1)
    ]
    moved[2]["seats"][0]["stack"] += 7
    processed(club.store, lines(moved))
    for name in (COUPE, ODD):
        club.audit(name)

    def ids(query: str) -> list[str]:
        return [one["id"] for one in club.ask("GET", f"/api/v1/sessions?{query}")["sessions"]]

    assert ids("") == [ODD, COUPE]  # that one has no time of play, and so is the earliest
    assert ids("sort=id") == [ODD, COUPE]
    assert ids("sort=-id") == [COUPE, ODD]
    assert ids("kind=tournament") == [COUPE]
    assert ids("verdict=illegal") == [ODD]
    assert ids("verdict=legal") == [COUPE]
    assert ids("state=stale") == []
    assert ids("from=2026-03-14&until=2026-03-15") == [ODD]
    assert ids("from=2026-03-15") == []
    assert ids("id=club-42%2F%2F..%2F2026-03-14%20%3F%23%C3%A9") == [ODD]
    first = club.ask("GET", "/api/v1/sessions?limit=1&verdict=legal&verdict=legal", status=400)
    assert first["parameter"] == "verdict"
    page = club.ask("GET", "/api/v1/sessions?limit=1&sort=changed_at")
    assert [one["id"] for one in page["sessions"]] == [COUPE]
    assert [one["id"] for one in club.ask("GET", page["next"])["sessions"]] == [ODD]
    (odd,) = club.ask("GET", "/api/v1/sessions?verdict=illegal")["sessions"]
    said = club.ask("GET", odd["links"]["audit"])["audit"]
    (found,) = said["findings"]
    # 99 were left to Anna by the second hand, whose dealer she was.
    assert (found["code"], found["hand"], found["expected"], found["seen"]) == (
        "stack-break",
        3,
        99,
        106,
    )
    hand = club.ask("GET", f"/api/v1/hands/{said['hand_ids']['3']}")
    assert (hand["id"]["table"], hand["id"]["hand"]) == ("elsewhere", "03")


def renamed(hands: list[Document]) -> list[Document]:
    changed = copy.deepcopy(hands)
    for hand in changed:
        hand["id"]["table"] = "elsewhere"
    return changed


def test_standings_are_declared_anew(club: Club) -> None:
    processed(club.store, encoded(tournament()))
    club.audit()
    right = [{"player": "Carla", "result": "3/4", "position": 1}]
    right += [{"player": one, "result": "-1/4", "position": 2} for one in ("Anna", "Ben", "Dan")]

    made = club.ask("PUT", f"{HERE}/declared", {"standings": right})

    assert [one["counts"] for one in made["versions"]] == [True, False]
    assert club.ask("GET", f"{HERE}/declared")["standings"] == right
    earlier = made["versions"][1]["version"]
    assert club.ask("GET", f"{HERE}/declared?version={earlier}")["standings"][0]["result"] == "1"
    club.audit()
    assert club.ask("GET", f"{HERE}/audit")["verdict"] == "legal"
    club.ask("PUT", f"{HERE}/declared", {})
    assert "standings" not in club.ask("GET", f"{HERE}/declared")
    again = club.ask("PUT", f"{HERE}/declared", {"standings": right})
    assert [one["counts"] for one in again["versions"]] == [False, True, False]
    twice = {"standings": [{"player": "Anna"}, {"player": "Anna"}]}
    refused = club.ask("PUT", f"{HERE}/declared", twice, 422)
    assert refused["error"]["pointer"] == "/standings/1"
    refused = club.ask("PUT", f"{HERE}/declared", {"standing": []}, 422)
    assert refused["error"]["code"] == "unknown-key"


def test_hands_are_attached_by_either_name_and_those_unknown_are_named(club: Club) -> None:
    document = without_hands(tournament())
    club.ask("POST", "/api/v1/sessions", document, HTTPStatus.CREATED)
    hands = nameless(tournament()["hands"])
    processed(club.store, lines(hands))
    found = club.ask("GET", "/api/v1/hands?sort=hand_no")["hands"]
    first = next(one["hand_id"] for one in found if one["hand"] == "01")
    lost = {"source": "club", "table": COUPE, "hand": "99"}

    wanted = {"hands": [first, "0" * 24], "hand_ids": [lost]}
    refused = club.ask("POST", f"{HERE}/hands", wanted, 422)
    assert (refused["hands"], refused["hand_ids"]) == (["0" * 24], [lost])
    wanted = {"hands": [first], "hand_ids": [hand["id"] for hand in hands[1:]]}
    attached = club.ask("POST", f"{HERE}/hands", wanted)
    assert [one["hand"] for one in attached["attached"]] == ["01", "02", "03"]
    club.audit()
    page = club.ask("GET", f"{HERE}/hands?limit=2")
    assert [one["hand_no"] for one in page["hands"]] == [1, 2]
    assert page["hands"][1]["stacks"] == {"Anna": 99, "Ben": 100, "Carla": 100, "Dan": 99}
    (last,) = club.ask("GET", page["next"])["hands"]
    assert (last["carried"], last["hand_no"]) == (3, 3)
    assert club.ask("GET", f"{HERE}/audit")["verdict"] == "illegal"

    left = club.ask("DELETE", f"{HERE}/hands/{last['hand_id']}")
    assert len(left["attached"]) == 2
    club.ask("DELETE", f"{HERE}/hands/{last['hand_id']}", status=422)
    assert club.ask("DELETE", f"{HERE}/hands")["attached"] == []
    club.audit()
    assert club.ask("GET", HERE)["state"] == "none"


def test_what_is_no_declaration_is_refused_with_its_place(club: Club) -> None:
    refused = club.ask("POST", "/api/v1/sessions", tournament(), 422)
    assert refused["error"]["pointer"] == "/hands"
    bad = copy.deepcopy(without_hands(tournament()))
    bad["standings"][1]["share"] = "1/0"
    refused = club.ask("POST", "/api/v1/sessions", bad, 422)
    assert (refused["error"]["code"], refused["error"]["pointer"]) == (
        "wrong-type",
        "/standings/1/share",
    )
    assert club.ask("POST", "/api/v1/sessions", b"{", 422)["error"]["code"] == "not-json"
    club.ask("GET", HERE, status=HTTPStatus.NOT_FOUND)
    club.ask("POST", "/api/v1/sessions", with_hand_ids(tournament()), HTTPStatus.CREATED)
    assert club.ask("GET", HERE)["listed"] == 3


def test_an_audit_that_failed_is_asked_for_again(club: Club) -> None:
    processed(club.store, lines(tournament()["hands"]))
    for _ in range(5):
        club.store.session_runs.begin(KEY, dt.datetime.now(dt.UTC))
        club.store.session_runs.fail_attempt(KEY, "too-slow", "…", dt.datetime.now(dt.UTC))
    failed = club.ask("GET", f"{HERE}/audit")
    assert (failed["state"], failed["failure"]["code"]) == ("failed", "too-slow")
    assert club.ask("POST", f"{HERE}/audit", status=HTTPStatus.ACCEPTED)["state"] == "stale"
    club.audit()
    settled = club.ask("GET", f"{HERE}/audit")
    assert (settled["state"], settled["failure"], settled["verdict"]) == ("done", None, "legal")


def test_the_service_audits_what_comes_in_by_itself(process_tree: ServedTree, until: Until) -> None:
    base = process_tree.base_url
    name = "sent to the service"
    document = tournament() | {"session": {"id": name, "kind": "tournament"}}
    hands = [
        hand | {"id": {**hand["id"], "table": name}} for hand in nameless(document.pop("hands"))
    ]
    made = ask(base, "POST", "/api/v1/sessions", encoded(document))
    assert made.status == HTTPStatus.CREATED
    links = made.json["links"]
    whole = encoded({"session": document["session"], "hands": hands})
    assert ask(base, "POST", "/api/v1/uploads", whole).status == HTTPStatus.ACCEPTED
    until(lambda: ask(base, "GET", links["self"]).json["verdict"])
    until(lambda: ask(base, "GET", links["audit"]).status == HTTPStatus.OK)
    assert ask(base, "GET", links["audit"]).json["verdict"] == "illegal"
    wrong = ask(base, "PUT", links["declared"], encoded({"standings": []}))
    assert wrong.status == HTTPStatus.OK
    until(lambda: len(ask(base, "GET", links["audit"]).json["audit"]["findings"]) == 4)
    assert ask(base, "GET", links["page"], headers={"Accept": "text/html"}).status == HTTPStatus.OK
