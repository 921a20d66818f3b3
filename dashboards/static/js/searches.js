// Keeps searches under names, in this browser: each is a chip that leads to the list under its filters.
"use strict";

(() => {
  const place = document.querySelector("[data-searches]");
  if (!place) return;
  const key = `searches-${place.dataset.searches}`;
  const asked = new URLSearchParams(window.location.search);
  for (const name of ["cursor", "lang"]) asked.delete(name);
  const here = asked.toString();

  const kept = () => {
    try {
      const list = JSON.parse(window.choices.stored(key) ?? "[]");
      return list.filter(({ name, query }) => typeof name === "string" && typeof query === "string");
    } catch {
      return [];
    }
  };

  const made = (tag, values, ...children) => {
    const node = Object.assign(document.createElement(tag), values);
    node.append(...children);
    return node;
  };

  const keep = (list) => {
    window.choices.store(key, JSON.stringify(list));
    show();
  };

  const chip = ({ name, query }) => {
    const link = made("a", { href: `?${query}` }, name);
    if (query === here) link.setAttribute("aria-current", "true");
    const forget = made("button", { type: "button", title: gettext("Forget this search") }, "×");
    forget.setAttribute("aria-label", gettext("Forget the search %(name)s", { name }));
    forget.addEventListener("click", () => keep(kept().filter((one) => one.query !== query)));
    return made("li", { className: "chip" }, link, forget);
  };

  const form = () => {
    const input = made("input", { required: true, maxLength: 60, placeholder: gettext("A name for it") });
    input.setAttribute("aria-label", gettext("What to call this search"));
    const button = made("button", { className: "button" }, gettext("Keep this search"));
    const node = made("form", { className: "keep" }, input, button);
    node.addEventListener("submit", (event) => {
      event.preventDefault();
      keep([...kept(), { name: input.value.trim() || here, query: here }]);
    });
    return node;
  };

  const show = () => {
    const list = kept();
    const parts = [];
    if (list.length) {
      const chips = made("ul", { className: "chips" }, ...list.map(chip));
      chips.setAttribute("aria-label", gettext("Kept searches"));
      parts.push(chips);
    }
    if (here && !list.some(({ query }) => query === here)) parts.push(form());
    place.replaceChildren(...parts);
  };

  show();
})();
