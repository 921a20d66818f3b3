import base64
import shutil
import subprocess

import pytest

from workers.signing import signature, signed_headers

# The example of the Standard Webhooks specification's reference libraries.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # noqa: S105 - published by the specification
MESSAGE = "msg_p5jXN8AQM9LWM0D4loKWxJek"
BODY = b'{"test": 2432232314}'
TIMESTAMP = 1614265330
EXPECTED = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_the_signature_is_the_one_of_the_specification() -> None:
    assert signature(SECRET, MESSAGE, TIMESTAMP, BODY) == EXPECTED


def test_openssl_makes_the_same() -> None:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl")
    key = base64.b64decode(SECRET.removeprefix("whsec_")).hex()
    signed = b"%b.%d.%b" % (MESSAGE.encode(), TIMESTAMP, BODY)
    command = ["openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", f"hexkey:{key}", "-binary"]
    made = subprocess.run(command, input=signed, capture_output=True, check=True)
    assert f"v1,{base64.b64encode(made.stdout).decode()}" == EXPECTED


def test_every_secret_signs() -> None:
    other = "whsec_" + base64.b64encode(b"other").decode()
    headers = signed_headers([SECRET, other], MESSAGE, TIMESTAMP, BODY)
    assert headers["webhook-id"] == MESSAGE
    assert headers["webhook-timestamp"] == "1614265330"
    first, second = headers["webhook-signature"].split(" ")
    assert (first, second) == (EXPECTED, signature(other, MESSAGE, TIMESTAMP, BODY))
