// Applies the chosen theme and the colours of the suits before the first paint and keeps it; announces changes to charts.
"use strict";

(() => {
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  function stored(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  }

  function store(name, value) {
    try {
      localStorage.setItem(name, value);
    } catch {
      // Without storage the choice lasts for this page.
    }
  }

  function current() {
    return root.dataset.theme || (dark.matches ? "dark" : "light");
  }

  function announce() {
    document.dispatchEvent(new CustomEvent("themechange", { detail: current() }));
  }

  const chosen = stored("theme");
  if (stored("suits") === "four") root.dataset.suits = "four";
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  dark.addEventListener("change", announce);

  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme")?.addEventListener("click", () => {
      root.dataset.theme = current() === "dark" ? "light" : "dark";
      store("theme", root.dataset.theme);
      announce();
    });
  });

  window.currentTheme = current;
  window.choices = { stored, store };
})();
