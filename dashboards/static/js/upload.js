// Sends files that are dropped anywhere on the page, or chosen, to the API as they are, one after the other, and goes
// where they are shown.
"use strict";

(() => {
  const LONGEST_NAME = 200; // characters that the API keeps
  const LONGEST_WAIT = 60; // seconds to wait when the service asks for patience

  const form = document.querySelector("form.drop");
  if (!form) return;
  const input = form.querySelector("input[type=file]");
  const dialect = form.querySelector("select[name=dialect]");
  const bar = form.querySelector("progress");
  const message = form.querySelector(".message");
  const refused = form.querySelector(".refused");
  let busy = false;

  const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

  const say = (text, bad) => {
    message.textContent = text;
    message.classList.toggle("bad", bad);
  };

  const refuse = (file, detail) => {
    const item = document.createElement("li");
    const name = document.createElement("bdi");
    name.textContent = file.name;
    item.append(name, `: ${detail}`);
    refused.append(item);
  };

  // Resolves to the request, answered or not.
  const post = (file) =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest();
      const url = new URL(form.action);
      url.searchParams.set("name", file.name.slice(-LONGEST_NAME));
      if (dialect.value) url.searchParams.set("dialect", dialect.value);
      request.open("POST", url);
      request.responseType = "json";
      request.setRequestHeader("Content-Type", "application/octet-stream");
      request.setRequestHeader("X-CSRFToken", form.dataset.token);
      request.upload.addEventListener("progress", (event) => {
        if (event.lengthComputable) {
          bar.max = event.total;
          bar.value = event.loaded;
        }
      });
      request.addEventListener("loadend", () => resolve(request));
      request.send(file);
    });

  const whyNot = (request) => {
    if (!request.status) {
      return gettext("The service could not be reached, or the file could not be read. Please try again.");
    }
    const problem = request.response || {};
    const status = request.status;
    return problem.detail || problem.title || gettext("The service answered %(status)s.", { status });
  };

  // Resolves to the upload's id, or to null when the file was refused.
  const send = async (file) => {
    for (;;) {
      bar.removeAttribute("value");
      const request = await post(file);
      if (request.status >= 200 && request.status < 300) return request.response.id;
      const wait = Number(request.getResponseHeader("Retry-After"));
      if (request.status === 429 && wait > 0 && wait <= LONGEST_WAIT) {
        await sleep(wait);
        continue;
      }
      refuse(file, whyNot(request));
      return null;
    }
  };

  const sending = (file, number, count) =>
    count === 1
      ? gettext("Sending %(name)s", { name: file.name })
      : gettext("Sending %(name)s (%(number)s of %(count)s)", { name: file.name, number, count });

  const sendAll = async (files) => {
    if (busy || !files.length) return;
    busy = true;
    input.disabled = true;
    bar.hidden = false;
    refused.replaceChildren();
    const sent = [];
    for (const [index, file] of files.entries()) {
      say(sending(file, index + 1, files.length), false);
      const upload = await send(file);
      if (upload !== null) sent.push(upload);
    }
    busy = false;
    input.disabled = false;
    input.value = "";
    bar.hidden = true;
    if (sent.length === files.length) {
      const [only] = sent;
      const page = sent.length === 1 ? form.dataset.page.replace("UPLOAD", only) : form.dataset.home;
      window.location.assign(page);
      return;
    }
    const taken = sent.length;
    say(
      taken
        ? gettext("Taken: %(taken)s of %(count)s files. Not taken:", { taken, count: files.length })
        : gettext("Nothing was taken. Not taken:"),
      true,
    );
  };

  const brings = (event) => event.dataTransfer?.types.includes("Files");
  const over = (is) => form.classList.toggle("over", is);

  input.addEventListener("change", () => sendAll([...input.files]));
  form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("dragover", (event) => {
    if (!brings(event)) return;
    event.preventDefault();
    over(true);
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) over(false);
  });
  document.addEventListener("drop", (event) => {
    if (!brings(event)) return;
    event.preventDefault();
    over(false);
    sendAll([...event.dataTransfer.files]);
  });
})();
