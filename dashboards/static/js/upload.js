// Sends a dropped or chosen file to the API as it is and goes to the upload's page.
"use strict";

(() => {
  const LONGEST_NAME = 200; // characters that the API keeps

  for (const form of document.querySelectorAll("form.drop")) {
    const input = form.querySelector("input[type=file]");
    const bar = form.querySelector("progress");
    const message = form.querySelector(".message");

    const say = (text, bad) => {
      message.textContent = text;
      message.classList.toggle("bad", bad);
    };

    const send = (file) => {
      const request = new XMLHttpRequest();
      const url = new URL(form.action);
      url.searchParams.set("name", file.name.slice(-LONGEST_NAME));
      request.open("POST", url);
      request.responseType = "json";
      request.setRequestHeader("Content-Type", "application/octet-stream");
      request.setRequestHeader("X-CSRFToken", form.dataset.token);
      bar.hidden = false;
      say(`Sending ${file.name}`, false);
      request.upload.addEventListener("progress", (event) => {
        if (event.lengthComputable) {
          bar.max = event.total;
          bar.value = event.loaded;
        }
      });
      request.addEventListener("load", () => {
        if (request.status >= 200 && request.status < 300) {
          window.location.assign(form.dataset.page.replace("UPLOAD", request.response.id));
          return;
        }
        const problem = request.response || {};
        bar.hidden = true;
        say(problem.detail || problem.title || `The service answered ${request.status}.`, true);
      });
      request.addEventListener("error", () => {
        bar.hidden = true;
        say("The service could not be reached. Nothing was stored; please try again.", true);
      });
      request.send(file);
    };

    input.addEventListener("change", () => {
      if (input.files.length) send(input.files[0]);
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("dragover", (event) => {
      event.preventDefault();
      form.classList.add("over");
    });
    form.addEventListener("dragleave", () => form.classList.remove("over"));
    form.addEventListener("drop", (event) => {
      event.preventDefault();
      form.classList.remove("over");
      if (event.dataTransfer.files.length) send(event.dataTransfer.files[0]);
    });
  }
})();
