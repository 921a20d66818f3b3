"""The season of a club holds what is planted in it, and nothing else that is wrong."""

from io import BytesIO
from zipfile import ZipFile

from schemas.declare_session import NO_LIMITS
from schemas.season import CALENDAR, TOURNAMENT, season_files, season_tournament
from schemas.session_audit import audit_upload
from schemas.session_verdict import SessionAudit
from schemas.streams import read_hands


def test_one_result_is_wrong_and_three_hands_are_illegal() -> None:
    files = {file.name: file.content for file in season_files()}
    with ZipFile(BytesIO(files.pop("2026-02-27.zip"))) as both:
        evening, other = map(both.read, both.namelist())
    files["2026-02-27.json"] = evening
    assert len(other.splitlines()) == 3
    assert {event.preset.partition("/")[0] for event in CALENDAR if event.kind == "tournament"} == {
        "bouillotte",
        "brelan",
        "bourre",
    }
    illegal, wrong, rebuys = {}, {}, 0
    for name, content in files.items():
        audit = audit_upload(BytesIO(content), NO_LIMITS)
        assert isinstance(audit, SessionAudit), name
        if audit.session != TOURNAMENT:
            assert {found.code for found in audit.findings} <= {"hand-unreadable"}
        for hand in audit.hands:
            if hand.verdict != "legal":
                illegal[audit.session, hand.hand_no] = {one.code for one in hand.violations}
        rebuys += sum(audit.hands[-1].bought.values()) - 100 * len(audit.standings)
        for one in audit.standings:
            assert one.ours is not None
            if one.agrees is False:
                declared = one.declared.result if one.declared else None
                wrong[one.player] = (one.ours.result.exact, declared, one.parts_at)
    # The pot of 11 that Bastien took in hand 6 is written down as Camille's.
    assert wrong == {
        "Bastien": ("6", "-5", 6),
        "Camille": ("0", "11", 6),
        "Désiré": ("-2", "-2", None),
        "Hélène": ("-4", "-4", None),
    }
    assert illegal == {
        (TOURNAMENT, 6): {"declared-pots", "declared-stacks"},
        ("evening-2026-01-23", 17): {"raise-below-minimum"},
        ("evening-2026-01-30", 9): {"must-follow"},
        ("evening-2026-02-20", 20): {"out-of-turn"},
    }
    assert rebuys >= 1_000
    unread = list(read_hands(BytesIO(files["2026-02-06.ndjson"]), NO_LIMITS))
    assert len(unread) == 37
    assert season_tournament().content == files["coupe-de-printemps.json"]
