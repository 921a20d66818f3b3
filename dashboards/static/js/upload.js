// Sends dropped or chosen files to the API as they are, one after the other, and goes where they are shown.
"use strict";

(() => {
  const LONGEST_NAME = 200; // characters that the API keeps
  const LONGEST_WAIT = 60; // seconds to wait when the service asks for patience

  const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

  for (const form of document.querySelectorAll("form.drop")) {
    const input = form.querySelector("input[type=file]");
    const bar = form.querySelector("progress");
    const message = form.querySelector(".message");
    const refused = form.querySelector(".refused");
    let busy = false;

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
        const problem = request.response || {};
        const said = problem.detail || problem.title || `The service answered ${request.status}.`;
        refuse(
          file,
          request.status
            ? said
            : "The service could not be reached, or the file could not be read. Please try again.",
        );
        return null;
      }
    };

    const sendAll = async (files) => {
      if (busy || !files.length) return;
      busy = true;
      input.disabled = true;
      bar.hidden = false;
      refused.replaceChildren();
      const sent = [];
      for (const [index, file] of files.entries()) {
        const place = files.length > 1 ? ` (${index + 1} of ${files.length})` : "";
        say(`Sending ${file.name}${place}`, false);
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
      const taken = sent.length ? `${sent.length} of ${files.length} files were taken` : "Nothing was taken";
      say(`${taken}. Not taken:`, true);
    };

    input.addEventListener("change", () => sendAll([...input.files]));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("dragover", (event) => {
      event.preventDefault();
      form.classList.add("over");
    });
    form.addEventListener("dragleave", () => form.classList.remove("over"));
    form.addEventListener("drop", (event) => {
      event.preventDefault();
      form.classList.remove("over");
      sendAll([...event.dataTransfer.files]);
    });
  }
})();
