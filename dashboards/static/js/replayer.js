// Moves through the steps of a replay: buttons, slider, keys, step list and the URL.
"use strict";

(() => {
  const INTERVAL = 1200; // milliseconds a step, at the usual speed
  const MOVE = 420;
  const DEALINGS = ["deal", "turn", "show"]; // what the table does, not what a player chooses
  const COUNTED = ["stay", "draw"]; // their number is one of cards, not of chips
  const PLAY = "M8 5l10 7-10 7z";
  const PAUSE = "M8 5v14M16 5v14";
  const replay = JSON.parse(document.getElementById("replay").textContent);
  const byId = (id) => document.getElementById(id);
  const page = byId("replayer");
  const acts = JSON.parse(page.dataset.acts);
  const felt = byId("felt");
  const slider = byId("slider");
  const last = replay.steps.length;
  const list = byId("steps");
  const rows = new Map();
  const findings = [...document.querySelectorAll("[data-finding-step]")];
  const marked = [
    ...new Set(findings.map((node) => Number(node.dataset.findingStep)).filter(Boolean)),
  ].sort((a, b) => a - b);
  const speed = byId("speed");
  const suits = byId("suits");
  let now = 0;
  let timer = null;

  for (const button of list.querySelectorAll("[data-step]")) {
    rows.set(Number(button.dataset.step), button);
  }

  function range(action) {
    const [least, most] = [action.min, action.max].map((amount) => cards.number.format(amount));
    return least === most ? least : `${least}–${most}`;
  }

  function allowed(action) {
    const act = acts[action.do] ?? action.do;
    if (action.cards !== null) return [act, ...action.cards.map(cards.said)].join(" ");
    if (action.min === null || action.max === null) return act;
    return COUNTED.includes(action.do) ? `${act} ${range(action)}` : `${act} +${range(action)}`;
  }

  function showAllowed(state) {
    const own = state.legal.filter(
      (action) => action.seat === state.to_speak && !DEALINGS.includes(action.do),
    );
    const nobody = state.to_speak === null || own.length === 0;
    byId("who-may").textContent = nobody
      ? ""
      : gettext("%(player)s may", { player: replay.players[state.to_speak] });
    byId("allowed").replaceChildren(
      ...(nobody ? [] : own.map((action) => cards.element("li", "", allowed(action)))),
    );
  }

  function showPots(pots) {
    byId("pots").replaceChildren(
      ...pots.map((pot, index) => {
        const row = cards.element("li", "", `${cardTable.potName(pots, index)} `);
        row.append(cards.element("b", "", cards.number.format(pot.amount)), ": ");
        row.append(cards.element("bdi", "", cardTable.mayWin(replay, pot)));
        return row;
      }),
    );
  }

  function keepInView(button, within) {
    const above = button.offsetTop - within.offsetTop - within.scrollTop;
    if (above < 0 || above + button.offsetHeight > within.clientHeight) {
      within.scrollTop += above - within.clientHeight / 2;
    }
  }

  function mark(button, isHere) {
    if (isHere) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }

  // The first finding of this step, below its line, where the list of findings scrolls.
  function bringUp(finding) {
    const within = finding.closest("ul");
    within.scrollTop = finding.parentElement.offsetTop - within.offsetTop;
  }

  // The findings of this step, and marks beside its sentence that lead to them.
  function showFindings() {
    const flags = [];
    for (const node of findings) {
      const isHere = Number(node.dataset.findingStep) === now;
      const opener = node.previousElementSibling;
      node.hidden = node.dataset.findingStep !== "" && !isHere;
      if (opener !== null) mark(opener, isHere);
      if (!isHere) continue;
      if (flags.length === 0) bringUp(node);
      const flag = node.querySelector(".badge").cloneNode(true);
      const link = cards.element("a", "flagged-here");
      link.href = `#${node.id}`;
      link.append(flag);
      flags.push(link);
    }
    byId("flags").replaceChildren(...flags.slice(0, 3));
  }

  function showSentence(button) {
    const text = button.querySelector(".text").textContent;
    const dealt = [...button.querySelectorAll(".cards .card")];
    byId("sentence").textContent = text;
    byId("sentence-cards").replaceChildren(...dealt.map((node) => node.cloneNode(true)));
    const said = [text, ...dealt.map((node) => node.getAttribute("aria-label"))];
    slider.setAttribute("aria-valuetext", `${now} / ${last}: ${text}`);
    const codes = [...byId("flags").querySelectorAll(".badge")].map((node) => node.textContent);
    byId("heard").textContent = [...said, ...codes].join(", ");
  }

  function keepInAddress() {
    const url = new URL(window.location);
    url.searchParams.delete("finding");
    url.searchParams.set("step", String(now));
    if (url.hash.startsWith("#step=")) url.hash = "";
    window.history.replaceState(null, "", url);
  }

  function show(wanted) {
    const number = Math.min(Math.max(wanted, 1), last);
    if (number === now) return;
    const onward = now > 0 && number === now + 1;
    const before = rows.get(now);
    now = number;
    const step = replay.steps[now - 1];
    const lay = cardMoves.lying(felt);
    cardTable.draw(felt, replay, step);
    if (onward) cardMoves.run(felt, replay, step, lay, MOVE / Math.max(Number(speed.value), 1));
    slider.value = String(now);
    byId("count").textContent = gettext("%(k)s of %(n)s", { k: now, n: last });
    showAllowed(step.state);
    showPots(step.state.pots ?? []);
    showFindings();
    if (before) mark(before, false);
    mark(rows.get(now), true);
    showSentence(rows.get(now));
    keepInView(rows.get(now), list);
    byId("first").disabled = byId("back").disabled = now === 1;
    byId("last").disabled = byId("forward").disabled = now === last;
    if (marked.length) {
      byId("previous-finding").disabled = !marked.some((at) => at < now);
      byId("next-finding").disabled = !marked.some((at) => at > now);
    }
    keepInAddress();
    handingOn.remember(now);
  }

  function stop() {
    window.clearTimeout(timer);
    timer = null;
    byId("play").querySelector("path").setAttribute("d", PLAY);
  }

  function play() {
    if (timer !== null) {
      stop();
      return;
    }
    if (now === last) show(1);
    byId("play").querySelector("path").setAttribute("d", PAUSE);
    tick();
  }

  function tick() {
    timer = window.setTimeout(() => {
      show(now + 1);
      if (now === last) stop();
      else tick();
    }, INTERVAL / Number(speed.value));
  }

  function go(to) {
    stop();
    show(to);
  }

  byId("first").addEventListener("click", () => go(1));
  byId("back").addEventListener("click", () => go(now - 1));
  byId("forward").addEventListener("click", () => go(now + 1));
  byId("last").addEventListener("click", () => go(last));
  byId("play").addEventListener("click", play);
  speed.addEventListener("change", () => {
    window.choices.store("speed", speed.value);
    if (timer === null) return;
    window.clearTimeout(timer);
    tick();
  });
  const kept = window.choices.stored("speed");
  if ([...speed.options].some((option) => option.value === kept)) speed.value = kept;

  function showSuits() {
    const four = document.documentElement.dataset.suits === "four";
    suits.setAttribute("aria-pressed", String(four));
  }

  suits.addEventListener("click", () => {
    const root = document.documentElement;
    if (root.dataset.suits === "four") delete root.dataset.suits;
    else root.dataset.suits = "four";
    window.choices.store("suits", root.dataset.suits ?? "two");
    showSuits();
  });
  showSuits();

  byId("picture").addEventListener("click", () => {
    const hand = document.querySelector("h1").textContent;
    const title = gettext("%(hand)s, step %(k)s of %(n)s", { hand, k: now, n: last });
    const name = hand.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60);
    const step = replay.steps[now - 1];
    const shown = (step.received ?? step.cards ?? []).map(cards.said);
    const sentence = [byId("sentence").textContent, ...shown].join(" ");
    tablePicture.save(felt, title, sentence, `${name}-${now}.png`);
  });
  slider.addEventListener("input", () => go(Number(slider.value)));
  page.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-step]");
    if (button !== null) go(Number(button.dataset.step));
  });
  if (marked.length) {
    byId("next-finding").addEventListener("click", () => go(marked.find((at) => at > now)));
    byId("previous-finding").addEventListener("click", () => {
      go(marked.findLast((at) => at < now));
    });
  } else if (byId("next-finding")) {
    byId("next-finding").disabled = byId("previous-finding").disabled = true;
  }

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest(".scroll") !== null) return; // there the arrows scroll
    if (event.target.matches("textarea, select, input:not(#slider)")) return; // there keys write
    const pressed = event.target.closest("button, a, input, select, textarea");
    const keys = {
      ArrowLeft: () => (event.shiftKey ? byId("previous-hand")?.click() : go(now - 1)),
      ArrowRight: () => (event.shiftKey ? byId("next-hand")?.click() : go(now + 1)),
      Home: () => go(1),
      End: () => go(last),
      n: () => byId("next-finding")?.click(),
      p: () => byId("previous-finding")?.click(),
      " ": play,
    };
    if (!(event.key in keys)) return;
    if (event.key === " " && pressed !== null && pressed !== slider) return;
    event.preventDefault();
    keys[event.key]();
  });

  function wantedStep() {
    const url = new URL(window.location);
    const asked = url.searchParams.get("step") || (url.hash.match(/^#step=(\d+)$/) || [])[1];
    return Number(asked) || Number(page.dataset.initial) || 1;
  }

  byId("direction").textContent =
    cardTable.direction(replay) === "clockwise"
      ? gettext("Turn order runs clockwise from the dealer, who sits at the bottom.")
      : gettext("Turn order runs counter-clockwise from the dealer, who sits at the bottom.");
  window.addEventListener("hashchange", () => {
    if (window.location.hash.startsWith("#step=")) go(wantedStep());
  });
  window
    .matchMedia("(width < 40rem)")
    .addEventListener("change", () => cardTable.draw(felt, replay, replay.steps[now - 1]));
  show(wantedStep());
})();
