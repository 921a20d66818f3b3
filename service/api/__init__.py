"""The HTTP API, version 1, and the two addresses by which a machine asks how the service is."""

from service.api import (  # noqa: F401 - they declare the operations
    codes,
    conflicts,
    deadletters,
    deletions,
    description,
    exports,
    hands,
    health,
    keys,
    notes,
    originals,
    players,
    reaudits,
    sessions,
    shares,
    slices,
    statistics,
    uploads,
    webhooks,
)
from service.api.operations import blueprint

__all__ = ["blueprint"]
