"""What a hand costs: decode and full audit, beside PokerKit and beside the bare typed decode.

One process, one core, the contenders in turn, round after round; the table shows the median of the
rounds and the ratios of medians. Run it with `make bench`.
"""

import gc
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from pokerkit import HandHistory

import engine.vying.replay
from schemas.audit import audit_document, examine_hand, replay_document
from schemas.document import Hand
from schemas.errors import UnreadableHand
from schemas.generate import generate_hands

ROUNDS = 15
HANDS = 1000
SEED = 20
PRESETS = ("bouillotte/salon", "bouillotte/historico")

PHH_HAND = """\
variant = "NT"
antes = [0, 0, 0, 0]
blinds_or_straddles = [1, 2, 0, 0]
min_bet = 2
starting_stacks = [200, 200, 200, 200]
actions = [
  "d dh p1 8h8d", "d dh p2 KcQc", "d dh p3 AsKd", "d dh p4 7c2d",
  "p3 cbr 6", "p4 f", "p1 cc", "p2 cc",
  "d db Jc8s4h", "p1 cc", "p2 cc", "p3 cbr 12", "p1 cbr 30", "p2 f", "p3 cc",
  "d db 2s", "p1 cbr 60", "p3 cc",
  "d db 9d", "p1 cc",
]
"""
"""A no-limit hold'em hand of twenty actions, written for this benchmark."""


def poker_hand(text: str) -> None:
    """Parses and replays one hand with PokerKit, to its last state."""
    history = HandHistory.loads(text)
    for _ in history:
        pass


def audit(raw: bytes) -> None:
    """Decodes one hand and audits it, the declared result included."""
    examined = examine_hand(raw)
    if isinstance(examined, UnreadableHand) or examined.replay.verdict != "legal":
        raise SystemExit("the benchmark's hands are all legal, and this one is not")


def verdict(raw: bytes) -> None:
    """The audit and its public document."""
    examined = examine_hand(raw)
    if isinstance(examined, UnreadableHand):
        raise SystemExit("the benchmark's hands can all be read")
    audit_document(examined)


def each(work: Callable[[Any], object], items: Sequence[object]) -> float:
    """Seconds of processor time per item."""
    start = time.process_time()
    for item in items:
        work(item)
    return (time.process_time() - start) / len(items)


def main() -> None:
    """Measures and prints the table."""
    raws = [msgspec.json.encode(hand) for hand in generate_hands(HANDS, SEED, PRESETS)]
    decoder = msgspec.json.Decoder(Hand)
    contenders: dict[str, Callable[[], float]] = {
        "PokerKit, parse + replay of a 20-action hand": lambda: each(poker_hand, [PHH_HAND] * 20),
        "bare typed decode of the same documents": lambda: each(decoder.decode, raws),
        "decode + full audit": lambda: each(audit, raws),
        "decode + full audit + verdict document": lambda: each(verdict, raws),
        "decode + replay of every step": lambda: each(replay_document, raws[:200]),
    }
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    gc.freeze()
    for _ in range(ROUNDS):
        for name, run in contenders.items():
            seconds[name].append(run())
    report(raws, {name: statistics.median(times) for name, times in seconds.items()})


def report(raws: list[bytes], medians: dict[str, float]) -> None:
    """Prints the medians and how many times faster each is than the two it is held against."""
    poker, bare, *_ = medians.values()
    compiled = not str(engine.vying.replay.__file__).endswith(".py")
    size = sum(map(len, raws)) / len(raws)
    print(f"Engine: {'compiled' if compiled else 'pure Python'}; Python {sys.version.split()[0]}")
    print(f"{HANDS} hands of Bouillotte, {size:.0f} bytes each; median of {ROUNDS} rounds")
    print(f"{'':48}{'hands/s':>10}{'µs':>8}{'× PokerKit':>12}{'÷ bare':>8}")
    for name, median in medians.items():
        print(
            f"{name:48}{1 / median:>10,.0f}{median * 1e6:>8.1f}"
            f"{poker / median:>12.1f}{bare / median:>8.2f}"
        )


if __name__ == "__main__":
    main()
