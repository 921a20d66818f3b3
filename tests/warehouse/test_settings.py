from pathlib import Path

import pytest

from warehouse.settings import Settings, SettingsError, read_settings


def test_nothing_set_keeps_everything_in_one_folder() -> None:
    settings = read_settings({})
    assert settings.data == Path("data")
    assert settings.home == Path("data/clubs/local")
    assert settings.records_url is None
    assert settings.broker_url is None
    assert settings.max_upload_bytes == 134_217_728


def test_every_setting_has_a_variable() -> None:
    environment = {
        "RETOURNE_DATA": "/srv/retourne",
        "RETOURNE_RECORDS": "postgresql://records",
        "RETOURNE_BROKER": "redis://broker",
        "RETOURNE_OBJECTS": "s3://bucket/and/prefix",
        "RETOURNE_S3_ENDPOINT": "http://objects:8333",
        "RETOURNE_CACHE_BYTES": "10",
        "RETOURNE_LOGIN": "open",
        "RETOURNE_SECURE_COOKIES": "1",
        "RETOURNE_REQUEST_RATE": "8/hour",
        "RETOURNE_UPLOAD_RATE": "9/day",
        "RETOURNE_MAX_UPLOAD_BYTES": "1",
        "RETOURNE_MAX_EXPANDED_BYTES": "2",
        "RETOURNE_MAX_RATIO": "3",
        "RETOURNE_MAX_LINE_BYTES": "4",
        "RETOURNE_MAX_DOCUMENT_BYTES": "5",
        "RETOURNE_UNRATED_BYTES": "21",
        "RETOURNE_MAX_DEPTH": "22",
        "RETOURNE_MAX_EVENTS": "23",
        "RETOURNE_MAX_HANDS": "24",
        "RETOURNE_MAX_ZIP_FILES": "25",
        "RETOURNE_MAX_FORM_PARTS": "26",
        "RETOURNE_CHUNK_HANDS": "6",
        "RETOURNE_CHUNK_BYTES": "7",
    }
    assert read_settings(environment) == Settings(
        data=Path("/srv/retourne"),
        records_url="postgresql://records",
        broker_url="redis://broker",
        objects="s3://bucket/and/prefix",
        s3_endpoint="http://objects:8333",
        cache_bytes=10,
        login="open",
        secure_cookies=True,
        request_rate="8/hour",
        upload_rate="9/day",
        max_upload_bytes=1,
        max_expanded_bytes=2,
        max_ratio=3,
        max_line_bytes=4,
        max_document_bytes=5,
        unrated_bytes=21,
        max_depth=22,
        max_events=23,
        max_hands=24,
        max_zip_files=25,
        max_form_parts=26,
        chunk_hands=6,
        chunk_bytes=7,
    )


@pytest.mark.parametrize("value", ["0", "-1", "many", "1.5"])
def test_a_wrong_value_is_named(value: str) -> None:
    with pytest.raises(SettingsError, match=f"RETOURNE_CHUNK_HANDS='{value}'"):
        read_settings({"RETOURNE_CHUNK_HANDS": value})


@pytest.mark.parametrize(
    "value", ["bucket", "s3://", "s3://B", "https://objects/bucket", "s3://a b"]
)
def test_what_is_no_bucket_is_named(value: str) -> None:
    with pytest.raises(SettingsError, match="RETOURNE_OBJECTS"):
        read_settings({"RETOURNE_OBJECTS": value})


@pytest.mark.parametrize(
    ("variable", "value"), [("RETOURNE_MAX_DEPTH", "65"), ("RETOURNE_MAX_EVENTS", "2001")]
)
def test_a_hand_may_not_hold_more_than_the_format_allows(variable: str, value: str) -> None:
    with pytest.raises(SettingsError, match=variable):
        read_settings({variable: value})


def test_an_empty_variable_counts_as_absent() -> None:
    assert read_settings({"RETOURNE_MAX_RATIO": ""}).max_ratio == 200
