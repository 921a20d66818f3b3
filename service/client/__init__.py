"""A typed client of the service: `from service.client import Client`.

It loads no web server and no engine room: it can be used wherever Python and the network are.
"""

from service.client.client import DEFAULT_URL, Client, Content
from service.client.documents import (
    Conflict,
    Counts,
    Failure,
    HandConditions,
    HandSummary,
    HandVerdict,
    Problem,
    Replay,
    RowFormat,
    Rows,
    Upload,
    Verdict,
)
from service.client.errors import (
    AccessError,
    ChangedError,
    MissingError,
    ProblemError,
    RateLimitedError,
    RefusedError,
    RetourneError,
    UnavailableError,
    UnexpectedAnswerError,
    UnreachableError,
    WaitTimeoutError,
)

__all__ = [
    "DEFAULT_URL",
    "AccessError",
    "ChangedError",
    "Client",
    "Conflict",
    "Content",
    "Counts",
    "Failure",
    "HandConditions",
    "HandSummary",
    "HandVerdict",
    "MissingError",
    "Problem",
    "ProblemError",
    "RateLimitedError",
    "RefusedError",
    "Replay",
    "RetourneError",
    "RowFormat",
    "Rows",
    "UnavailableError",
    "UnexpectedAnswerError",
    "UnreachableError",
    "Upload",
    "Verdict",
    "WaitTimeoutError",
]
