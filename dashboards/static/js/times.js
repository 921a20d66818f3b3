// Writes every moment in the page's language and the reader's own time zone, and says in its title which that is.
"use strict";

(() => {
  const FORM = { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" };
  const here = new Intl.DateTimeFormat(window.pageLocale, FORM);
  const zone = new Intl.DateTimeFormat(window.pageLocale, { timeZoneName: "long" });
  const { locale, timeZone } = here.resolvedOptions();

  function zoneName(moment) {
    const part = zone.formatToParts(moment).find((one) => one.type === "timeZoneName");
    return `${part.value} (${timeZone})`;
  }

  // The reader's zone, and when it was at the place itself where that is in another.
  function told(moment, place) {
    const here = zoneName(moment);
    if (!place || place === timeZone) return here;
    try {
      const there = new Intl.DateTimeFormat(locale, { ...FORM, timeZone: place }).format(moment);
      return gettext("%(here)s; %(there)s in %(place)s", { here, there, place });
    } catch {
      return here;
    }
  }

  function write(time) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) return;
    const text = here.format(moment);
    if (time.textContent === text) return;
    time.textContent = text;
    time.lang = locale;
    time.title = told(moment, time.dataset.place);
  }

  function writeAll(node) {
    if (!(node instanceof Element)) {
      if (node.parentElement?.localName === "time") write(node.parentElement);
    } else if (node.localName === "time") write(node);
    else node.querySelectorAll("time[datetime]").forEach(write);
  }

  // What the page brings is written before it is painted, and so is what is swapped in later.
  new MutationObserver((records) => {
    for (const record of records) {
      if (record.target.localName === "time") write(record.target);
      record.addedNodes.forEach(writeAll);
      if (record.type === "characterData") writeAll(record.target);
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });
})();
