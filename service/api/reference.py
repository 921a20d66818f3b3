"""The reference page of the API, made from its OpenAPI document: read it, and try it."""

import re
from typing import Any, Final

from flask import Blueprint, render_template, request
from markupsafe import Markup, escape

from dashboards import assets
from service.api.description import description

blueprint: Final = Blueprint(
    "reference",
    __name__,
    url_prefix="/docs/api",
    template_folder="templates",
    static_folder="static",
    static_url_path="/assets",
)
blueprint.after_request(assets.add_headers)

_CODE: Final = re.compile(r"(`{1,2})(.+?)\1")
_FEW: Final = 8
_LIMITS: Final = {"minimum": "from", "maximum": "to", "maxItems": "at most", "pattern": "like"}


@blueprint.get("")
def page() -> str:
    """All operations and schemas on one page."""
    document = description()
    return render_template(
        "reference.html",
        document=document,
        groups=[
            (tag, [one for one in _operations(document) if tag["name"] in one["tags"]])
            for tag in document["tags"]
        ],
        host=request.host_url.rstrip("/"),
        prose=_prose,
        shape=_shape,
        anchor=_anchor,
    )


def _operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The document's operations, each with its method, its path and what it takes in them."""
    return [
        {
            **one,
            "method": method.upper(),
            "path": path,
            "example": re.sub(r"{(\w+)}", lambda name: name[1].upper(), path),
            "takes": [given for given in one["parameters"] if given["in"] != "header"],
        }
        for path, methods in document["paths"].items()
        for method, one in methods.items()
        if method != "parameters"
    ]


def _anchor(name: str) -> str:
    return "schema-" + name.replace(".", "-")


def _prose(text: str) -> Markup:
    """A description as HTML: its paragraphs, and what is code in it."""
    paragraphs = [
        _CODE.sub(r"<code>\2</code>", str(escape(paragraph))) for paragraph in text.split("\n\n")
    ]
    return Markup("".join(f"<p>{paragraph}</p>" for paragraph in paragraphs))  # noqa: S704 - escaped


def _shape(schema: dict[str, Any]) -> Markup:
    """What a schema admits, in a phrase with links to the schemas that it names."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return Markup('<a href="#{}">{}</a>').format(_anchor(name), name)
    parts = schema.get("anyOf") or schema.get("allOf", [])[:1]  # what follows only narrows it
    if parts:
        return Markup(" or ").join(map(_shape, parts))
    if "enum" in schema:
        return _one_of(schema["enum"])
    if schema.get("type") == "array":
        return Markup("list of {}").format(_shape(schema.get("items", {})))
    if isinstance(schema.get("additionalProperties"), dict):
        return Markup("object of {}").format(_shape(schema["additionalProperties"]))
    return _plain(schema)


def _one_of(values: list[Any]) -> Markup:
    """A closed list of values, folded up when it is long."""
    shown = Markup(", ").join(Markup("<code>{}</code>").format(one) for one in values)
    if len(values) <= _FEW:
        return Markup("one of {}").format(shown)
    return Markup("<details><summary>one of {}</summary>{}</details>").format(len(values), shown)


def _plain(schema: dict[str, Any]) -> Markup:
    """What a schema of no parts admits."""
    said = escape(schema.get("type", "any"))
    if "format" in schema:
        said += Markup(" ({})").format(schema["format"])
    for key, word in _LIMITS.items():
        if key in schema:
            said += Markup(", {} <code>{}</code>").format(word, schema[key])
    return said
