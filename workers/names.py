"""The names of the tasks, for whoever sends one without importing what it runs."""

from typing import Final

AUDIT_SESSION: Final = "retourne.audit_session"
AUDIT_UPLOAD: Final = "retourne.audit_upload"
COMPACT: Final = "retourne.compact"
DELIVER: Final = "retourne.deliver"
RENEW_UPLOAD: Final = "retourne.renew_upload"
