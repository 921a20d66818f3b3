// Moves chips and cards from where they were to where the table shows them. It changes nothing.
"use strict";

const cardMoves = (() => {
  const CARDS = ".hand .card";
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const EASE = "cubic-bezier(0.2, 0.7, 0.3, 1)";

  function middle(felt, node) {
    const ground = felt.getBoundingClientRect();
    const box = node.getBoundingClientRect();
    return { x: box.left + box.width / 2 - ground.left, y: box.top + box.height / 2 - ground.top };
  }

  // A node that is in its place comes there from elsewhere.
  function arrive(felt, node, from, ms, delay = 0) {
    const to = middle(felt, node);
    const away = `${from.x - to.x}px ${from.y - to.y}px`;
    node.animate(
      [
        { translate: away, opacity: 0.4 },
        { translate: "0 0", opacity: 1 },
      ],
      { duration: ms, delay, easing: EASE, fill: "backwards" },
    );
  }

  // Chips that end in what is shown already fly there and are gone.
  function fly(felt, amount, from, to, ms, delay = 0) {
    const chips = document.createElement("div");
    chips.className = "flying";
    chips.style.left = `${from.x}px`;
    chips.style.top = `${from.y}px`;
    chips.append(cardTable.pile(amount), cardTable.number.format(amount));
    felt.append(chips);
    const flight = chips.animate(
      [
        { translate: "0 0", opacity: 1 },
        { translate: `${to.x - from.x}px ${to.y - from.y}px`, opacity: 1, offset: 0.85 },
        { translate: `${to.x - from.x}px ${to.y - from.y}px`, opacity: 0 },
      ],
      { duration: ms, delay, easing: EASE, fill: "both" },
    );
    flight.finished.then(
      () => chips.remove(),
      () => {},
    );
  }

  function settle(felt, ours, seats, ms) {
    const centre = middle(felt, felt.querySelector(".centre"));
    ours.pots.forEach((pot, index) => {
      for (const [seat, share] of Object.entries(pot.winners ?? {})) {
        if (share > 0) fly(felt, share, centre, seats[seat], ms * 1.5, index * ms * 0.6);
      }
    });
    const later = ours.pots.length * ms * 0.6;
    for (const paid of ours.premium_payments ?? []) {
      if (paid.amount > 0) {
        fly(felt, paid.amount, seats[paid.payer], seats[paid.holder], ms * 1.5, later);
      }
    }
    for (const paid of ours.payments ?? []) {
      if (paid.amount > 0) fly(felt, paid.amount, seats[paid.seat], centre, ms * 1.5, later);
    }
  }

  function run(felt, replay, step, ms) {
    if (still.matches) return;
    const nodes = [...felt.querySelectorAll(".seat")];
    const seats = nodes.map((node) => middle(felt, node.querySelector(".plate")));
    const centre = middle(felt, felt.querySelector(".turned"));
    if (step.state.stage === "end" && step.event === null && replay.audit.ours !== null) {
      settle(felt, replay.audit.ours, seats, ms);
      return;
    }
    if (step.do === "ante" && step.event === null) {
      for (const bet of felt.querySelectorAll(".bet[data-seat]")) {
        arrive(felt, bet, seats[bet.dataset.seat], ms);
      }
    }
    if (step.do === "turn") {
      const turned = felt.querySelector(".turned .card");
      turned?.animate([{ scale: "0 1" }, { scale: "1 1" }], { duration: ms, easing: EASE });
    }
    if (step.seat === null || !nodes[step.seat]) return;
    const cards = nodes[step.seat].querySelectorAll(CARDS);
    if (step.do === "deal") {
      cards.forEach((card, place) => arrive(felt, card, centre, ms, place * ms * 0.2));
    } else if (step.do === "play") {
      const played = felt.querySelector(`.played[data-seat="${step.seat}"]`);
      if (played) arrive(felt, played, seats[step.seat], ms);
    } else if (step.do === "show") {
      for (const card of cards) {
        card.animate([{ scale: "0 1" }, { scale: "1 1" }], { duration: ms, easing: EASE });
      }
    } else if (step.add > 0) {
      const bet = felt.querySelector(`.bet[data-seat="${step.seat}"]`);
      fly(felt, step.add, seats[step.seat], bet === null ? centre : middle(felt, bet), ms);
    }
  }

  return { run };
})();
