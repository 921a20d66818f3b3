"""``python -m warehouse.chance`` counts every table anew and writes its file and the checksums.

It takes some minutes on one core. The bytes are the same every time; names of decks, such as
``AK98``, count only those.
"""

import hashlib
import sys
import time
from array import array

from engine.chance.classes import class_size, hand_classes
from engine.chance.showdown import ShowdownCounter, other_deals
from warehouse.chance import FOLDER, TABLES, counts_bytes, table_file

SUMS = FOLDER / "SHA256SUMS"


def build(ranks: str) -> dict[int, bytes]:
    """The files of a deck's tables, by the number of players.

    Raises:
        ArithmeticError: some deal has not exactly one winner.
    """
    players = list(TABLES[ranks])
    counter = ShowdownCounter(ranks, players)
    tables = [array("Q") for _ in players]
    won = [0] * len(players)
    dealt = 0
    for codes in hand_classes(ranks):
        size = class_size(codes)
        dealt += size
        for index, places in enumerate(counter.won_deals(codes)):
            tables[index].extend(places)
            won[index] += size * sum(places)
    for index, number in enumerate(players):
        if won[index] != dealt * other_deals(4 * len(ranks), number):
            raise ArithmeticError(f"{ranks}, {number} players: won deals are not all deals")
    return {number: counts_bytes(table) for number, table in zip(players, tables, strict=True)}


def main(decks: list[str]) -> None:
    """Writes the files of the decks' tables, then the checksums of all files."""
    for ranks in decks:
        began = time.process_time()
        for players, raw in build(ranks).items():
            table_file(ranks, players).write_bytes(raw)
        sys.stderr.write(f"{ranks}: {time.process_time() - began:.0f} s of computing\n")
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(FOLDER.glob("*.counts"))
    ]
    SUMS.write_text("".join(lines))


if __name__ == "__main__":
    main(sys.argv[1:] or list(TABLES))
