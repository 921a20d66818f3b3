"""The HTTP API, version 1, and the two addresses by which a machine asks how the service is."""

from flask import Blueprint

from service.api.codes import list_codes
from service.api.hands import list_hands, show_hand, show_original, show_replay
from service.api.health import healthz, readyz
from service.api.uploads import (
    list_conflicts,
    list_problems,
    list_uploads,
    post_upload,
    show_upload,
)

blueprint = Blueprint("api", __name__)

blueprint.get("/healthz")(healthz)
blueprint.get("/readyz")(readyz)
blueprint.get("/api/v1/codes")(list_codes)
blueprint.post("/api/v1/uploads")(post_upload)
blueprint.get("/api/v1/uploads")(list_uploads)
blueprint.get("/api/v1/uploads/<upload_id>")(show_upload)
blueprint.get("/api/v1/uploads/<upload_id>/problems")(list_problems)
blueprint.get("/api/v1/uploads/<upload_id>/conflicts")(list_conflicts)
blueprint.get("/api/v1/hands")(list_hands)
blueprint.get("/api/v1/hands/<hand_id>")(show_hand)
blueprint.get("/api/v1/hands/<hand_id>/replay")(show_replay)
blueprint.get("/api/v1/hands/<hand_id>/original")(show_original)
