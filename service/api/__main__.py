"""``python -m service.api`` writes the API's OpenAPI document anew."""

from service.api.description import DOCUMENT_FILE, description_text

DOCUMENT_FILE.write_text(description_text())
