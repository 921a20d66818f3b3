"""The reference pages' generated parts: tables made from the types, options and codes themselves.

A page of ``docs`` marks where a part goes, ``<!-- generated: NAME -->`` to ``<!-- end -->``.
``python -m schemas.reference docs/*.md`` writes every part anew; a test holds that none is stale.
"""

import re
from collections.abc import Callable
from typing import Final

from schemas.reference.codes import code_list, reading_code_table
from schemas.reference.dialects import csv_columns, example_table, notation_table, trait_table
from schemas.reference.faults import fault_table, session_fault_table
from schemas.reference.fields import (
    event_parts,
    hand_parts,
    limit_table,
    session_audit_parts,
    session_parts,
    verdict_parts,
)
from schemas.reference.options import bourre_option_table, vying_option_table
from schemas.reference.session_codes import session_code_list

PARTS: Final[dict[str, Callable[[], str]]] = {
    "hand": hand_parts,
    "events": event_parts,
    "limits": limit_table,
    "reading-codes": reading_code_table,
    "verdict": verdict_parts,
    "options": vying_option_table,
    "bourre-options": bourre_option_table,
    "codes": code_list,
    "faults": fault_table,
    "session-faults": session_fault_table,
    "dialects": trait_table,
    "notations": notation_table,
    "csv-columns": csv_columns,
    "dialect-examples": example_table,
    "session": session_parts,
    "session-audit": session_audit_parts,
    "session-codes": session_code_list,
}
"""What can be generated, by the name that a page calls it by."""

_MARKED: Final = re.compile(r"(<!-- generated: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def refresh(page: str) -> str:
    """The page with every generated part written anew.

    Raises:
        KeyError: the page asks for a part that there is not.
    """
    return _MARKED.sub(lambda mark: f"{mark[1]}\n{PARTS[mark[2]]()}\n{mark[3]}", page)
