// Hands the hand on at the step that is shown: links, forms and what is copied.
"use strict";

const handingOn = (() => {
  const COPIED_FOR = 1600; // milliseconds that a button says that it has copied

  function atStep(address, step) {
    const url = new URL(address, window.location);
    url.searchParams.set("step", String(step));
    return url.href;
  }

  // Whatever leaves the page and comes back, or is handed on, does so at this step.
  function remember(step) {
    for (const input of document.querySelectorAll('input[type="hidden"][name="step"]')) {
      input.value = String(step);
    }
    for (const link of document.querySelectorAll("a[data-shared]")) {
      link.href = atStep(link.href, step);
    }
    for (const field of document.querySelectorAll("[data-link]")) {
      field.value = atStep(field.value, step);
    }
    for (const field of document.querySelectorAll("[data-embedded]")) {
      const address = atStep(field.dataset.embedded, step);
      field.value = field.value.replace(/src="[^"]*"/, `src="${address}"`);
    }
    for (const button of document.querySelectorAll("[data-copies-step]")) {
      button.dataset.copies = atStep(window.location.pathname, step);
    }
  }

  // Where the browser keeps its clipboard to itself, as on pages without HTTPS.
  function copyByHand(text) {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "visually-hidden";
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }

  async function copy(button) {
    const field = button.dataset.copiesFrom && document.getElementById(button.dataset.copiesFrom);
    const text = field ? field.value : button.dataset.copies;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      copyByHand(text);
      button.focus();
    }
    if (button.dataset.says !== undefined) return;
    button.dataset.says = button.textContent;
    button.textContent = gettext("Copied");
    window.setTimeout(() => {
      button.textContent = button.dataset.says;
      delete button.dataset.says;
    }, COPIED_FOR);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copies-step], [data-copies-from]");
    if (button !== null) copy(button);
  });

  return { remember };
})();
