// Writes every moment in the reader's own language and time zone, and says in its title which that is.
"use strict";

(() => {
  const FORM = { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" };
  const here = new Intl.DateTimeFormat(undefined, FORM);
  const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: "long" });
  const { locale, timeZone } = here.resolvedOptions();

  function zoneName(moment) {
    const part = zone.formatToParts(moment).find((one) => one.type === "timeZoneName");
    return `${part.value} (${timeZone})`;
  }

  // When it was at the place itself, where that is another zone than the reader's.
  function there(moment, place) {
    if (!place || place === timeZone) return "";
    try {
      return `; ${new Intl.DateTimeFormat(undefined, { ...FORM, timeZone: place }).format(moment)} in ${place}`;
    } catch {
      return "";
    }
  }

  function write(time) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) return;
    const text = here.format(moment);
    if (time.textContent === text) return;
    time.textContent = text;
    time.lang = locale;
    time.title = zoneName(moment) + there(moment, time.dataset.place);
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
