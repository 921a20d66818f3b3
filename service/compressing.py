"""Answers are packed on their way to whoever can unpack them.

An answer with a validator of its own is left as it is, but for the pages' static files, which are
named by what is in them: packed, it would be another to those who ask again with the validator.
"""

from http import HTTPStatus
from typing import Final

from flask import Flask, Response, request
from flask_compress import Compress

_STATIC: Final = "pages.static"


def pack(app: Flask) -> None:
    """Packs the answers of the app."""
    app.config.update(
        COMPRESS_REGISTER=False,
        COMPRESS_ALGORITHM=["br", "zstd", "gzip"],
        COMPRESS_BR_LEVEL=5,
        COMPRESS_ALGORITHM_STREAMING=["br", "zstd"],
        COMPRESS_STREAMING_ENDPOINT_CONDITIONAL=[_STATIC],
    )
    compress = Compress(app)

    @app.after_request
    def _packed(response: Response) -> Response:
        whole = response.status_code == HTTPStatus.OK
        stays = response.get_etag()[0] is not None and request.endpoint != _STATIC
        return response if stays or not whole else compress.after_request(response)
