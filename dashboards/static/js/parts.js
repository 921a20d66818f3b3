// Brings the parts of a page that it came without, each when it comes near the view.
"use strict";

(() => {
  const NEAR = "600px 0px";

  async function bring(box) {
    const { part } = box.dataset;
    delete box.dataset.part;
    if (!part) return;
    box.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(part, { headers: { Accept: "text/html" } });
      if (!answer.ok) throw new Error(answer.statusText);
      box.innerHTML = await answer.text();
      window.drawCharts(box);
    } catch {
      const again = box.querySelector("a");
      again.textContent = gettext("This part could not be brought. Try again");
      box.dataset.part = part;
    } finally {
      box.removeAttribute("aria-busy");
    }
  }

  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        bring(target);
      }
    },
    { rootMargin: NEAR },
  );

  for (const box of document.querySelectorAll("[data-part]")) {
    box.querySelector("a").addEventListener("click", (event) => {
      event.preventDefault();
      bring(box);
    });
    near.observe(box);
  }
})();
