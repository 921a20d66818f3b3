"""Every fault planted in a session is what its audit finds about it, and nothing else is.

Nothing else but what stands beside it by its nature, as the answer key says.
"""

import io

import pytest

from engine.session.codes import SESSION_CODES
from schemas.faults.sessions import KINDS, SessionKind, generate_session_fault
from schemas.inflate import StreamLimits
from schemas.session_audit import audit_upload
from schemas.session_verdict import SessionAudit

SEEDS = range(1_000, 9_000, 1_000)


def test_every_code_of_sessions_has_a_kind_and_every_kind_a_code() -> None:
    assert {kind.code for kind in KINDS.values()} == {*SESSION_CODES}


@pytest.mark.parametrize("kind", list(KINDS.values()), ids=list(KINDS))
def test_a_planted_fault_is_found_and_nothing_else(kind: SessionKind) -> None:
    for seed in SEEDS:
        planted = generate_session_fault(seed, kind)
        audit = audit_upload(io.BytesIO(planted.raw), StreamLimits(max_ratio=1 << 30))
        assert isinstance(audit, SessionAudit)
        beside = [part for part in audit.findings if part.code in planted.answer.besides]
        assert [part.code for part in beside] == [*kind.besides], planted.answer
        found = [(part.code, part.pointer) for part in audit.findings if part not in beside]
        assert found == [(kind.code, planted.answer.pointer)], planted.answer


def test_the_same_seed_plants_the_same_fault() -> None:
    kind = KINDS["broken-stack"]
    assert generate_session_fault(3, kind) == generate_session_fault(3, kind)
    assert generate_session_fault(3, kind).raw != generate_session_fault(4, kind).raw
