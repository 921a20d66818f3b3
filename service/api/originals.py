"""The bytes of an upload as they were sent."""

from urllib.parse import quote

from flask import Response, request
from werkzeug.wsgi import wrap_file

from service.api.answers import store
from service.api.exports import File
from service.api.operations import operation
from service.problems import problem
from warehouse.conditions import UploadId
from warehouse.records import Upload

_MEDIA = "application/octet-stream"
_PIECE = 1 << 16


@operation(
    "GET",
    "/api/v1/uploads/<upload_id>/original",
    scope="read",
    media=(_MEDIA,),
    headers={"Content-Disposition": "What to call the file."},
    problems=("not-found",),
)
def show_upload_original(upload_id: UploadId) -> File | Response:
    """Give the exact bytes of an upload as they were sent."""
    found = store().records.upload(upload_id)
    if found is None:
        return problem("not-found", "There is no such upload.", upload=upload_id[:100])
    try:
        stored = store().blobs.open(found.blob)
    except FileNotFoundError:
        return problem("not-found", "The bytes of this upload are not in the store.")
    headers = {
        "Content-Disposition": _disposition(found),
        "Content-Length": str(found.size),
        "ETag": f'"{found.blob}"',
        "Cache-Control": "private, no-cache",
    }
    if request.method == "HEAD":
        stored.close()
        return Response(iter(()), headers=headers, content_type=_MEDIA)
    file = wrap_file(request.environ, stored, _PIECE)
    return Response(file, headers=headers, content_type=_MEDIA, direct_passthrough=True)


def _disposition(upload: Upload) -> str:
    """A name for the file that no browser can mistake for anything else."""
    name = upload.name or f"{upload.id[:12]}.upload"
    return f"attachment; filename*=UTF-8''{quote(name, safe='')}"
