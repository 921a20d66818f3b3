"""The web application: the API and the pages over one installation."""

from flask import Flask

from dashboards.conflict_pages import blueprint as conflict_pages
from dashboards.hand_search import blueprint as hand_search
from dashboards.language import speak
from dashboards.life_pages import blueprint as life_pages
from dashboards.note_pages import blueprint as note_pages
from dashboards.pages import blueprint as pages
from dashboards.player_pages import blueprint as player_pages
from dashboards.season_pages import blueprint as season_pages
from dashboards.session_pages import blueprint as session_pages
from dashboards.statistic_pages import blueprint as statistic_pages
from dashboards.upload_pages import blueprint as upload_pages
from service.access import guard
from service.api import blueprint as api
from service.api.reference import blueprint as reference
from service.compressing import pack
from service.headers import secure
from service.limits import limit
from service.login import blueprint as login
from service.metrics import measure
from service.problems import handle_all
from service.settings_pages import blueprint as settings_pages
from service.sharing import blueprint as sharing
from service.sharing import public as shared
from service.streaming import keep_streams
from service.tracing import trace
from service.webhook_pages import blueprint as webhook_pages
from warehouse.settings import Settings, read_settings


def create_app(settings: Settings | None = None) -> Flask:
    """Makes the application; without settings, with those that the environment asks for."""
    settings = settings or read_settings()
    app = Flask("retourne", static_folder=None)
    app.url_map.strict_slashes = False
    trace(app)
    measure(app)
    secure(app)
    pack(app)
    guard(app, settings)
    handle_all(app)
    keep_streams(app, settings)
    speak(app)
    app.register_blueprint(api)
    app.register_blueprint(pages)
    app.register_blueprint(player_pages)
    app.register_blueprint(statistic_pages)
    app.register_blueprint(session_pages)
    app.register_blueprint(season_pages)
    app.register_blueprint(hand_search)
    app.register_blueprint(upload_pages)
    app.register_blueprint(conflict_pages)
    app.register_blueprint(life_pages)
    app.register_blueprint(note_pages)
    app.register_blueprint(reference)
    app.register_blueprint(login)
    app.register_blueprint(settings_pages)
    app.register_blueprint(webhook_pages)
    app.register_blueprint(sharing)
    app.register_blueprint(shared)
    limit(app, settings)
    return app
