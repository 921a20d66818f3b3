// Moves through the steps of a replay: buttons, slider, keys, step list and the URL.
"use strict";

(() => {
  const INTERVAL = 1200; // milliseconds a step, at the usual speed
  const MOVE = 420;
  const DEALINGS = ["deal", "turn", "show"]; // what the table does, not what a player chooses
  const COUNTED = ["stay", "draw"]; // their number is one of cards, not of chips
  const replay = JSON.parse(document.getElementById("replay").textContent);
  const byId = (id) => document.getElementById(id);
  const felt = byId("felt");
  const slider = byId("slider");
  const last = replay.steps.length;
  const list = byId("steps");
  const stepButtons = [...document.querySelectorAll("button[data-step]")];
  const findings = [...document.querySelectorAll("[data-finding-step]")];
  const marked = [
    ...new Set(findings.map((node) => Number(node.dataset.findingStep)).filter(Boolean)),
  ].sort((a, b) => a - b);
  const speed = byId("speed");
  const suits = byId("suits");
  let now = 0;
  let timer = null;

  function allowed(state) {
    if (state.to_speak === null) return "";
    const own = state.legal.filter(
      (action) => action.seat === state.to_speak && !DEALINGS.includes(action.do),
    );
    if (own.length === 0) return "";
    const acts = own.map((action) => {
      if (action.cards !== null) return [action.do, ...action.cards.map(cardTable.said)].join(" ");
      if (action.min === null || action.max === null) return action.do;
      const least = cardTable.number.format(action.min);
      const most = cardTable.number.format(action.max);
      const amount = least === most ? least : `${least} to ${most}`;
      return COUNTED.includes(action.do) ? `${action.do} ${amount} cards` : `${action.do} +${amount}`;
    });
    return `${replay.players[state.to_speak]} may: ${acts.join(", ")}`;
  }

  function keepInView(button) {
    const above = button.offsetTop - list.offsetTop - list.scrollTop;
    if (above < 0 || above + button.offsetHeight > list.clientHeight) {
      list.scrollTop += above - list.clientHeight / 2;
    }
  }

  function show(wanted) {
    const number = Math.min(Math.max(wanted, 1), last);
    if (number === now) return;
    const onward = now > 0 && number === now + 1;
    now = number;
    const step = replay.steps[now - 1];
    cardTable.draw(felt, replay, step);
    if (onward) cardMoves.run(felt, replay, step, MOVE / Math.max(Number(speed.value), 1));
    slider.value = String(now);
    byId("count").textContent = `${now} of ${last}`;
    byId("allowed").textContent = allowed(step.state);
    for (const button of stepButtons) {
      const here = Number(button.dataset.step) === now;
      if (!list.contains(button)) continue;
      if (here) {
        button.setAttribute("aria-current", "step");
        const text = button.querySelector(".text").textContent;
        byId("sentence").textContent = text;
        slider.setAttribute("aria-valuetext", `Step ${now} of ${last}: ${text}`);
        keepInView(button);
      } else {
        button.removeAttribute("aria-current");
      }
    }
    for (const node of findings) {
      node.hidden = node.dataset.findingStep !== "" && Number(node.dataset.findingStep) !== now;
    }
    byId("first").disabled = byId("back").disabled = now === 1;
    byId("last").disabled = byId("forward").disabled = now === last;
    if (marked.length) {
      byId("previous-finding").disabled = !marked.some((at) => at < now);
      byId("next-finding").disabled = !marked.some((at) => at > now);
    }
    const url = new URL(window.location);
    url.searchParams.delete("finding");
    url.searchParams.set("step", String(now));
    if (url.hash.startsWith("#step=")) url.hash = "";
    window.history.replaceState(null, "", url);
    remember();
  }

  // Whatever leaves the page and comes back, or is handed on, does so at this step.
  function remember() {
    for (const input of document.querySelectorAll('input[type="hidden"][name="step"]')) {
      input.value = String(now);
    }
    for (const link of document.querySelectorAll("[data-shared]")) {
      const url = new URL(link.href);
      url.searchParams.set("step", String(now));
      link.href = url;
    }
    for (const field of document.querySelectorAll("[data-link]")) {
      const url = new URL(field.value);
      url.searchParams.set("step", String(now));
      field.value = url;
    }
  }

  function stop() {
    window.clearTimeout(timer);
    timer = null;
    byId("play").querySelector("path").setAttribute("d", "M8 5l10 7-10 7z");
  }

  function play() {
    if (timer !== null) {
      stop();
      return;
    }
    if (now === last) show(1);
    byId("play").querySelector("path").setAttribute("d", "M8 5v14M16 5v14");
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
    const title = `${document.querySelector("h1").textContent}, step ${now} of ${last}`;
    const name = document.querySelector("h1").textContent.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60);
    tablePicture.save(felt, title, byId("sentence").textContent, `${name}-step-${now}.png`);
  });
  slider.addEventListener("input", () => go(Number(slider.value)));
  for (const button of stepButtons) {
    button.addEventListener("click", () => go(Number(button.dataset.step)));
  }
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
      ArrowLeft: () => go(now - 1),
      ArrowRight: () => go(now + 1),
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
    return Number(asked) || Number(byId("replayer").dataset.initial) || 1;
  }

  byId("direction").textContent = cardTable.direction(replay);
  window.addEventListener("hashchange", () => go(wantedStep()));
  show(wantedStep());
})();
