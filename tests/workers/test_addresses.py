import ipaddress

import pytest

from workers.addresses import Refusal, Target, is_open, resolve

CLOSED = [
    *("127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "0.0.0.0"),  # noqa: S104 - compared, not bound
    *("169.254.169.254", "100.100.100.200", "192.0.0.192", "168.63.129.16", "224.0.0.1"),
    *("::", "::1", "fe80::1", "fe80::1%eth0", "fd00:ec2::254", "ff02::1"),
    *("::ffff:127.0.0.1", "2002:7f00:1::", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1"),
    *("::7f00:1", "::ffff:0:7f00:1", "fec0::1", "5f00::1"),
]
OPEN = ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]


@pytest.mark.parametrize("address", CLOSED)
def test_what_is_not_of_the_open_network_is_closed(address: str) -> None:
    assert not is_open(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", OPEN)
def test_the_open_network_is_open(address: str) -> None:
    assert is_open(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "localhost", "[::1]", "[::ffff:10.0.0.1]"],
)
def test_our_own_network_is_refused_however_it_is_written(host: str) -> None:
    refused = resolve(f"http://{host}:8000/hook")
    assert isinstance(refused, Refusal)
    assert refused.reason.endswith("is not on the internet.")
    allowed = resolve(f"http://{host}:8000/hook", private=True)
    assert isinstance(allowed, Target)


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://8.8.8.8/", "file:///etc/passwd", "//8.8.8.8/", "8.8.8.8", "", "https://"),
        *("https://u:p@8.8.8.8/", "https://8.8.8.8/#a", "https://8.8.8.8:0/", "https://8.8.8.8:x/"),
        *("https://8.8.8.8/ a", "https://8.8.8.8/\n", "https://bücher.example/", "http://[::1/"),
        *("https://" + "a" * 3000, "https://..", "https://name.invalid/"),
    ],
)
def test_what_is_no_url_of_a_receiver_is_refused(url: str) -> None:
    assert isinstance(resolve(url, private=True), Refusal)


def test_the_connection_goes_to_what_was_checked() -> None:
    target = resolve("https://8.8.8.8:8443/hook?of=club")
    assert isinstance(target, Target)
    assert target.authority == "8.8.8.8:8443"
    assert [target.url(one) for one in target.addresses] == ["https://8.8.8.8:8443/hook?of=club"]
    target = resolve("http://[2606:4700::1111]")
    assert isinstance(target, Target)
    assert target.authority == "[2606:4700::1111]"
    assert target.url(target.addresses[0]) == "http://[2606:4700::1111]:80/"
