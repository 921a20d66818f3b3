// Shows that a page is on its way, once that takes longer than one would not notice.
"use strict";

(() => {
  const SOON = 200; // milliseconds
  const LONGEST = 20_000; // milliseconds after which it was no page that was asked for
  const root = document.documentElement;
  let timers = [];

  const rest = () => {
    timers.forEach(clearTimeout);
    timers = [];
    delete root.dataset.waiting;
  };

  const wait = () => {
    rest();
    timers = [setTimeout(() => (root.dataset.waiting = ""), SOON), setTimeout(rest, LONGEST)];
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const here = link.origin === location.origin && !link.hasAttribute("download") && !link.target;
    const same = link.hash && link.pathname === location.pathname && link.search === location.search;
    if (here && !same) wait();
  });
  document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) wait();
  });
  window.addEventListener("pageshow", rest);
})();
