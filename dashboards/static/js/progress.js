// Follows an upload while it is audited: the bar, the pace, the counts and what was found so far move; the rest of the
// page is fetched at the end. The service sends events; where it has no stream to spare, it is asked every second.
"use strict";

(() => {
  const EVERY = 1_000; // milliseconds between two questions without a stream, and two looks at the clock
  const FRESH = 2_500; // milliseconds between two looks at what was found so far
  const MEASURED = 12_000; // milliseconds over which the pace is measured
  const LONG = 5_400; // seconds from which on a time is told in hours

  const written = (number) => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, "\u202f");

  const remaining = (seconds) => {
    if (seconds < 90) {
      const num = Math.max(1, Math.ceil(seconds));
      return ngettext("about %(num)s second left", "about %(num)s seconds left", num);
    }
    if (seconds < LONG) {
      const num = Math.ceil(seconds / 60);
      return ngettext("about %(num)s minute left", "about %(num)s minutes left", num);
    }
    const num = Math.ceil(seconds / 3600);
    return ngettext("about %(num)s hour left", "about %(num)s hours left", num);
  };

  function follow(panel) {
    const root = panel.closest("#upload");
    const bar = panel.querySelector("progress");
    const samples = [];
    let source = null;
    let timer = 0;
    let frame = 0;
    let looked = 0;
    let paced = 0;
    let over = false;

    const speed = (of) => {
      const [first, last] = [samples[0], samples.at(-1)];
      return last.at > first.at ? (last[of] - first[of]) / (last.at - first.at) : 0;
    };

    const look = () => {
      if (performance.now() - looked < FRESH) return;
      looked = performance.now();
      root.querySelector("#found").dispatchEvent(new CustomEvent("upload-moved"));
    };

    const pace = () => {
      const num = Math.round(1_000 * speed("hands"));
      if (num < 1) return "";
      const left = (1 - bar.value) / (1_000 * speed("progress"));
      const rate = ngettext("%(count)s hand a second", "%(count)s hands a second", num, { count: written(num) });
      return Number.isFinite(left) ? ` · ${rate} · ${remaining(left)}` : ` · ${rate}`;
    };

    const sayPace = () => {
      paced = performance.now();
      panel.querySelector("[data-pace]").textContent = pace();
    };

    // Between two chunks the bar creeps on at the pace of the last ones, never further than the next one would go.
    const creep = () => {
      const last = samples.at(-1);
      const before = samples.at(-2);
      if (last && before) {
        const step = last.progress - before.progress;
        const gone = speed("progress") * (performance.now() - last.at);
        bar.value = Math.max(bar.value, Math.min(last.progress + Math.min(gone, 0.9 * step), 1));
        if (performance.now() - paced > EVERY) sayPace();
      }
      frame = requestAnimationFrame(creep);
    };

    const showState = (upload) => {
      if (upload.progress > 0) bar.value = Math.max(upload.progress, bar.value);
      if (upload.status !== "processing") return;
      panel.querySelector(".badge").textContent = gettext("Processing");
      if (!upload.progress) bar.removeAttribute("value"); // at work, and nothing is published yet
    };

    const showCounts = (counts) => {
      for (const [name, number] of Object.entries(counts)) {
        const shown = root.querySelector(`[data-count="${name}"]`);
        if (shown) shown.textContent = written(number);
      }
      panel.querySelector("[data-read]").textContent = ngettext(
        "%(count)s hand read",
        "%(count)s hands read",
        counts.hands,
        { count: written(counts.hands) },
      );
    };

    const show = (upload) => {
      const { hands } = upload.counts;
      const known = samples.at(-1);
      if (known?.hands === hands && known.progress === upload.progress && known.status === upload.status) return;
      if (known?.status !== upload.status) samples.length = 0; // a time of waiting is none of work
      const at = performance.now();
      samples.push({ at, hands, progress: upload.progress, status: upload.status });
      while (samples.length > 2 && at - samples[0].at > MEASURED) samples.shift();
      showState(upload);
      showCounts(upload.counts);
      if (samples.length < 2) return;
      sayPace();
      look();
    };

    const stop = () => {
      source?.close();
      source = null;
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };

    const end = () => {
      if (over) return;
      over = true;
      stop();
      document.removeEventListener("visibilitychange", turn);
      root.dispatchEvent(new CustomEvent("upload-over"));
    };

    const ask = async () => {
      const answer = await fetch(panel.dataset.ask).catch(() => null);
      if (answer?.status === 404) return end();
      if (answer?.ok) {
        const upload = await answer.json();
        show(upload);
        if (upload.status !== "received" && upload.status !== "processing") return end();
      }
      timer = setTimeout(ask, EVERY);
    };

    const listen = () => {
      source = new EventSource(panel.dataset.follow);
      source.addEventListener("progress", (event) => show(JSON.parse(event.data)));
      source.addEventListener("end", end);
      source.addEventListener("error", () => {
        if (source?.readyState !== EventSource.CLOSED) return;
        source = null;
        ask();
      });
    };

    // A page that nobody looks at keeps no connection open.
    const turn = () => {
      stop();
      if (document.hidden) return;
      listen();
      creep();
    };

    document.addEventListener("visibilitychange", turn);
    turn();
  }

  document.querySelectorAll("[data-follow]").forEach(follow);
})();
