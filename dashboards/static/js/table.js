// Draws one state of the table. It shows what the server computed and knows no rule.
"use strict";

const cardTable = (() => {
  const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
  const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
  const CHIPS = [500, 100, 25, 5, 1];
  const MOST_CHIPS = 9;
  const number = new Intl.NumberFormat("fr-FR");

  function element(tag, className, text) {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  }

  function glyph(letter) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `#suit-${letter}`);
    svg.append(use);
    return svg;
  }

  function rank(name) {
    return name[0] === "T" ? "10" : name[0];
  }

  // A card within a sentence.
  function said(name) {
    return name === "??" ? "a card not known" : `${rank(name)}${SIGNS[name[1]]}`;
  }

  function card(name) {
    const node = element("span", "card");
    if (name === "??") {
      node.classList.add("back");
      return node;
    }
    node.dataset.suit = name[1];
    if (name[1] === "h" || name[1] === "d") node.classList.add("red");
    node.append(element("span", name[0] === "T" ? "rank ten" : "rank", rank(name)));
    node.append(glyph(name[1]));
    node.title = `${rank(name)} of ${SUITS[name[1]]}`;
    return node;
  }

  function pile(amount) {
    const node = element("span", "pile");
    let left = amount;
    const chips = [];
    for (const size of CHIPS) {
      for (; left >= size && chips.length < MOST_CHIPS; left -= size) chips.push(size);
    }
    for (const size of chips) node.append(element("span", `chip of-${size}`));
    return node;
  }

  const BESIDE = 0.42; // chips lie this many radians beside their seat's line to the middle

  // Bourré is played to the left, the vying games to the right.
  function direction(replay) {
    return replay.steps[0].state.play === null ? "counter-clockwise" : "clockwise";
  }

  // The dealer sits at the bottom; turn order runs from there as it does at a table.
  function place(node, seat, replay) {
    const round = (2 * Math.PI * (seat - replay.dealer)) / replay.players.length;
    const angle = Math.PI / 2 + (direction(replay) === "clockwise" ? round : -round);
    const y = Math.sin(angle);
    node.style.setProperty("--x", Math.cos(angle).toFixed(4));
    node.style.setProperty("--y", y.toFixed(4));
    node.style.setProperty("--bet-dx", Math.cos(angle - BESIDE).toFixed(4));
    node.style.setProperty("--bet-dy", Math.sin(angle - BESIDE).toFixed(4));
    node.style.setProperty("--inward", y > 0.35 ? "-1" : "1");
    node.classList.toggle("far", y < -0.35);
  }

  function taken(replay, step, seat) {
    const ours = replay.audit.ours;
    if (step.state.stage !== "end" || ours === null) return 0;
    return ours.pots.reduce((sum, pot) => sum + ((pot.winners ?? {})[seat] ?? 0), 0);
  }

  // What may be played by a seat, where only some of its cards may; null where that is no matter.
  function legalCards(state, seat) {
    if (state.play === null || state.to_speak !== seat || state.stage !== "playing") return null;
    const plays = state.legal.filter((action) => action.seat === seat && action.cards !== null);
    return plays.length === 0 ? null : plays.flatMap((action) => action.cards);
  }

  function premiumOf(replay, seat) {
    return (replay.audit.ours?.premiums ?? {})[seat] ?? 0;
  }

  function intoNextPot(replay, seat) {
    const paid = (replay.audit.ours?.payments ?? []).filter((part) => part.seat === seat);
    return paid.reduce((sum, part) => sum + part.amount, 0);
  }

  function signed(amount) {
    return amount > 0 ? `+${number.format(amount)}` : `−${number.format(-amount)}`;
  }

  function declaredStack(replay, seat) {
    const [ours, theirs] = [replay.audit.ours?.stacks, replay.audit.declared?.stacks];
    if (!ours || !theirs || theirs[seat] === undefined || theirs[seat] === ours[seat]) return null;
    return theirs[seat];
  }

  function seatNode(replay, step, seat) {
    const state = step.state;
    const node = element("div", "seat");
    place(node, seat, replay);
    if (state.folded[seat]) node.classList.add("folded");
    if (state.to_speak === seat) node.classList.add("to-speak");
    if (step.seat === seat) node.classList.add("acted");
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
    const won = state.play === null ? 0 : state.play.tricks[seat];
    if (won > 0) plate.append(element("span", "state", won === 1 ? "1 trick" : `${won} tricks`));
    else if (state.folded[seat]) {
      plate.append(element("span", "state", state.play === null ? "folded" : "out"));
    } else if (state.play === null && state.all_in[seat]) plate.append(element("span", "state", "va-tout"));
    else if (state.to_speak === seat) {
      plate.append(element("span", "state", state.stage === "playing" ? "to play" : "to speak"));
    }
    if (seat === replay.dealer) {
      const mark = element("span", "dealer", "D");
      mark.title = "Dealer";
      plate.append(mark);
    }
    if (state.stage === "end" && step.event === null) {
      const premium = premiumOf(replay, seat);
      if (premium !== 0) plate.append(element("span", "premium", `premium ${signed(premium)}`));
      const declared = declaredStack(replay, seat);
      if (declared !== null) {
        node.classList.add("differs-here");
        plate.append(element("span", "declared", `declared ${number.format(declared)}`));
      }
    }
    node.append(hand, plate);
    if (step.seat === seat && step.event !== null && step.do !== "play") {
      const added = step.add === null ? "" : ` +${number.format(step.add)}`;
      node.append(element("span", "says", `${step.do.replace("-", " ")}${added}`));
    }
    const chips = taken(replay, step, seat);
    if (chips > 0) {
      node.classList.add("won");
      node.append(element("span", "says", `takes ${number.format(chips)}`));
    }
    const owed = state.stage === "end" && step.event === null ? intoNextPot(replay, seat) : 0;
    if (owed > 0) node.append(element("span", "says paid", `pays ${number.format(owed)}`));
    return node;
  }

  function betNode(replay, state, seat) {
    const node = element("div", "bet");
    place(node, seat, replay);
    node.dataset.seat = seat;
    node.append(pile(state.contributions[seat]));
    const amount = element("span", "", number.format(state.contributions[seat]));
    if (state.play === null) amount.prepend(element("span", "letter", "K "));
    node.append(amount);
    node.title = `${replay.players[seat]} has put in ${number.format(state.contributions[seat])}`;
    return node;
  }

  function playedNode(replay, state, played) {
    const node = element("div", "bet played");
    place(node, played.seat, replay);
    node.dataset.seat = played.seat;
    node.append(card(played.card));
    node.classList.toggle("wins", state.play.winner === played.seat);
    return node;
  }

  function shares(pot, players) {
    if (pot.winners === null) return "";
    return Object.keys(pot.winners).map((seat) => players[seat]).join(", ");
  }

  function totalsNode(replay) {
    const ours = replay.audit.ours;
    const node = element("div", "totals");
    const decided = ours.pots.map((pot) => pot.suit);
    const suits = Object.keys(ours.points).sort((a, b) => ours.points[b] - ours.points[a]);
    for (const letter of suits) {
      const total = element("span", letter === "h" || letter === "d" ? "red" : "");
      total.dataset.suit = letter;
      const owner = ours.owners === null ? null : ours.owners[letter];
      total.title = owner === null ? "owned by nobody" : `owned by ${replay.players[owner]}`;
      total.classList.toggle("decided", decided.includes(letter));
      const sign = glyph(letter);
      sign.setAttribute("class", "suit");
      sign.setAttribute("aria-label", SUITS[letter]);
      total.append(sign, ` ${ours.points[letter]}`);
      if (owner !== null) total.append(element("bdi", "owner", replay.players[owner]));
      node.append(total);
    }
    return node;
  }

  function potNode(replay, pot, index) {
    const ours = replay.audit.ours;
    const label = index === 0 ? "Main pot" : "Side pot";
    const name = ours.pots.length === 1 ? "Pot" : label;
    const to = shares(pot, replay.players);
    const node = element("span", "minor", `${name} ${number.format(pot.amount)}${to ? ` → ${to}` : ""}`);
    const who = pot.eligible.map((seat) => replay.players[seat]).join(", ");
    node.title = `${name}: ${who} may win it`;
    return node;
  }

  function centreNode(replay, step) {
    const state = step.state;
    const node = element("div", "centre");
    const turned = element("div", "turned");
    if (state.retourne !== null) turned.append(card(state.retourne));
    const trump = state.play?.trump ? `Trump: ${SUITS[state.play.trump]}` : "Trump";
    node.append(turned, element("span", "caption", state.play === null ? "Retourne" : trump));
    const ours = replay.audit.ours;
    const shown = state.stage === "showdown" || state.stage === "end";
    if (shown && ours?.points) node.append(totalsNode(replay));
    const paid = state.stage === "end" && ours !== null;
    if (state.stage === "showdown" && ours?.pots.length > 1) {
      const sizes = ours.pots.map((pot) => number.format(pot.amount));
      const aside = sizes.length > 2 ? "side pots" : "side pot";
      node.append(element("span", "minor", `Main pot ${sizes[0]} · ${aside} ${sizes.slice(1).join(", ")}`));
    }
    if (paid) {
      ours.pots.forEach((pot, index) => node.append(potNode(replay, pot, index)));
      if (ours.carried) {
        node.append(element("span", "minor", `Carried on ${number.format(ours.carried)}`));
      }
      return node;
    }
    node.append(element("span", "pot", `Pot ${number.format(state.pot)}`));
    const minor = state.play === null ? [`M ${number.format(state.highest)}`] : [];
    if (state.carried) minor.push(`carried ${number.format(state.carried)}`);
    const line = element("span", "minor", minor.join(" · "));
    line.title = state.play === null ? "M is the highest stake, K what a player has put in" : "";
    node.append(line);
    return node;
  }

  // The table for those who do not see it.
  function inWords(replay, state) {
    const seats = replay.players.map((player, seat) => {
      const cards = state.hands[seat].map(said).join(" ");
      const gone = state.folded[seat] ? ", out" : "";
      return `${player}: ${number.format(state.stacks[seat])}${gone}${cards ? `, ${cards}` : ""}`;
    });
    const turned = state.retourne === null ? "" : `, ${said(state.retourne)} turned up`;
    return `The card table: pot ${number.format(state.pot)}${turned}. ${seats.join(". ")}`;
  }

  function draw(felt, replay, step) {
    const nodes = [centreNode(replay, step)];
    replay.players.forEach((_, seat) => {
      nodes.push(seatNode(replay, step, seat));
      if (step.state.contributions[seat] > 0 && !["playing", "end"].includes(step.state.stage)) {
        nodes.push(betNode(replay, step.state, seat));
      }
    });
    for (const played of step.state.play?.trick ?? []) {
      if (step.event !== null) nodes.push(playedNode(replay, step.state, played));
    }
    felt.replaceChildren(...nodes);
    felt.setAttribute("aria-label", inWords(replay, step.state));
  }

  return { direction, draw, number, pile, said };
})();
