"""What the tests of dialects share: the examples, and hands read in a dialect."""

import json
from collections.abc import Callable
from pathlib import Path

from schemas.decode import DecodedHand, decode_hand
from schemas.dialects import Converted, Dialect, convert, dialect_named
from schemas.errors import UnreadableHand
from tests.schemas.dialect_writing import Tree, in_dialect, plain

EXAMPLES = Path(__file__).parent.parent.parent / "schemas/examples"
CORPUS = EXAMPLES / "dialects"
W1 = (EXAMPLES / "w1-carre-and-side-pot.json").read_bytes()


def read(name: str) -> Dialect:
    dialect = dialect_named(name)
    assert dialect is not None
    return dialect


def content(document: bytes) -> bytes:
    decoded = decode_hand(document)
    assert isinstance(decoded, DecodedHand)
    assert decoded.unknown_keys == []
    return plain(decoded.hand)


def converted(raw: bytes, dialect: Dialect) -> Converted:
    done = convert(raw, dialect)
    assert isinstance(done, Converted), done
    return done


def refused(raw: bytes, name: str) -> UnreadableHand:
    error = convert(raw, read(name))
    assert isinstance(error, UnreadableHand), error
    return error


def w1_in(name: str, change: Callable[[Tree], object]) -> bytes:
    """W1 as JSON in a dialect, with one thing changed."""
    tree = json.loads(in_dialect(W1, read(name)))
    change(tree)
    return json.dumps(tree).encode()
