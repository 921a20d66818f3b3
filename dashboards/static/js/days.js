// Lets days begin and end by the reader's own clock: those of a list's form, and those of its quick ranges.
"use strict";

(() => {
  const DAY = /^\d{4}-\d\d-\d\d$/;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const two = (number) => String(number).padStart(2, "0");

  const dayOf = (moment) => `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;

  // The beginning of a day here; where the clock is that of UTC, the day is enough.
  const begin = (day) => {
    const [year, month, date] = day.split("-").map(Number);
    const moment = new Date(year, month - 1, date);
    const text = moment.toISOString().replace(".000Z", "Z");
    return text === `${day}T00:00:00Z` ? day : text;
  };

  const shifted = (year, month, date) => begin(dayOf(new Date(year, month, date)));

  const RANGES = {
    "today": (year, month, date) => [shifted(year, month, date), shifted(year, month, date + 1)],
    "7-days": (year, month, date) => [shifted(year, month, date - 6), shifted(year, month, date + 1)],
    "30-days": (year, month, date) => [shifted(year, month, date - 29), shifted(year, month, date + 1)],
    "this-month": (year, month) => [shifted(year, month, 1), shifted(year, month + 1, 1)],
    "last-month": (year, month) => [shifted(year, month - 1, 1), shifted(year, month, 1)],
    "this-year": (year) => [shifted(year, 0, 1), shifted(year + 1, 0, 1)],
  };

  const now = new Date();
  const asked = new URL(window.location.href).searchParams;
  for (const link of document.querySelectorAll("a[data-range]")) {
    const [from, until] = RANGES[link.dataset.range](now.getFullYear(), now.getMonth(), now.getDate());
    const address = new URL(link.href);
    address.searchParams.set("from", from);
    address.searchParams.set("until", until);
    link.href = address;
    const chosen = asked.get("from") === from && asked.get("until") === until;
    if (chosen) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }

  for (const zone of document.querySelectorAll("input[data-zone]")) zone.placeholder = here;

  // A moment at which a day begins here is shown as the day.
  for (const input of document.querySelectorAll("input[data-day]")) {
    const moment = new Date(input.value);
    if (DAY.test(input.value) || Number.isNaN(moment.getTime())) continue;
    const day = dayOf(moment);
    if (begin(day) !== input.value) continue;
    input.value = day;
    input.type = "date";
  }

  for (const form of new Set([...document.querySelectorAll("input[data-day]")].map((input) => input.form))) {
    form.addEventListener("formdata", (event) => {
      for (const { name } of form.querySelectorAll("input[data-day]")) {
        const day = event.formData.get(name);
        if (DAY.test(day)) event.formData.set(name, begin(day));
      }
      // What is not asked for is not in the address.
      for (const [name, text] of [...event.formData]) if (!text) event.formData.delete(name);
      // An hour and a day of the week are the reader's own, unless a zone is named.
      const zone = form.querySelector("input[data-zone]");
      const timed = event.formData.get("hour") || event.formData.get("weekday");
      if (zone && timed && !zone.value.trim() && here !== "UTC") event.formData.set(zone.name, here);
    });
  }
})();
