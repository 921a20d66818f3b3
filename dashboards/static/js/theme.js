// Applies the chosen theme before the first paint and keeps it; announces changes to charts.
"use strict";

(() => {
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  function stored() {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  }

  function current() {
    return root.dataset.theme || (dark.matches ? "dark" : "light");
  }

  function announce() {
    document.dispatchEvent(new CustomEvent("themechange", { detail: current() }));
  }

  const chosen = stored();
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  dark.addEventListener("change", announce);

  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", () => {
      root.dataset.theme = current() === "dark" ? "light" : "dark";
      try {
        localStorage.setItem("theme", root.dataset.theme);
      } catch {
        // Without storage the choice lasts for this page.
      }
      announce();
    });
  });

  window.currentTheme = current;
})();
