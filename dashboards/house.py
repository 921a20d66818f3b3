"""Whose house a request is in. It was opened when the request was let in, and nowhere else."""

from collections.abc import Callable
from typing import Final, TypeVar, cast

from flask import g

from warehouse.houses import House
from warehouse.keys import Scope

View = TypeVar("View", bound=Callable[..., object])

SCOPE: Final = "retourne_scope"


def house() -> House:
    """The house of the club that the request is of.

    Raises:
        AttributeError: the request was let in without one, as those are that everybody may make.
    """
    return cast("House", g.house)


def needs(scope: Scope) -> Callable[[View], View]:
    """Declare what a page's route takes that does more than show something."""

    def declare(view: View) -> View:
        setattr(view, SCOPE, scope)
        return view

    return declare
