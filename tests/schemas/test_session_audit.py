"""Sessions from bytes to their audit: the worked ones, every code, and the forms they come in."""

import gzip
import json
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
import zstandard

from engine.session.codes import SESSION_CODES
from schemas.errors import UnreadableHand
from schemas.inflate import StreamLimits
from schemas.session_audit import audit_upload
from schemas.session_verdict import SessionAudit
from schemas.session_wording import ACCOUNTS, SESSION_TEMPLATES
from schemas.wording import LANGUAGES
from tests.schemas.sessions import (
    SESSIONS,
    VIOLATIONS,
    WORKED,
    audit_bytes,
    audit_of,
    codes,
    generated,
    worked,
)

COMPANIONS = {
    "gap-chips": {"gap-chips", "hand-missing"},
    "hand-unreadable": {"hand-unreadable", "hand-missing"},
}
"""What an example has to have beside its own code."""


def rows() -> dict[str, list[str]]:
    """The table of worked sessions of the examples' page, by file."""
    _, _, below = (SESSIONS.parent / "README.md").read_text().partition("| session |")
    lines = below.partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {Path(row[0].strip("`")).name: row[1:] for row in cells}


# the worked sessions


def test_every_worked_session_is_listed() -> None:
    assert set(rows()) == {path.name for path in WORKED}


@pytest.mark.parametrize("path", WORKED, ids=lambda path: path.stem)
def test_a_worked_session_is_judged_as_its_list_says(path: Path) -> None:
    audit = audit_bytes(path.read_bytes())
    verdict, listed, results = rows()[path.name]
    assert audit.verdict == verdict
    assert {found.code for found in audit.findings} == set(listed.replace("`", "").split(", ")) - {
        "–"
    }
    ours = [
        f"{standing.player} {standing.ours.result.exact}"
        for standing in audit.standings
        if standing.ours is not None
    ]
    assert ", ".join(ours) == results


def test_the_pot_of_the_worked_historico_is_split_in_four() -> None:
    audit = audit_bytes((SESSIONS / "historico.json").read_bytes())
    assert audit.findings == []
    assert audit.carried == 3
    assert audit.hands[-1].stacks == {"Anna": 197, "Ben": 98, "Carla": 98, "Dan": 104}
    assert audit.hands[-1].ledger == {"Anna": 4, "Ben": 0, "Carla": -4, "Dan": 0}
    assert audit.hands[-1].bought == {"Anna": 100, "Ben": 200, "Carla": 100, "Dan": 100}
    for standing in audit.standings:
        assert standing.ours is not None
        assert (standing.ours.share.exact, standing.ours.share.decimal) == ("3/4", "0.75")
        assert standing.agrees is True
        assert standing.ours.verified


def test_a_broken_stack_is_told_with_both_values_and_the_hand_it_begins_at() -> None:
    audit = audit_bytes((SESSIONS / "salon-broken-stack.json").read_bytes())
    (found,) = audit.findings
    assert (found.hand, found.player, found.expected, found.seen) == (4, "Anna", 101, 111)
    assert found.pointer == "/hands/3/seats/0/stack"
    assert [hand.unexplained for hand in audit.hands] == [0, 0, 0, 10, 10]
    anna = next(standing for standing in audit.standings if standing.player == "Anna")
    assert anna.ours is not None
    assert (anna.ours.verified, anna.parts_at) == (False, 4)


def test_equal_results_of_the_tournament_share_the_second_place() -> None:
    audit = audit_bytes((SESSIONS / "tournament-wrong-standings.json").read_bytes())
    assert audit.kind == "tournament"
    positions = [standing.ours.position for standing in audit.standings if standing.ours]
    assert positions == [1, 2, 2, 2]
    assert [standing.agrees for standing in audit.standings] == [False, True, False, False]


# every code


def test_every_code_of_a_session_has_its_example_and_its_words() -> None:
    assert {path.stem for path in VIOLATIONS} == set(SESSION_CODES)
    assert {wording.partition("/")[0] for wording in SESSION_TEMPLATES} == set(SESSION_CODES)


@pytest.mark.parametrize("path", VIOLATIONS, ids=lambda path: path.stem)
def test_an_example_has_its_code_and_no_other(path: Path) -> None:
    audit = audit_bytes(path.read_bytes())
    name = path.stem
    assert {found.code for found in audit.findings} == COMPANIONS.get(name, {name})
    for found in audit.findings:
        kind = SESSION_CODES[found.code]
        assert (found.severity, found.ruling) == (kind.severity, kind.ruling)
        assert tuple(found.message) == LANGUAGES
        assert all("{" not in sentence for sentence in found.message.values())
        assert resolves(found.pointer, json.loads(path.read_bytes()))
    alone = {hand.verdict for hand in audit.hands}
    assert alone <= {"legal"} or name == "outcome-open"


def resolves(pointer: str, document: object) -> bool:
    """Whether a pointer leads somewhere; the last step may name what is not there."""
    *steps, _ = pointer.split("/")[1:]
    for step in steps:
        if isinstance(document, list):
            document = document[int(step)]
        elif isinstance(document, dict):
            document = document[step]
    return True


@pytest.mark.parametrize("wording", SESSION_TEMPLATES)
def test_a_wording_says_the_same_in_every_language(wording: str) -> None:
    templates = SESSION_TEMPLATES[wording]
    assert tuple(templates) == LANGUAGES
    assert len(set(templates.values())) == len(LANGUAGES)
    places = ("{player}", "{hand}", "{expected}", "{seen}", "{account}")
    for place in places:
        assert len({place in template for template in templates.values()}) == 1, place
    assert all(template[-1] == "." for template in templates.values())


def test_accounts_are_named_in_every_language() -> None:
    assert all(tuple(words) == LANGUAGES for words in ACCOUNTS.values())


# the forms a session comes in


def test_hands_that_share_a_session_are_one() -> None:
    document = worked("historico")
    lines = b"\n".join(json.dumps(hand).encode() for hand in document["hands"])
    audit = audit_bytes(lines)
    assert audit.verdict == "legal"
    assert audit.session == "quinta-42"
    assert [standing.player for standing in audit.standings] == ["Anna", "Dan", "Carla", "Ben"]
    assert all(standing.agrees is None for standing in audit.standings)


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_packed_document_is_the_same_session_with_its_own_hash(pack: object) -> None:
    assert callable(pack)
    raw = (SESSIONS / "historico.json").read_bytes()
    plain, packed = audit_bytes(raw), audit_bytes(pack(raw))
    assert packed.inputs != plain.inputs
    packed.inputs = plain.inputs
    assert packed == plain


def test_hands_without_a_session_of_their_own_have_the_document_s_and_their_place() -> None:
    document = worked("historico")
    for hand in document["hands"]:
        del hand["session"]
    audit = audit_of(document)
    assert audit.verdict == "legal"
    assert [hand.hand_no for hand in audit.hands] == list(range(1, 13))


def test_a_document_may_name_hands_that_are_kept_elsewhere() -> None:
    document = worked("historico")
    hands = document.pop("hands")
    document["hand_ids"] = [hand["id"] for hand in hands]
    lines = BytesIO(b"\n".join(json.dumps(hand).encode() for hand in reversed(hands)))
    audit = audit_upload(BytesIO(json.dumps(document).encode()), StreamLimits(), lines)
    assert isinstance(audit, SessionAudit)
    assert audit.verdict == "legal"
    assert [hand.hand_no for hand in audit.hands] == list(range(1, 13))
    assert len(audit.inputs) == 2
    document["hand_ids"].insert(5, {"source": "club", "table": "quinta-42", "hand": "lost"})
    lines.seek(0)
    audit = audit_upload(BytesIO(json.dumps(document).encode()), StreamLimits(), lines)
    assert isinstance(audit, SessionAudit)
    assert ("hand-missing", 6, None) in codes(audit)


def test_standings_wait_for_the_last_of_the_hands_that_are_listed() -> None:
    document = worked("historico")
    hands = document.pop("hands")
    document["hand_ids"] = [hand["id"] for hand in hands]
    lines = BytesIO(b"\n".join(json.dumps(hand).encode() for hand in hands[:10]))
    audit = audit_upload(BytesIO(json.dumps(document).encode()), StreamLimits(), lines)
    assert isinstance(audit, SessionAudit)
    (found,) = [found for found in audit.findings if found.code == "hand-missing"]
    assert (found.pointer, found.hand, found.expected) == ("/hand_ids", 11, "11–12")
    assert audit.verdict == "unverifiable"
    assert all(standing.ours is not None for standing in audit.standings)
    assert {standing.agrees for standing in audit.standings} == {None}


def test_an_unknown_key_is_a_warning_with_its_suggestion() -> None:
    document = worked("historico")
    document["standing"] = []
    (found,) = audit_of(document).findings
    assert (found.code, found.severity, found.expected) == ("unknown-key", "warning", "standings")


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        (
            {"standings": [{"player": "Anna", "result": "6.25"}]},
            "wrong-type",
            "/standings/0/result",
        ),
        ({"standings": [{"player": "Anna", "share": "1/0"}]}, "wrong-type", "/standings/0/share"),
        ({"standings": [{"player": "A"}, {"player": "A"}]}, "duplicate-key", "/standings/1"),
        ({"entrants": [{"player": "Anna"}]}, "missing-key", "/entrants/0/buy_in"),
        (
            {"rebuys": [{"player": "A", "hand_no": 0, "amount": 1}]},
            "out-of-range",
            "/rebuys/0/hand_no",
        ),
        ({"ledger": [{"after": 1, "balances": {"A": "1"}}]}, "wrong-type", "/ledger/0/balances/A"),
        ({"rules": {"preset": "whist"}}, "unknown-preset", "/rules/preset"),
        (
            {"rules": {"preset": "bouillotte/salon", "options": {"ante": -1}}},
            "unknown-option",
            "/rules/options/ante",
        ),
        ({"format": "retourne/2.0"}, "wrong-version", "/format"),
        ({"session": {"id": ""}}, "out-of-range", "/session/id"),
    ],
)
def test_a_session_part_that_cannot_be_read_says_where_and_why(
    change: dict[str, object], code: str, pointer: str
) -> None:
    raw = json.dumps({**worked("historico"), **change}).encode()
    error = audit_upload(BytesIO(raw), StreamLimits())
    assert isinstance(error, UnreadableHand)
    assert (error.code, error.pointer) == (code, pointer)


def test_a_key_given_twice_in_the_session_part_is_refused() -> None:
    raw = b'{"session": {"id": "a", "id": "b"}, "hands": []}'
    error = audit_upload(BytesIO(raw), StreamLimits())
    assert isinstance(error, UnreadableHand)
    assert (error.code, error.pointer) == ("duplicate-key", "/session/id")


def test_a_hand_that_cannot_be_read_costs_itself_only() -> None:
    document = worked("historico")
    document["hands"][4] = {"format": "retourne/1.0"}
    audit = audit_of(document)
    assert [(bad.place, bad.error.code) for bad in audit.unreadable] == [(4, "missing-key")]
    assert [hand.hand_no for hand in audit.hands] == [1, 2, 3, 4, *range(6, 13)]
    assert audit.hands[4].unverified_before
    assert ("hand-missing", 5, None) in codes(audit)


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"{}", b"not json", b'{"session":{"id":"a"},"hands":[]}']
)
def test_what_holds_no_session_is_told_so(raw: bytes) -> None:
    assert isinstance(audit_upload(BytesIO(raw), StreamLimits()), UnreadableHand)


def test_two_sessions_are_not_one() -> None:
    hands = [*generated(1)["hands"], *worked("historico")["hands"]]
    raw = b"\n".join(json.dumps(hand).encode() for hand in hands)
    error = audit_upload(BytesIO(raw), StreamLimits())
    assert isinstance(error, UnreadableHand)
    assert error.seen == "hands of 2 sessions"


def test_the_same_bytes_give_the_same_audit() -> None:
    raw = (SESSIONS / "salon-broken-stack.json").read_bytes()
    once, again = (msgspec.json.encode(audit_bytes(raw)) for _ in range(2))
    assert once == again
