import base64
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

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


def test_every_secret_signs() -> None:
    other = "whsec_" + base64.b64encode(b"other").decode()
    headers = signed_headers([SECRET, other], MESSAGE, TIMESTAMP, BODY)
    assert headers["webhook-id"] == MESSAGE
    assert headers["webhook-timestamp"] == "1614265330"
    first, second = headers["webhook-signature"].split(" ")
    assert (first, second) == (EXPECTED, signature(other, MESSAGE, TIMESTAMP, BODY))


def test_what_the_page_tells_receivers_to_do_is_right(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text()
    python = page.partition("```python\n")[2].partition("```")[0]
    known: dict[str, Any] = {}
    exec(python, known)  # noqa: S102 - our own page
    now = int(time.time())
    headers = signed_headers(["whsec_b3RoZXI=", SECRET], MESSAGE, now, BODY)
    assert known["is_genuine"](headers, BODY, SECRET)
    assert not known["is_genuine"](headers, BODY + b" ", SECRET)
    assert not known["is_genuine"](headers, BODY, "whsec_bm9uZQ==")
    old = signed_headers([SECRET], MESSAGE, now - 3_600, BODY)
    assert not known["is_genuine"](old, BODY, SECRET)

    if shutil.which("openssl") is None:
        pytest.skip("no openssl")
    shell = page.partition("```\nkey=")[2].partition("```")[0]
    (tmp_path / "body.json").write_bytes(BODY)
    values = {"ID": MESSAGE, "MOMENT": str(TIMESTAMP), "SECRET": SECRET}
    command = ["sh", "-c", f"key={shell}"]
    environment = {**os.environ, **values}
    said = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=True)
    assert f"v1,{said.stdout.decode().strip()}" == EXPECTED
