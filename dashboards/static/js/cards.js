// Makes cards and chips, and says them. It knows how they look and nothing of the game.
"use strict";

const cards = (() => {
  const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
  const SIZES = [500, 100, 25, 5, 1];
  const MOST_IN_A_COLUMN = 6;
  const SVG = "http://www.w3.org/2000/svg";
  const number = new Intl.NumberFormat("fr-FR");

  function element(tag, className, text) {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  }

  function drawing(tag, attributes) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return node;
  }

  function glyph(letter, attributes = {}) {
    const svg = drawing("svg", attributes);
    svg.append(drawing("use", { href: `#suit-${letter}` }));
    return svg;
  }

  function suit(letter) {
    const names = {
      s: gettext("spades"),
      h: gettext("hearts"),
      d: gettext("diamonds"),
      c: gettext("clubs"),
    };
    return names[letter];
  }

  const isRed = (letter) => letter === "h" || letter === "d";
  const rank = (name) => (name[0] === "T" ? "10" : name[0]);

  // A card within a sentence.
  function said(name) {
    return name === "??" ? gettext("unknown card") : `${rank(name)}${SIGNS[name[1]]}`;
  }

  function card(name) {
    const node = element("span", "card");
    if (name === "??") {
      node.classList.add("back");
      return node;
    }
    node.dataset.suit = name[1];
    if (isRed(name[1])) node.classList.add("red");
    node.append(element("span", name[0] === "T" ? "rank ten" : "rank", rank(name)));
    node.append(glyph(name[1]));
    node.title = gettext("%(rank)s of %(suit)s", { rank: rank(name), suit: suit(name[1]) });
    return node;
  }

  // An amount as chips, a column for each size: as few of them as can be.
  function pile(amount) {
    const node = element("span", "pile");
    let left = amount;
    for (const size of SIZES) {
      const count = Math.floor(left / size);
      left -= count * size;
      if (count === 0) continue;
      const column = element("span", "column");
      for (let one = 0; one < Math.min(count, MOST_IN_A_COLUMN); one += 1) {
        column.append(element("span", `disc of-${size}`));
      }
      node.append(column);
    }
    return node;
  }

  function signed(amount) {
    return amount > 0 ? `+${number.format(amount)}` : `−${number.format(-amount)}`;
  }

  return { card, drawing, element, glyph, isRed, number, pile, said, signed, suit };
})();
