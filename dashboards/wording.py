"""Owns the words, signs and number forms in which pages show the domain's values."""

import datetime as dt
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from babel.dates import format_datetime
from markupsafe import Markup

from dashboards.language import gettext, here, language, later, ngettext
from engine.terms import Severity
from engine.violations import CODES
from warehouse.aliases import NotMerged
from warehouse.queries import HandSummary

SUITS: Final = {
    "s": later("spades"),
    "h": later("hearts"),
    "d": later("diamonds"),
    "c": later("clubs"),
}

VERDICTS: Final = {
    "legal": later("Legal"),
    "illegal": later("Illegal"),
    "unverifiable": later("Unverifiable"),
}

GRAVEST_FIRST: Final[list[Severity]] = ["illegal", "discrepancy", "unverifiable", "warning"]

SEVERITIES: Final[dict[Severity, str]] = {
    "illegal": later("illegal"),
    "discrepancy": later("discrepancy"),
    "unverifiable": later("unverifiable"),
    "warning": later("warning"),
}

STATUSES: Final = {
    "received": later("Waiting"),
    "processing": later("Processing"),
    "done": later("Done"),
    "failed": later("Failed"),
    "quarantined": later("Quarantined"),
}

MINUS: Final = "−"
_MOMENT: Final = "d MMM y, HH:mm"
_PARTS: Final = {"1/4": "¼", "1/2": "½", "3/4": "¾", "1/3": "⅓", "2/3": "⅔"}
NOTHING: Final = "—"
MOST_OF_A_NAME: Final = 24
_KILO: Final = 1000
_UNITS: Final = ("B", "kB", "MB", "GB")


def chips(amount: int | None) -> str:
    """An amount with thin spaces between thousands; a dash where there is none."""
    if amount is None:
        return NOTHING
    return f"{amount:,}".replace(",", "\u202f").replace("-", MINUS)


def signed(amount: int | None) -> str:
    """An amount with its sign always written, zero without one."""
    text = chips(amount)
    return f"+{text}" if amount is not None and amount > 0 else text


def fraction(text: str) -> Fraction | None:
    """The number that a text such as ``25/4`` stands for, None for another text."""
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def exact(text: str, *, signed: bool = False) -> str:
    """An exact amount such as ``-25/4`` as people read it: whole chips, and quarters as such."""
    number = fraction(text)
    if number is None:
        return text
    whole, rest = divmod(abs(number), 1)
    shown = chips(int(whole)) if whole or not rest else ""
    if rest:
        part = _PARTS.get(str(rest), str(rest))
        shown = f"{shown}\u202f{part}" if shown else part
    sign = MINUS if number < 0 else "+" if signed and number > 0 else ""
    return sign + shown


def decimals(number: float, places: int = 1) -> str:
    """A number to so many decimal places, with the point or comma of the page's language."""
    text = f"{number:,.{places}f}".replace(",", "\u202f").replace("-", MINUS)
    return text if language() == "en" else text.replace(".", ",")


def separators() -> str:
    """What Plotly puts before the decimals of a number and between its thousands."""
    return f"{'.' if language() == 'en' else ','}\u202f"


def percent(share: float | None) -> str:
    """A share between 0 and 1 as a percentage with one decimal."""
    return NOTHING if share is None else f"{decimals(100 * share)} %"


def cell(thing: str | float | None) -> str:
    """A cell of the table behind a chart: whole chips, other numbers to one decimal."""
    if isinstance(thing, float):
        return decimals(thing)
    return chips(thing) if thing is None or isinstance(thing, int) else thing


def decimal(number: float) -> str:
    """A number to one decimal with its sign, zero without one."""
    text = decimals(abs(number))
    sign = MINUS if number < 0 else "+"
    return text if float(f"{number:.1f}") == 0 else sign + text


def moment(when: dt.datetime | None, place: str | None = None) -> str:
    """A moment in UTC as an element; the browser writes it anew in the reader's own zone.

    ``place`` is the zone of where it was, by its name.
    """
    if when is None:
        return NOTHING
    utc = when.astimezone(dt.UTC)
    there = Markup("") if place is None else Markup(' data-place="{}"').format(place)
    return Markup('<time class="nowrap" datetime="{}"{}>{} UTC</time>').format(
        utc.isoformat(timespec="seconds"), there, format_datetime(utc, _MOMENT, locale=here())
    )


def played(hand: HandSummary) -> str:
    """When a hand was played, as `moment` says it."""
    return moment(hand.played_at, hand.tz)


def not_merged(refused: NotMerged, player: str, alias: str) -> str:
    """Why two names are not merged, or not split."""
    said = {
        "itself": gettext("%(player)s cannot be another name of %(player)s.", player=player),
        "player-is-alias": gettext(
            "%(player)s is another name of %(other)s: merge into that one.",
            player=player,
            other=refused.of,
        ),
        "alias-taken": gettext(
            "%(alias)s is another name of %(other)s already: split it there first.",
            alias=alias,
            other=refused.of,
        ),
        "no-alias": gettext(
            "%(alias)s is no other name of %(player)s.", alias=alias, player=player
        ),
        "unkept": gettext("A name with the character U+0000 cannot be merged."),
    }
    return said[refused.reason]


def severity(code: str) -> Severity:
    """How grave a finding of this code is; an unknown key, which no rule knows, is a warning."""
    return CODES[code].severity if code in CODES else "warning"


def value(thing: object) -> str:
    """A finding's expected or seen value as people read it."""
    match thing:
        case None:
            return NOTHING
        case str():
            return thing
        case int():
            return chips(thing)
        case list():
            return ", ".join(value(part) for part in thing) or NOTHING
        case dict():
            return ", ".join(f"{key} {value(part)}" for key, part in thing.items()) or NOTHING
        case _:
            return str(thing)


def short(name: str) -> str:
    """A name within a sentence, clipped."""
    return name if len(name) <= MOST_OF_A_NAME else name[: MOST_OF_A_NAME - 1] + "…"


def hands(count: int) -> str:
    """So many hands."""
    return ngettext("%(num)s hand", "%(num)s hands", count, num=chips(count))


def size(count: int) -> str:
    """So many bytes, in the largest unit of which there is one."""
    if count < _KILO:
        return ngettext("%(num)s byte", "%(num)s bytes", count, num=chips(count))
    power = min((len(str(count)) - 1) // 3, len(_UNITS) - 1)
    return f"{decimals(count / _KILO**power)} {_UNITS[power]}"


def listed(names: Sequence[str]) -> Markup:
    """Names one after the other, each clipped and written in its own direction."""
    return Markup(", ").join(Markup("<bdi>{}</bdi>").format(short(name)) for name in names)


def severity_word(name: Severity) -> str:
    """How grave a finding is, in a word."""
    return gettext(SEVERITIES[name])


def plural(count: int, one: str, many: str | None = None) -> str:
    """A count with its noun."""
    return f"{chips(count)} {one if count == 1 else many or one + 's'}"


FILTERS: Final = {
    "chips": chips,
    "cell": cell,
    "decimal": decimal,
    "decimals": decimals,
    "hands": hands,
    "listed": listed,
    "size": size,
    "severity_word": severity_word,
    "short": short,
    "signed": signed,
    "percent": percent,
    "moment": moment,
    "plural": plural,
    "severity": severity,
    "played": played,
}
