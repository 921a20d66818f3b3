// Draws one state of the table. It shows what the server computed and knows no rule.
"use strict";

const cardTable = (() => {
  const { card, drawing, element, glyph, isRed, number, pile, said, signed, suit } = cards;
  const ASIDE = 0.25; // chips lie this many radians off their seat's line to the middle, upwards
  const FAR_ASIDE = 0.6; // those of whoever sits at the top or the bottom, to the right
  const BRIEF = 11; // characters
  const BOW = 0.35; // how far the line of a payment bows out, of the way to the middle

  // Bourré is played to the left, the vying games to the right.
  function direction(replay) {
    return replay.steps[0].state.play === null ? "counter-clockwise" : "clockwise";
  }

  // The dealer sits at the bottom; turn order runs from there as it does at a table.
  function angleOf(replay, seat) {
    const round = (2 * Math.PI * (seat - replay.dealer)) / replay.players.length;
    return Math.PI / 2 + (direction(replay) === "clockwise" ? round : -round);
  }

  function chipsAt(angle) {
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    if (Math.abs(x) < ASIDE) return angle - Math.sign(y) * FAR_ASIDE;
    return angle - Math.sign(x) * ASIDE;
  }

  function place(node, seat, replay) {
    const angle = angleOf(replay, seat);
    const y = Math.sin(angle);
    node.style.setProperty("--x", Math.cos(angle).toFixed(4));
    node.style.setProperty("--y", y.toFixed(4));
    const chips = chipsAt(angle);
    node.style.setProperty("--bet-dx", Math.cos(chips).toFixed(4));
    node.style.setProperty("--bet-dy", Math.sin(chips).toFixed(4));
    node.style.setProperty("--inward", y > 0.35 ? "-1" : "1");
    node.classList.toggle("far", y < -0.35);
    const isMiddle = Math.abs(Math.cos(angle)) < ASIDE;
    node.classList.toggle("top", isMiddle && y < 0);
    node.classList.toggle("low", isMiddle && y > 0);
    node.dataset.seat = seat;
  }

  const isSettled = (step) => step.state.stage === "end" && step.event === null;

  // In Bourré the stakes lie in the middle when cards are played.
  function isGathered(state) {
    return state.play !== null && ["playing", "end"].includes(state.stage);
  }

  // When all the betting is done the pots lie in the middle.
  function lyingPots(replay, step) {
    const ours = replay.audit.ours;
    if (ours === null || step.state.play !== null) return null;
    return step.state.stage === "showdown" || isSettled(step) ? ours.pots : null;
  }

  function taken(replay, step, seat) {
    const ours = replay.audit.ours;
    if (!isSettled(step) || ours === null) return 0;
    return ours.pots.reduce((sum, pot) => sum + ((pot.winners ?? {})[seat] ?? 0), 0);
  }

  // What may be played by a seat, where only some of its cards may; null where that is no matter.
  function legalCards(state, seat) {
    if (state.play === null || state.to_speak !== seat || state.stage !== "playing") return null;
    const plays = state.legal.filter((action) => action.seat === seat && action.cards !== null);
    return plays.length === 0 ? null : plays.flatMap((action) => action.cards);
  }

  function intoNextPot(replay, seat) {
    const paid = (replay.audit.ours?.payments ?? []).filter((part) => part.seat === seat);
    return paid.reduce((sum, part) => sum + part.amount, 0);
  }

  function declaredStack(replay, seat) {
    const [ours, theirs] = [replay.audit.ours?.stacks, replay.audit.declared?.stacks];
    if (!ours || !theirs || theirs[seat] === undefined || theirs[seat] === ours[seat]) return null;
    return theirs[seat];
  }

  // A name where there is room for little: its two ends.
  function brief(name) {
    const signs = [...name];
    if (signs.length <= BRIEF) return name;
    return `${signs.slice(0, BRIEF - 5).join("")}…${signs.slice(-4).join("")}`;
  }

  // What a seat is in the hand, beside its chips.
  function standing(state, seat) {
    const won = state.play === null ? 0 : state.play.tricks[seat];
    if (won > 0) return ngettext("%(num)s trick", "%(num)s tricks", won);
    if (state.folded[seat]) return state.play === null ? gettext("folded") : gettext("out");
    if (state.play === null && state.all_in[seat]) return gettext("va-tout");
    if (state.to_speak !== seat) return "";
    return state.stage === "playing" ? gettext("to play") : gettext("to speak");
  }

  function act(step) {
    const words = {
      ante: gettext("ante"),
      carre: gettext("carre"),
      decline: gettext("declines"),
      pass: gettext("passes"),
      open: gettext("opens"),
      call: gettext("calls"),
      raise: gettext("raises"),
      fold: gettext("folds"),
      "no-more": gettext("no more"),
      show: gettext("shows"),
      stay: gettext("stays"),
      out: gettext("out"),
      renege: gettext("renege"),
    };
    if (step.received !== null) {
      const count = (step.cards ?? []).length;
      return count === 0 ? gettext("stands pat") : gettext("draws %(count)s", { count });
    }
    const word = words[step.do];
    return step.add === null || !word ? word : `${word} +${number.format(step.add)}`;
  }

  // What a seat does and what it gets at this step.
  function sayings(replay, step, seat) {
    const said = [];
    const say = (kind, text) => text && said.push(element("span", `says ${kind}`, text));
    if (step.seat === seat && step.event !== null) say("", act(step));
    if (!isSettled(step)) return said;
    const chips = taken(replay, step, seat);
    if (chips > 0) say("takes", gettext("takes %(amount)s", { amount: number.format(chips) }));
    const premium = (replay.audit.ours?.premiums ?? {})[seat] ?? 0;
    if (premium) say("premium", gettext("premium %(amount)s", { amount: signed(premium) }));
    const owed = intoNextPot(replay, seat);
    if (owed > 0) say("paid", gettext("pays %(amount)s", { amount: number.format(owed) }));
    const declared = declaredStack(replay, seat);
    if (declared !== null) {
      say("declared", gettext("declared %(amount)s", { amount: number.format(declared) }));
    }
    return said;
  }

  function seatNode(replay, step, seat) {
    const state = step.state;
    const node = element("div", "seat");
    place(node, seat, replay);
    if (state.folded[seat]) node.classList.add("folded");
    if (state.to_speak === seat) node.classList.add("to-speak");
    if (step.seat === seat) node.classList.add("acted");
    if (taken(replay, step, seat) > 0) node.classList.add("won");
    if (isSettled(step) && declaredStack(replay, seat) !== null) node.classList.add("differs-here");
    const findings = step.violations.map((index) => replay.audit.violations[index]);
    if (findings.some((finding) => finding.seat === seat && finding.severity === "illegal")) {
      node.classList.add("broke");
    }
    const hand = element("div", "hand");
    const playable = legalCards(state, seat);
    for (const name of state.hands[seat]) {
      const held = card(name);
      if (playable !== null) held.classList.add(playable.includes(name) ? "legal" : "barred");
      hand.append(held);
    }
    const plate = element("div", "plate");
    const who = element("bdi", "who", replay.players[seat]);
    who.title = replay.players[seat];
    plate.append(who, element("span", "chips-left", number.format(state.stacks[seat])));
    const standingNow = standing(state, seat);
    if (standingNow) plate.append(element("span", "state", standingNow));
    if (seat === replay.dealer) {
      const mark = element("span", "dealer", "D");
      mark.title = gettext("Dealer");
      plate.append(mark);
    }
    node.append(hand, plate);
    const said = sayings(replay, step, seat);
    if (said.length) {
      const bubble = element("div", "sayings");
      bubble.append(...said);
      node.append(bubble);
    }
    return node;
  }

  function betNode(replay, state, seat) {
    const node = element("div", "bet");
    place(node, seat, replay);
    const shown = number.format(state.contributions[seat]);
    const amount = element("span", "", shown);
    if (state.play === null) amount.prepend(element("span", "letter", "K "));
    node.append(pile(state.contributions[seat]), amount);
    const player = replay.players[seat];
    node.title = gettext("%(player)s has put in %(amount)s", { player, amount: shown });
    return node;
  }

  function playedNode(replay, state, played) {
    const node = element("div", "bet played");
    place(node, played.seat, replay);
    node.append(card(played.card));
    node.classList.toggle("wins", state.play.winner === played.seat);
    return node;
  }

  function totalsNode(replay) {
    const ours = replay.audit.ours;
    const node = element("div", "totals");
    const decided = ours.pots.map((pot) => pot.suit);
    const suits = Object.keys(ours.points).sort((a, b) => ours.points[b] - ours.points[a]);
    for (const letter of suits) {
      const total = element("span", isRed(letter) ? "red" : "");
      total.dataset.suit = letter;
      const owner = ours.owners === null ? null : ours.owners[letter];
      const player = replay.players[owner];
      total.title =
        owner === null ? gettext("owned by nobody") : gettext("owned by %(player)s", { player });
      total.classList.toggle("decided", decided.includes(letter));
      total.append(glyph(letter, { class: "suit", role: "img", "aria-label": suit(letter) }));
      total.append(` ${ours.points[letter]}`);
      if (owner !== null) total.append(element("bdi", "owner", brief(player)));
      node.append(total);
    }
    return node;
  }

  function potName(pots, index) {
    if (pots.length === 1) return gettext("Pot");
    if (index === 0) return gettext("Main pot");
    if (pots.length === 2) return gettext("Side pot");
    return gettext("Side pot %(number)s", { number: index });
  }

  const names = (replay, seats) => seats.map((seat) => replay.players[seat]).join(", ");

  const mayWin = (replay, pot) =>
    gettext("%(players)s may win it", { players: names(replay, pot.eligible) });

  // A pot that is cut: from the end of the betting its chips until it is paid, then who took it.
  function potNode(replay, step, pots, index) {
    const pot = pots[index];
    const node = element("div", "cut");
    const told = element("span", "minor", `${potName(pots, index)} `);
    told.append(element("b", "", number.format(pot.amount)));
    if (isSettled(step)) {
      const to = names(replay, Object.keys(pot.winners ?? {}));
      if (to) told.append(element("span", "to", ` → ${to}`));
    } else if (lyingPots(replay, step) !== null) {
      node.append(pile(pot.amount));
    }
    node.append(told);
    node.title = mayWin(replay, pot);
    return node;
  }

  function potsNode(replay, step, pots) {
    const node = element("div", "cuts");
    pots.forEach((_, index) => node.append(potNode(replay, step, pots, index)));
    return node;
  }

  function centreNode(replay, step) {
    const state = step.state;
    const node = element("div", "centre");
    const turned = element("div", "turned");
    if (state.retourne !== null) turned.append(card(state.retourne));
    const trump = state.play?.trump
      ? gettext("Trump: %(suit)s", { suit: suit(state.play.trump) })
      : gettext("Trump");
    node.append(turned, element("span", "caption", state.play === null ? gettext("Retourne") : trump));
    const ours = replay.audit.ours;
    const pots = lyingPots(replay, step) ?? (isSettled(step) && ours !== null ? ours.pots : null);
    if (pots === null) {
      const before = state.contributions.reduce((sum, part) => sum + part, 0);
      const lying = isGathered(state) ? state.pot : state.pot - before;
      const middle = element("div", "middle");
      if (lying > 0) middle.append(pile(lying));
      const amount = number.format(state.pot);
      middle.append(element("span", "pot", gettext("Pot %(amount)s", { amount })));
      node.append(middle);
      const minor = state.play === null ? [`M ${number.format(state.highest)}`] : [];
      if (state.carried) {
        minor.push(gettext("carried %(amount)s", { amount: number.format(state.carried) }));
      }
      if (minor.length) node.append(element("span", "minor", minor.join(" · ")));
      if (state.pots) node.append(potsNode(replay, step, state.pots));
    } else {
      node.append(potsNode(replay, step, pots));
    }
    if (isSettled(step) && ours?.carried) {
      const amount = number.format(ours.carried);
      node.append(element("span", "minor", gettext("Carried on: %(amount)s", { amount })));
    }
    const shown = state.stage === "showdown" || state.stage === "end";
    if (shown && ours?.points) node.append(totalsNode(replay));
    return node;
  }

  // Who pays whom beside the pots, as seats; null stands for the middle.
  function payments(replay, step) {
    const ours = replay.audit.ours;
    if (!isSettled(step) || ours === null) return [];
    const premiums = (ours.premium_payments ?? []).map((paid) => [paid.payer, paid.holder, paid]);
    const owed = (ours.payments ?? []).map((paid) => [paid.seat, null, paid]);
    return [...premiums, ...owed].filter(([, , paid]) => paid.amount > 0);
  }

  // A line from seat to seat for each payment, in percents of the table.
  function flowsNode(felt, replay, paid) {
    const style = getComputedStyle(felt);
    const reach = (axis) => parseFloat(style.getPropertyValue(axis));
    const point = (seat) => {
      if (seat === null) return [50, 45];
      const angle = angleOf(replay, seat);
      return [50 + Math.cos(angle) * reach("--rx"), 50 + Math.sin(angle) * reach("--ry")];
    };
    const svg = drawing("svg", {
      class: "flows",
      viewBox: "0 0 100 100",
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    });
    for (const [from, to] of paid) {
      const [[x, y], [endX, endY]] = [point(from), point(to)];
      const bow = (a, b) => (a + b) / 2 + (50 - (a + b) / 2) * BOW;
      const d = `M${x} ${y} Q${bow(x, endX)} ${bow(y, endY)} ${endX} ${endY}`;
      svg.append(drawing("path", { d }));
    }
    return svg;
  }

  // The table for those who do not see it.
  function inWords(replay, state) {
    const seats = replay.players.map((player, seat) => {
      const parts = [`${player} ${number.format(state.stacks[seat])}`];
      if (state.folded[seat]) parts.push(gettext("out"));
      if (state.hands[seat].length) parts.push(state.hands[seat].map(said).join(" "));
      return parts.join(", ");
    });
    const amount = number.format(state.pot);
    const told = [gettext("The card table: pot %(amount)s", { amount })];
    (state.pots ?? []).forEach((pot, index) => {
      told.push(`${potName(state.pots, index)} ${number.format(pot.amount)}, ${mayWin(replay, pot)}`);
    });
    if (state.retourne !== null) {
      told.push(gettext("%(card)s turned up", { card: said(state.retourne) }));
    }
    return [...told, ...seats].join(". ");
  }

  function draw(felt, replay, step) {
    const nodes = [centreNode(replay, step)];
    const paid = payments(replay, step);
    if (paid.length) nodes.unshift(flowsNode(felt, replay, paid));
    const lies = lyingPots(replay, step) === null && !isGathered(step.state);
    replay.players.forEach((_, seat) => {
      nodes.push(seatNode(replay, step, seat));
      if (lies && step.state.contributions[seat] > 0) nodes.push(betNode(replay, step.state, seat));
    });
    for (const played of step.state.play?.trick ?? []) {
      if (step.event !== null) nodes.push(playedNode(replay, step.state, played));
    }
    felt.replaceChildren(...nodes);
    felt.classList.toggle("settled", isSettled(step));
    felt.classList.toggle("counted", felt.querySelector(".totals") !== null);
    felt.setAttribute("aria-label", inWords(replay, step.state));
  }

  return { direction, draw, isSettled, mayWin, payments, potName };
})();
