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

  // A node goes elsewhere and is gone.
  function depart(node, by, ms, delay = 0) {
    const away = `${by.x}px ${by.y}px`;
    const flight = node.animate(
      [
        { translate: "0 0", opacity: 1 },
        { translate: away, opacity: 1, offset: 0.85 },
        { translate: away, opacity: 0 },
      ],
      { duration: ms, delay, easing: EASE, fill: "both" },
    );
    flight.finished.then(
      () => node.remove(),
      () => {},
    );
  }

  // Chips that end in what is shown already fly there.
  function fly(felt, amount, from, to, ms, delay = 0) {
    const chips = cards.element("div", "flying");
    chips.style.left = `${from.x}px`;
    chips.style.top = `${from.y}px`;
    chips.append(cards.pile(amount), cards.number.format(amount));
    felt.append(chips);
    depart(chips, { x: to.x - from.x, y: to.y - from.y }, ms, delay);
  }

  function flip(node, ms) {
    node.animate([{ scale: "0 1" }, { scale: "1 1" }], { duration: ms, easing: EASE });
  }

  // First what nobody called goes back, then the pots are paid one by one, and premiums come last.
  function settle(felt, replay, step, seats, centre, ms) {
    const ours = replay.audit.ours;
    let delay = 0;
    for (const [seat, amount] of Object.entries(ours.returned ?? {})) {
      fly(felt, amount, centre, seats[seat], ms * 1.5, delay);
    }
    for (const pot of ours.pots) {
      for (const [seat, share] of Object.entries(pot.winners ?? {})) {
        if (share > 0) fly(felt, share, centre, seats[seat], ms * 1.5, delay);
      }
      delay += ms * 0.6;
    }
    for (const [from, to, paid] of cardTable.payments(replay, step)) {
      fly(felt, paid.amount, seats[from], to === null ? centre : seats[to], ms * 1.5, delay);
    }
  }

  // What lies before the seats goes to the middle, a trick that is full to whoever took it.
  function clear(felt, lay, seats, centre, ms) {
    const winner = lay.find((node) => node.classList.contains("wins"));
    const to = winner === undefined ? centre : seats[winner.dataset.seat];
    for (const node of lay) {
      node.classList.add("leaving");
      felt.append(node);
      const from = middle(felt, node);
      depart(node, { x: to.x - from.x, y: to.y - from.y }, ms);
    }
  }

  // What lies on the table, to be asked before it is drawn anew.
  function lying(felt) {
    return [...felt.querySelectorAll(".bet:not(.leaving)")];
  }

  function run(felt, replay, step, lay, ms) {
    if (still.matches) return;
    const nodes = [...felt.querySelectorAll(".seat")];
    const seats = nodes.map((node) => middle(felt, node.querySelector(".plate")));
    const centre = middle(felt, felt.querySelector(".turned"));
    const now = lying(felt);
    if (lay.length > 1 && now.length < 2 && now.length < lay.length) {
      clear(felt, lay, seats, centre, ms);
    }
    if (cardTable.isSettled(step) && replay.audit.ours !== null) {
      settle(felt, replay, step, seats, centre, ms);
      return;
    }
    if (step.do === "turn") {
      const turned = felt.querySelector(".turned .card");
      if (turned) flip(turned, ms);
    }
    if (step.seat === null || !nodes[step.seat]) return;
    const held = nodes[step.seat].querySelectorAll(CARDS);
    if (step.do === "deal") {
      held.forEach((card, place) => arrive(felt, card, centre, ms, place * ms * 0.2));
    } else if (step.do === "play") {
      const played = felt.querySelector(`.played[data-seat="${step.seat}"]:not(.leaving)`);
      if (played) arrive(felt, played, seats[step.seat], ms);
    } else if (step.do === "show") {
      for (const card of held) flip(card, ms);
    } else if (step.add > 0) {
      const bet = felt.querySelector(`.bet[data-seat="${step.seat}"]:not(.leaving)`);
      fly(felt, step.add, seats[step.seat], bet === null ? centre : middle(felt, bet), ms);
    }
  }

  return { lying, run };
})();
