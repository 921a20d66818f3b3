"""The service's metrics as Prometheus reads them, at ``/metrics``.

Requests are counted by every process and added up over all of them; what there is in the houses is
counted when it is asked for. Nothing in them names a club, a player or a key.
"""

import datetime as dt
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from typing import Final, get_args

from flask import Blueprint, Flask, Response, g, request
from prometheus_client import (
    CollectorRegistry,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client import Counter as RequestCounter
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_1_0_0
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from dashboards.house import house, needs
from engine import ENGINE_VERSION
from service import tracing
from service.problems import problem
from service.registry import Registry, registry
from warehouse.gauges import HANDS, Gauges, read_gauges
from warehouse.records import UNFINISHED, Status
from warehouse.settings import LOCAL_CLUB
from warehouse.webhooks import State

blueprint: Final = Blueprint("metrics", __name__)

FOLDER_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
"""Names the folder where the processes of one server keep their counts, if there are several."""

_VERSION: Final = version("retourne")
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

disable_created_metrics()  # type: ignore[no-untyped-call] # they double what nobody asks for
_own: Final = CollectorRegistry()
_requests: Final = RequestCounter(
    "retourne_http_requests",
    "Requests that were answered.",
    ["method", "route", "status"],
    registry=_own,
)
_latency: Final = Histogram(
    "retourne_http_request_seconds",
    "Seconds from a request to the beginning of its answer.",
    ["method", "route"],
    buckets=_SECONDS,
    registry=_own,
)


def measure(app: Flask) -> None:
    """Count every request of the app, and show the metrics."""
    app.after_request(_count)
    app.register_blueprint(blueprint)


@blueprint.get("/metrics")
@needs("admin")
def show() -> Response:
    """All metrics. Where they are open, nobody who reads them has been asked for a key."""
    if "house" in g and house().club != LOCAL_CLUB:
        detail = f"The metrics are those of all clubs; they take a key of the club {LOCAL_CLUB}."
        return problem("missing-scope", detail, scope="admin")
    houses = CollectorRegistry()
    houses.register(_Houses(registry()))
    body = generate_latest(_counted()) + generate_latest(houses)
    return Response(body, content_type=CONTENT_TYPE_PLAIN_1_0_0)


def _counted() -> CollectorRegistry:
    """What this process has counted, or all processes of its server."""
    if FOLDER_VARIABLE not in os.environ:
        return _own
    several = CollectorRegistry()
    MultiProcessCollector(several)  # type: ignore[no-untyped-call]
    return several


def _count(response: Response) -> Response:
    route = "none" if request.url_rule is None else request.url_rule.rule
    method = request.method if request.method in _METHODS else "other"
    _requests.labels(method, route, str(response.status_code)).inc()
    _latency.labels(method, route).observe(tracing.seconds())
    return response


class _Houses(Collector):
    """What there is in the houses of all clubs, added up."""

    def __init__(self, known: Registry) -> None:
        self._known = known

    def collect(self) -> Iterator[Metric]:
        houses = [self._known.houses.of(club.id) for club in self._known.clubs.all()]
        found = [read_gauges(one.store.database) for one in houses]
        uploads = _sum(one.uploads for one in found)
        deliveries = _sum(one.deliveries for one in found)
        yield _gauge("uploads", "Uploads by their status.", "status", get_args(Status), uploads)
        yield _gauge(
            "hands",
            "Hands that were read, by what became of them.",
            "outcome",
            HANDS,
            _sum(one.hands for one in found),
        )
        yield _gauge(
            "webhook_deliveries",
            "Deliveries to webhooks of the last 30 days, by their state.",
            "state",
            get_args(State),
            deliveries,
        )
        yield GaugeMetricFamily(
            "retourne_backlog_uploads",
            "Uploads that are not finished.",
            value=sum(uploads[status] for status in UNFINISHED),
        )
        yield GaugeMetricFamily(
            "retourne_backlog_oldest_seconds",
            "The age of the oldest upload that is not finished.",
            value=_age(found),
        )
        dead = {"upload": uploads["quarantined"], "delivery": deliveries["dead"]}
        yield _gauge("dead_letters", "What was given up, by kind.", "kind", tuple(dead), dead)
        yield GaugeMetricFamily("retourne_clubs", "Clubs of the installation.", value=len(houses))
        yield InfoMetricFamily(
            "retourne_build",
            "What is running.",
            {"version": _VERSION, "engine": ENGINE_VERSION},
        )


def _gauge(
    name: str, about: str, label: str, values: Iterable[str], numbers: Mapping[str, int]
) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"retourne_{name}", about, labels=[label])
    for value in values:
        family.add_metric([value], numbers.get(value, 0))
    return family


def _sum(tallies: Iterable[Mapping[str, int]]) -> Counter[str]:
    return sum((Counter(one) for one in tallies), Counter())


def _age(found: Iterable[Gauges]) -> float:
    since = [one.waiting_since for one in found if one.waiting_since is not None]
    return max(0.0, (dt.datetime.now(dt.UTC) - min(since)).total_seconds()) if since else 0.0
