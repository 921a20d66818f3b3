"""One club's storage, opened: the records, the raw uploads, the published segments."""

from typing import Self

from warehouse.blobs import BlobStore
from warehouse.database import open_house
from warehouse.publishing import Publisher
from warehouse.records import Records
from warehouse.segments import SegmentFolder
from warehouse.settings import Settings
from warehouse.webhooks import Webhooks


class Store:
    """What writes into a house works with. It may be shared by threads."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.database = open_house(settings)
        self.records = Records(self.database)
        self.webhooks = Webhooks(self.database)
        self.blobs = BlobStore(settings)
        self.segments = SegmentFolder(settings)
        self.publisher = Publisher(self.database, self.segments)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()
