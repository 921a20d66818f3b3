// Draws the figures that the server built, in the page's theme, and again when that changes.
"use strict";

(() => {
  const config = { displayModeBar: false, responsive: true, scrollZoom: false };

  for (const box of document.querySelectorAll("[data-figure]")) {
    const figure = JSON.parse(document.getElementById(box.dataset.figure).textContent);
    const draw = () => {
      const template = figure.templates[window.currentTheme()];
      Plotly.react(box, figure.data, { ...figure.layout, template }, config);
    };
    draw();
    document.addEventListener("themechange", draw);
    box.on("plotly_click", (event) => {
      const hand = event.points[0].customdata;
      if (hand) window.location.assign(box.dataset.handUrl.replace("HAND", hand));
    });
  }
})();
