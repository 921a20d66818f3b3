"""The HTTP API, version 1, and the two addresses by which a machine asks how the service is."""

from service.api import codes, description, hands, health, uploads  # noqa: F401 - declare operations
from service.api.operations import blueprint

__all__ = ["blueprint"]
