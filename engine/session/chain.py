"""The accounts of a session from hand to hand: what each hand must begin with (S1, S2, S5).

After a break the accounts go on from what the hand states, so that one slip is one finding.
"""

from engine.session.record import SessionHand, SessionRecord
from engine.session.result import SessionFinding, TableAfter
from engine.session.turns import expected_dealer, turn_order


class Chain:
    """The accounts so far, by player. `take` adds a hand.

    ``suspect`` are the players whose accounts a break or a gap has touched; ``parts`` is the first
    hand at which the session says something else of a player than we do.
    """

    def __init__(self, record: SessionRecord, findings: list[SessionFinding]) -> None:
        self.record = record
        self.findings = findings
        self.stacks: dict[int, int] = {}
        self.ledger: dict[int, int] = {}
        self.bought: dict[int, int] = {}
        self.carried = 0
        self.unexplained = 0
        self.previous: SessionHand | None = None
        self.open_outcome = False
        self.ledger_known = True
        self.suspect: set[int] = set()
        self.parts: dict[int, int] = {}
        self._listed = {
            (rebuy.player, rebuy.number): index for index, rebuy in enumerate(record.rebuys or [])
        }
        self._points = {point.number: index for index, point in enumerate(record.ledger or [])}
        self._off_by: dict[int, int] = {}
        self._gap = 0
        self._follows = True

    def take(self, hand: SessionHand, missing: int) -> TableAfter:
        """Holds a hand against the ones before it; ``missing`` hands lie in between."""
        self._gap += missing
        self._follows = self._gap == 0 and not self.open_outcome
        if self._gap:
            self.ledger_known = False
        if not hand.same_rules:
            self._report(hand, "rules-break", "/rules", -1, None, None)
        if self._seated_once(hand):
            self._begin(hand)
            self._close(hand)
            self._check_ledger(hand)
            self.previous = hand
            self._gap = 0
        else:
            self._follows = False
            self.open_outcome = True
            self._gap += 1
        for player in hand.parted:
            self._part(player, hand.number)
        return TableAfter(
            number=hand.number,
            place=hand.place,
            stacks=None if self.open_outcome else dict(self.stacks),
            ledger=dict(self.ledger),
            bought=dict(self.bought),
            carried=-1 if self.open_outcome else self.carried,
            unexplained=self.unexplained,
            follows=self._follows,
        )

    def report_unplayed(self) -> None:
        """Reports what the session lists and no hand shows; to be called after the last hand.

        What is listed for hands that are still to come may be shown by them.
        """
        last = 0 if self.previous is None else self.previous.number
        for number, index in self._points.items():
            if number > max(last, self.record.listed):
                pointer = f"/ledger/{index}/after"
                found = SessionFinding(
                    "ledger-break", pointer, -1, -1, -1, last, number, "unplayed"
                )
                self.findings.append(found)
        listed = self.record.rebuys or []
        for index in self._listed.values():
            rebuy = listed[index]
            if last < rebuy.number <= self.record.listed:
                continue
            self._part(rebuy.player, rebuy.number)
            found = SessionFinding(
                "rebuy-list",
                f"/rebuys/{index}",
                rebuy.number,
                -1,
                rebuy.player,
                None,
                rebuy.amount,
                "unplayed",
            )
            self.findings.append(found)

    def _report(
        self,
        hand: SessionHand,
        code: str,
        below: str,
        player: int,
        expected: object,
        seen: object,
        part: str = "",
    ) -> None:
        pointer = f"/hands/{hand.place}{below}"
        self.findings.append(
            SessionFinding(code, pointer, hand.number, hand.place, player, expected, seen, part)
        )

    def _part(self, player: int, number: int) -> None:
        self.parts[player] = min(number, self.parts.get(player, number))

    def _seated_once(self, hand: SessionHand) -> bool:
        """Whether nobody sits twice; where somebody does, the hand's accounts cannot be told."""
        met: set[int] = set()
        for seat, player in enumerate(hand.players):
            if player in met:
                self._report(hand, "player-twice", f"/seats/{seat}/player", player, None, None)
                return False
            met.add(player)
        return True

    def _begin(self, hand: SessionHand) -> None:
        """What the hand begins with against what the hands before it have left."""
        for player in hand.players:
            if player in self.stacks:
                self.stacks[player] += self._listed_in_gap(player, hand)
        before = self.carried + sum(self.stacks.get(player, 0) for player in hand.players)
        if self.previous is not None:
            self._check_seats(hand, self.previous)
        if self._follows and hand.carried != self.carried:
            self._report(hand, "carried-break", "/carried", -1, self.carried, hand.carried)
            self.suspect.update(hand.players)
        self.unexplained += hand.carried - self.carried
        self.carried = hand.carried
        for seat in range(len(hand.players)):
            self._check_stack(hand, seat)
        if not self._follows:
            self._check_gap(hand, before)

    def _listed_in_gap(self, player: int, hand: SessionHand) -> int:
        """What the list says that a player bought before hands that are missing; it is counted."""
        chips = 0
        listed = (self.record.rebuys or []) if self._gap else []
        for (buyer, number), index in list(self._listed.items()) if listed else []:
            if buyer == player and hand.number - self._gap <= number < hand.number:
                chips += listed[index].amount
                del self._listed[buyer, number]
        self.bought[player] = self.bought.get(player, 0) + chips
        return chips

    def _check_seats(self, hand: SessionHand, previous: SessionHand) -> None:
        if self.record.terms.seats == "fixed":
            for seat, player in enumerate(hand.players):
                if player not in previous.players:
                    below = f"/seats/{seat}/player"
                    self._report(hand, "player-joined", below, player, None, None)
            for player in previous.players:
                if player not in hand.players:
                    self._report(hand, "player-left", "/seats", player, None, None)
        if self._gap:
            return
        expected = turn_order(previous.players, hand.players)
        seen = turn_order(hand.players, previous.players)
        if expected and seen != expected:
            self._report(hand, "order-break", "/seats", -1, expected, seen)
            return
        dealer = expected_dealer(previous.players, previous.dealer, hand.players)
        if dealer not in (-1, hand.players[hand.dealer]):
            self._report(hand, "dealer-break", "/dealer", -1, dealer, hand.players[hand.dealer])

    def _check_stack(self, hand: SessionHand, seat: int) -> None:
        player, stack = hand.players[seat], hand.stacks[seat]
        arrives = player not in self.stacks
        if arrives:
            self._arrive(hand, seat)
        elif self._follows:
            self._go_on(hand, seat)
        else:
            self.bought[player] += hand.rebuys[seat]
            self._explain(player, stack - self.stacks[player] - hand.rebuys[seat])
            self.suspect.add(player)
        if self._follows:
            self._check_exemption(hand, seat)
        # An arrival that is written as a rebuy is none.
        if self.record.rebuys is not None and not (arrives and hand.rebuys[seat] == stack):
            self._check_list(hand, seat)
        self.stacks[player] = stack

    def _arrive(self, hand: SessionHand, seat: int) -> None:
        """A player's first hand: what lies there was bought."""
        player, stack = hand.players[seat], hand.stacks[seat]
        buy_ins = self.record.buy_ins
        entered = buy_ins is not None and player in buy_ins
        expected = (buy_ins or {}).get(player, self.record.terms.cave)
        self.ledger[player] = 0
        if buy_ins is not None and not entered:
            self._report(hand, "not-entered", f"/seats/{seat}/player", player, None, None)
        if self._follows:
            if stack != expected:
                below = f"/seats/{seat}/stack"
                self._report(hand, "arrival-cave", below, player, expected, stack)
                self._part(player, hand.number)
            self.bought[player] = expected if entered else stack
        else:
            self._listed_in_gap(player, hand)
            self.bought[player] += expected
            self.suspect.add(player)
        self._explain(player, stack - self.bought[player])

    def _go_on(self, hand: SessionHand, seat: int) -> None:
        player, stack, rebuy = hand.players[seat], hand.stacks[seat], hand.rebuys[seat]
        held = self.stacks[player]
        if rebuy and held and stack == rebuy:
            self._report(hand, "rebuy-early", f"/seats/{seat}/rebuy", player, 0, held)
        elif not rebuy and not held and stack == self.record.terms.cave:
            self._report(hand, "rebuy-unrecorded", f"/seats/{seat}", player, stack, None)
            rebuy = stack
        elif stack != held + rebuy:
            below = f"/seats/{seat}/stack"
            self._report(hand, "stack-break", below, player, held + rebuy, stack)
        else:
            self.bought[player] += rebuy
            return
        self._part(player, hand.number)
        self.bought[player] += rebuy
        self._explain(player, stack - held - rebuy)

    def _check_exemption(self, hand: SessionHand, seat: int) -> None:
        """Whether the seat owes an ante, as the hand before has it; one that was not in it does."""
        player = hand.players[seat]
        due = False
        previous = self.previous
        if previous is not None and player in previous.players:
            if previous.exempt_next is None:
                return
            due = previous.exempt_next[previous.players.index(player)]
        if hand.exempt[seat] != due:
            below = f"/seats/{seat}/exempt"
            self._report(
                hand,
                "exempt-break",
                below,
                player,
                due,
                hand.exempt[seat],
                "due" if due else "undue",
            )

    def _explain(self, player: int, chips: int) -> None:
        """Accounts for chips that came or went without a reason."""
        if chips:
            self.unexplained += chips
            self.suspect.add(player)

    def _check_list(self, hand: SessionHand, seat: int) -> None:
        """The hand's rebuy against the session's own list of them."""
        player, rebuy = hand.players[seat], hand.rebuys[seat]
        index = self._listed.pop((player, hand.number), -1)
        listed = 0
        if index >= 0 and self.record.rebuys is not None:
            listed = self.record.rebuys[index].amount
        if listed == rebuy:
            return
        self._part(player, hand.number)
        part = "" if rebuy and listed else "unplayed" if listed else "unlisted"
        self.findings.append(
            SessionFinding(
                "rebuy-list",
                f"/rebuys/{index}/amount" if index >= 0 else "/rebuys",
                hand.number,
                hand.place,
                player,
                rebuy or None,
                listed or None,
                part,
            )
        )

    def _check_gap(self, hand: SessionHand, before: int) -> None:
        """Over a gap the chips of the same players still add up, but for caves bought in it."""
        previous = self.previous
        if previous is None or set(previous.players) != set(hand.players):
            return
        expected = before + sum(hand.rebuys)
        seen = hand.carried + sum(hand.stacks)
        extra = seen - expected
        may_have_bought = self._gap > 0 and self.record.rebuys is None
        if extra and not (may_have_bought and extra > 0 and extra % self.record.terms.cave == 0):
            self._report(hand, "gap-chips", "/seats", -1, expected, seen)

    def _close(self, hand: SessionHand) -> None:
        """The accounts after the hand, as far as its replay tells them."""
        self.open_outcome = hand.after is None or hand.left < 0
        if self.open_outcome or hand.premiums is None:
            self._report(hand, "outcome-open", "", -1, None, None)
            self.suspect.update(hand.players)
        if hand.after is not None and not self.open_outcome:
            for seat, player in enumerate(hand.players):
                self.stacks[player] = hand.after[seat]
            self.carried = hand.left
        if hand.premiums is None:
            self.ledger_known = False
        else:
            for seat, player in enumerate(hand.players):
                self.ledger[player] += hand.premiums[seat]

    def _check_ledger(self, hand: SessionHand) -> None:
        index = self._points.pop(hand.number, -1)
        if index < 0 or self.record.ledger is None:
            return
        for player, seen in self.record.ledger[index].balances.items():
            ours = self.ledger.get(player, 0)
            off_by = seen - ours
            if not self.ledger_known and player in self.ledger:
                self.ledger[player] = seen
                self._explain(player, off_by)
            elif off_by not in (0, self._off_by.get(player, 0)):
                self._part(player, hand.number)
                finding = SessionFinding(
                    "ledger-break",
                    f"/ledger/{index}",
                    hand.number,
                    hand.place,
                    player,
                    ours,
                    seen,
                )
                self.findings.append(finding)
            self._off_by[player] = seen - self.ledger.get(player, 0)
        self.ledger_known = True
