"""One attempt against a real receiver: signed, checked where it goes, short, and never led on."""

import datetime as dt
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.service.receiver import Receiver, receiving
from warehouse.webhooks import Attempt, Delivery, Outcome
from workers import posting
from workers.posting import post

SECRETS = ("whsec_bmV3", "whsec_b2xk")


def attempt(url: str) -> Attempt:
    delivery = Delivery(
        id="dlv_1",
        webhook="whk_1",
        event="ping",
        state="pending",
        attempts=1,
        created_at=dt.datetime.now(dt.UTC),
        next_at=None,
        finished_at=None,
        status=None,
        error=None,
        payload='{"type":"ping"}',
    )
    return Attempt(delivery, url, SECRETS, None)


def send(receiver: Receiver) -> Outcome:
    return posted(attempt(receiver.url), private=True)


def test_a_message_is_signed_by_every_secret_at_the_moment_of_sending() -> None:
    before = int(dt.datetime.now(dt.UTC).timestamp())
    with receiving(204) as receiver:
        assert send(receiver) == Outcome(204, None)
    [message] = receiver.messages
    assert (message.id, message.body, message.path) == (
        "dlv_1",
        b'{"type":"ping"}',
        "/hook?of=club",
    )
    assert all(message.is_signed_by(secret) for secret in SECRETS)
    assert not message.is_signed_by("whsec_b3RoZXI=")
    assert before <= message.timestamp <= before + 60


def test_a_refusal_is_told_and_gone_is_final() -> None:
    with receiving(500, 410) as receiver:
        assert send(receiver) == Outcome(500, "The receiver answered 500.")
        assert send(receiver) == Outcome(410, "The receiver answered 410.", final=True)


def test_no_redirect_is_followed() -> None:
    with receiving(204) as elsewhere, receiving(307) as receiver:
        receiver.location = elsewhere.url
        assert send(receiver) == Outcome(307, "The receiver answered 307; no redirect is followed.")
    assert elsewhere.messages == []


def test_our_own_network_is_not_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving(204) as receiver:
        refused = posted(attempt(receiver.url), private=False)
        assert refused.status is None
        assert refused.error is not None
        assert "is not on the internet" in refused.error
        # A proxy of the environment would connect to what nobody has checked.
        monkeypatch.setenv("HTTP_PROXY", receiver.url)
        unreachable = posted(attempt("http://127.0.0.1:1/"), private=True)
        assert unreachable.error is not None
    assert receiver.messages == []


def test_a_receiver_that_does_not_answer_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "SECONDS", 0.5)
    with receiving(204) as receiver:
        receiver.hold = threading.Event()
        assert send(receiver) == Outcome(None, "There was no answer within 0.5 seconds.")


def test_a_receiver_that_answers_byte_by_byte_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "SECONDS", 0.5)
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def drip() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
                while not over.wait(0.1):
                    connection.sendall(b"x")

        thread = threading.Thread(target=drip)
        thread.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        slow = posted(attempt(url), private=True)
        over.set()
        thread.join()
    assert slow == Outcome(None, "There was no answer within 0.5 seconds.")


def test_what_is_no_http_is_no_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def babble() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.sendall(b"220 mail.example ESMTP\r\n")

        thread = threading.Thread(target=babble)
        thread.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        outcome = posted(attempt(url), private=True)
        thread.join()
    assert outcome.status is None
    assert outcome.error is not None
    assert outcome.error.startswith("There was no answer:")


def posted(one: Attempt, *, private: bool) -> Outcome:
    """What comes of an attempt, made apart from a loop that another test may have running."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(post, one, private=private).result()
