"""Signatures of webhooks, as Standard Webhooks has them.

What is signed is the message's id, the moment of sending and the body, so that neither can be
changed nor an old message be sent again as a new one.
"""

import base64
import hashlib
import hmac
from collections.abc import Iterable, Mapping

_PREFIX = "whsec_"


def signature(secret: str, message: str, timestamp: int, body: bytes) -> str:
    """Return one signature, with its version before it.

    Args:
        secret: ``whsec_`` and the key in base64.
        message: the id of the message, the same for all attempts.
        timestamp: the moment of sending, in seconds of Unix time.
        body: as it is sent.
    """
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    signed = b"%b.%d.%b" % (message.encode(), timestamp, body)
    return f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}"


def signed_headers(
    secrets: Iterable[str], message: str, timestamp: int, body: bytes
) -> Mapping[str, str]:
    """Return the headers of a message that each of these secrets signs."""
    signatures = (signature(secret, message, timestamp, body) for secret in secrets)
    return {
        "webhook-id": message,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signatures),
    }
