import datetime as dt
import json
from http import HTTPStatus

from tests.dashboards.conftest import House, OpenPage
from tests.dashboards.evening import evening
from tests.dashboards.test_pages import Tags, seen, text_of
from warehouse.examining import Examiner
from warehouse.intake import process_upload
from warehouse.queries import Warehouse
from warehouse.renewing import renew_upload
from warehouse.store import Store


def _two_tellings(house: House) -> tuple[str, str]:
    """Uploads of the evening, the second with other players in its first hand."""
    first = house.receive(evening(), "evening.ndjson")
    assert process_upload(house.store, first) == "done"
    hand = json.loads(evening().split(b"\n")[0])
    for seat in hand["seats"]:
        seat["player"] += "?"
    second = house.receive(json.dumps(hand).encode(), "told otherwise")
    assert process_upload(house.store, second) == "done"
    return first, second


def test_the_hand_that_counts_is_chosen_by_a_button(empty_house: House) -> None:
    house = empty_house
    first, second = _two_tellings(house)
    url = f"/uploads/{second}"
    [conflict] = house.store.rulings.conflicts(10, upload=second)
    ours, theirs = (one.hand_id for one in conflict.contestants)
    forms = [
        attributes["action"]
        for tag, attributes in Tags(text_of(house.client, url)).found
        if tag == "form" and "ruling" in attributes["action"]
    ]
    assert forms == [f"/conflicts/{ours}/ruling"] * 2  # none of them, or theirs
    answer = house.client.post(forms[0], data={"stands": theirs, "upload": second})
    assert (answer.status_code, answer.location) == (HTTPStatus.SEE_OTHER, url)
    [ruled] = house.store.rulings.conflicts(10, ruled=True)
    assert ruled.ruling is not None
    assert ruled.ruling.stands == theirs
    assert "Ruled" in seen(text_of(house.client, f"/uploads/{first}"))
    again = house.client.post(forms[0], data={"stands": ours})
    assert again.location == f"/conflicts/{ours}"
    nonsense = house.client.post(forms[0], data={"stands": "nonsense"})
    assert nonsense.status_code == HTTPStatus.NOT_FOUND


def test_two_versions_of_a_hand_stand_side_by_side(empty_house: House) -> None:
    house = empty_house
    _, second = _two_tellings(house)
    [conflict] = house.store.rulings.conflicts(10)
    listed = text_of(house.client, f"/conflicts?upload={second}&ruled=no")
    assert f"/conflicts/{conflict.hand_id}" in listed
    page = text_of(house.client, f"/conflicts/{conflict.hand_id}")
    assert "<mark>Anna: 100 → 85 (−15)</mark></td><td><mark>Anna?: 100 → 85 (−15)</mark>" in page
    assert '/seats/0/player (differs) "Anna" "Anna?"' in seen(page)
    rows = house.client.get("/conflicts?csv=conflicts").get_data(as_text=True).splitlines()
    assert [row.split(",")[5] for row in rows] == ["counts", "yes", "no"]
    alone = house.client.get(f"/conflicts/{house.hand_id('low-raise')}")
    assert alone.status_code == HTTPStatus.NOT_FOUND


def test_an_upload_is_deleted_after_a_second_look(empty_house: House, open_page: OpenPage) -> None:
    house = empty_house
    first, second = _two_tellings(house)
    page = open_page(f"{house.base_url}/uploads/{first}")
    button = page.get_by_role("button", name="Delete it for good")
    assert not button.is_visible()
    page.get_by_text("Delete this upload").click()
    button.click()
    page.get_by_role("heading", name="The audit at a glance").wait_for()
    assert house.store.records.upload(first) is None
    deletion = house.store.deletions.deletion(first)
    assert deletion is not None
    assert deletion.deleted_by is not None
    # What was in conflict with its hand counts now.
    assert {one.hand_id for one in Warehouse(house.store.settings).profit("Anna?")}
    assert house.client.post(f"/uploads/{first}/delete").status_code == HTTPStatus.NOT_FOUND
    assert house.client.get(f"/uploads/{second}").status_code == HTTPStatus.OK


def test_what_was_given_up_is_shown_and_tried_again(empty_house: House) -> None:
    house = empty_house
    assert "Nothing was given up" in text_of(house.client, "/dead-letters")
    upload = house.receive(evening(), "evening.ndjson")
    house.store.blobs.delete(upload)
    assert process_upload(house.store, upload) == "failed"
    assert "given up" in seen(text_of(house.client, "/"))
    assert "bytes-missing" in seen(text_of(house.client, "/dead-letters"))
    house.store.blobs.store([evening()])
    answer = house.client.post(f"/uploads/{upload}/retry")
    assert answer.location == f"/uploads/{upload}"
    assert process_upload(house.store, upload) == "done"
    assert "given up" not in seen(text_of(house.client, "/"))
    assert house.client.post(f"/uploads/{'0' * 64}/retry").status_code == HTTPStatus.NOT_FOUND


def test_an_upload_is_audited_anew_by_a_button(empty_house: House) -> None:
    house = empty_house
    with Store(house.store.settings, Examiner("0.9.0")) as old:
        upload = house.receive(evening(), "evening.ndjson")
        assert process_upload(old, upload) == "done"
    url = f"/uploads/{upload}"
    assert "another version of the engine" in seen(text_of(house.client, url))
    assert house.client.post(f"{url}/reaudit").location == url
    page = seen(text_of(house.client, url))
    assert "being audited anew" in page
    assert "Audit anew" not in page
    assert renew_upload(house.store, upload) == "done"
    assert "anew" not in seen(text_of(house.client, url))
    assert house.client.post(f"/uploads/{'0' * 64}/reaudit").status_code == HTTPStatus.NOT_FOUND


def test_a_key_that_may_only_read_is_offered_nothing_to_do(empty_house: House) -> None:
    house = empty_house
    first, _ = _two_tellings(house)
    keys = house.app.extensions["registry"].keys
    _, text = keys.make("local", "reader", ("read",), dt.datetime.now(dt.UTC))
    header = {"Authorization": f"Bearer {text}"}
    page = house.client.get(f"/uploads/{first}", headers=header).get_data(as_text=True)
    assert "Let this one count" not in page
    assert "Delete" not in page
    refused = house.client.post(f"/uploads/{first}/delete", headers=header)
    assert refused.status_code == HTTPStatus.FORBIDDEN
