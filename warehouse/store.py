"""One club's storage, opened: the records, the raw uploads, the published segments."""

from typing import Self

from warehouse.arrivals import Arrivals
from warehouse.blobs import BlobStore
from warehouse.compaction import Compaction
from warehouse.database import open_house
from warehouse.dead_letters import DeadLetters
from warehouse.deletion import Deletions
from warehouse.examining import Examiner, installed
from warehouse.notes import Notes
from warehouse.publishing import Publisher
from warehouse.reaudits import Reaudits
from warehouse.rebuilding import Rebuilder
from warehouse.records import Records
from warehouse.renewals import Renewals
from warehouse.rollup_base import RollupBase
from warehouse.rulings import Rulings
from warehouse.segments import SegmentFolder
from warehouse.sessions.records import SessionRecords
from warehouse.sessions.runs import SessionRuns
from warehouse.settings import Settings
from warehouse.webhooks import Webhooks


class Store:
    """What writes into a house works with. It may be shared by threads.

    ``examiner`` is what hands are examined with: the engine that is installed unless another is
    given.
    """

    def __init__(self, settings: Settings, examiner: Examiner | None = None) -> None:
        examiner = examiner or installed(settings)
        self.settings = settings
        self.examiner = examiner
        self.database = open_house(settings)
        self.records = Records(self.database)
        self.sessions = SessionRecords(self.database)
        self.session_runs = SessionRuns(self.database)
        self.webhooks = Webhooks(self.database)
        self.blobs = BlobStore(settings)
        self.arrivals = Arrivals(self.database, self.blobs)
        self.segments = SegmentFolder(settings)
        self.publisher = Publisher(self.database, self.segments, examiner.version)
        self.rulings = Rulings(self.database)
        self.renewals = Renewals(self.database, self.publisher)
        self.reaudits = Reaudits(self.database, examiner.version)
        self.compaction = Compaction(
            self.database, self.segments, settings.chunk_hands // 2, settings.chunk_bytes
        )
        self.rebuilder = Rebuilder(self.database, self.segments, self.compaction, examiner)
        self.dead_letters = DeadLetters(self.database)
        self.notes = Notes(self.database)
        self.rollups = RollupBase(settings.home)
        self.deletions = Deletions(
            self.database,
            self.blobs,
            self.segments,
            self.compaction,
            self.rollups,
            examiner.version,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()
