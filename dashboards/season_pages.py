"""Owns the offer of an empty house to try everything on the sample season of a club."""

import datetime as dt
from http import HTTPStatus
from typing import Final, cast

from flask import Blueprint, Response, redirect, url_for

from dashboards import assets
from dashboards.house import house, needs
from schemas.season import season_files
from workers.sending import send_audit

blueprint: Final = Blueprint("season", __name__)
blueprint.after_request(assets.add_headers)


@blueprint.post("/season")
@needs("upload")
def bring() -> Response:
    """Take the season's files in as uploads, and lead home, where their audit shows."""
    store = house().store
    now = dt.datetime.now(dt.UTC)
    arrived = [
        store.records.receive(store.blobs.store(iter([file.content])), file.name, now)
        for file in season_files()
    ]
    for upload in arrived:
        if not send_audit(store, upload.id):
            break  # there is nobody to send it to now; the sweeper does it later
    return cast("Response", redirect(url_for("pages.home"), HTTPStatus.SEE_OTHER))
