"""Where a webhook may lead: to addresses of the open network, never into our own.

A name is resolved here and the connection is made to what was checked, so that a name that changes
its address in between leads nowhere else.
"""

import ipaddress
import socket
from typing import Final
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

MAX_URL: Final = 2_000

_PORTS: Final = {"http": 80, "https": 443}
_GIVEN_OUT: Final = ipaddress.IPv6Network("2000::/3")
"""All of IPv6 that the open network uses, apart from what is wrapped around IPv4."""

_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_INSIDE: Final = (
    ipaddress.ip_network("168.63.129.16/32"),  # where a cloud's machines ask about themselves
    ipaddress.ip_network("192.0.0.0/24"),
    ipaddress.ip_network("64:ff9b:1::/48"),
)
"""Open by their number, and yet the inner side of somebody's network."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Target(Struct, frozen=True):
    """A URL taken apart, with the addresses that its host has now."""

    scheme: str
    host: str
    port: int
    path: str
    addresses: tuple[Address, ...]

    @property
    def authority(self) -> str:
        """What stands in the header ``Host``."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    def url(self, address: Address) -> str:
        """The same URL with an address in place of the host."""
        host = f"[{address}]" if address.version == 6 else str(address)
        return f"{self.scheme}://{host}:{self.port}{self.path}"


class Refusal(Struct, frozen=True):
    """Why a webhook may not lead there, in a sentence."""

    reason: str


def resolve(url: str, *, private: bool = False) -> Target | Refusal:
    """Find out where a URL leads now, and whether that is allowed.

    Args:
        url: of a webhook.
        private: whether addresses that are not of the open network are allowed as well.
    """
    parts = _split(url)
    if isinstance(parts, Refusal):
        return parts
    host = parts.hostname or ""
    port = parts.port or _PORTS[parts.scheme]
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return Refusal(f"The host {host!r} has no address.")
    addresses = tuple(dict.fromkeys(ipaddress.ip_address(str(one[4][0])) for one in found))
    for address in addresses:
        if not private and not is_open(address):
            return Refusal(f"The host {host!r} leads to {address}, which is not on the internet.")
    path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    return Target(parts.scheme, host, port, path, addresses)


def is_open(address: Address) -> bool:
    """Tell whether an address is of the open network, and what it may be wrapped around too."""
    if address.is_multicast or not address.is_global:
        return False
    if any(address in network for network in _INSIDE):
        return False
    if isinstance(address, ipaddress.IPv4Address):
        return True
    inner = address.ipv4_mapped or address.sixtofour
    if inner is None and address in _NAT64:
        inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if inner is not None:
        return is_open(inner)
    return address in _GIVEN_OUT and address.teredo is None


def _split(url: str) -> SplitResult | Refusal:
    if len(url) > MAX_URL or not url.isascii() or not url.isprintable() or " " in url:
        return Refusal(f"A URL has at most {MAX_URL} characters, all of them of ASCII, no space.")
    try:
        parts = urlsplit(url)
        reachable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return Refusal("This is not a URL.")
    faults = {
        "A webhook's URL begins with https:// or http://.": parts.scheme not in _PORTS,
        "The URL names no host that can be reached.": not reachable,
        "A webhook's URL holds no user name and no password.": "@" in parts.netloc,
        "A webhook's URL has no part behind a #.": bool(parts.fragment),
    }
    fault = next((reason for reason, found in faults.items() if found), None)
    return parts if fault is None else Refusal(fault)
