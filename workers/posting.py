"""One attempt to hand a message to its receiver over HTTP: signed, short, to a checked address.

Nothing that the receiver says beyond its status is read, and no redirect is followed.
"""

import asyncio
import ssl
import time
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from typing import Final

import httpx

from engine import ENGINE_VERSION
from warehouse.webhooks import Attempt, Outcome
from workers.addresses import Refusal, Target, resolve
from workers.signing import signed_headers

SECONDS: Final = 10
"""How long an attempt may take as a whole, once the name is resolved."""


def post(attempt: Attempt, *, private: bool) -> Outcome:
    """Make an attempt; `private` allows addresses that are not of the open network."""
    target = resolve(attempt.url, private=private)
    if isinstance(target, Refusal):
        return Outcome(None, target.reason)
    body = attempt.delivery.payload.encode()
    headers = {
        **signed_headers(attempt.secrets, attempt.delivery.id, int(time.time()), body),
        "content-type": "application/json",
        "host": target.authority,
        "user-agent": f"Retourne/{ENGINE_VERSION}",
    }
    return asyncio.run(_post(target, headers, body))


async def _post(target: Target, headers: Mapping[str, str], body: bytes) -> Outcome:
    try:
        async with asyncio.timeout(SECONDS):
            return _outcome(await _status(target, headers, body))
    except TimeoutError:
        return Outcome(None, f"There was no answer within {SECONDS} seconds.")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        said = str(error) or type(error).__name__
        return Outcome(None, f"There was no answer: {said}"[:300])


async def _status(target: Target, headers: Mapping[str, str], body: bytes) -> int:
    """Send the message to the first of the target's addresses that takes a connection."""
    # Without the environment's proxies: they would connect to what nobody here has checked.
    async with httpx.AsyncClient(verify=_trust(), trust_env=False, timeout=SECONDS) as client:
        *others, last = target.addresses
        for address in others:
            try:
                return await _ask(client, target, target.url(address), headers, body)
            except httpx.ConnectError:
                continue
        return await _ask(client, target, target.url(last), headers, body)


async def _ask(
    client: httpx.AsyncClient, target: Target, url: str, headers: Mapping[str, str], body: bytes
) -> int:
    # The certificate is the name's, though the connection is to the address.
    named = {"sni_hostname": target.host}
    async with client.stream(
        "POST", url, headers=headers, content=body, extensions=named
    ) as response:
        return response.status_code


def _outcome(status: int) -> Outcome:
    if HTTPStatus(200) <= status < HTTPStatus(300):
        return Outcome(status, None)
    if HTTPStatus(300) <= status < HTTPStatus(400):
        return Outcome(status, f"The receiver answered {status}; no redirect is followed.")
    return Outcome(status, f"The receiver answered {status}.", final=status == HTTPStatus.GONE)


@cache
def _trust() -> ssl.SSLContext:
    return httpx.create_ssl_context()
