// Sends what a form of the reference page asks for, and shows the answer as it came.
"use strict";

const MOST_SHOWN = 100000; // characters of an answer

function address(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const field of form.querySelectorAll("[name]")) {
    if (field.dataset.in === "path") {
      path = path.replace(`{${field.name}}`, encodeURIComponent(field.value.trim()));
    } else if (field.value !== "") {
      query.append(field.name, field.value);
    }
  }
  return String(query) ? `${path}?${query}` : path;
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function tell(told, asked, status, good, text) {
  const badge = told.querySelector(".badge");
  badge.textContent = status;
  badge.className = `badge ${good ? "tone-legal" : "tone-illegal"}`;
  told.querySelector(".asked").textContent = asked;
  const shown = readable(text);
  const cut = shown.length > MOST_SHOWN;
  told.querySelector("pre").textContent = cut ? `${shown.slice(0, MOST_SHOWN)}\n…` : shown;
  told.hidden = false;
}

for (const form of document.querySelectorAll(".try form")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const told = form.parentElement.querySelector(".told");
    const asked = address(form);
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      const response = await fetch(asked);
      tell(told, asked, String(response.status), response.ok, await response.text());
    } catch (error) {
      tell(told, asked, "no answer", false, String(error));
    } finally {
      button.disabled = false;
    }
  });
}
