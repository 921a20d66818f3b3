// Draws the figures that the server built, in the page's theme, and again when that changes.
"use strict";

(() => {
  const CONFIG = { displayModeBar: false, responsive: true, scrollZoom: false };

  function swatch(trace) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
    svg.setAttribute("viewBox", "0 0 22 8");
    svg.setAttribute("aria-hidden", "true");
    for (const [name, value] of Object.entries({ x1: 1, x2: 21, y1: 4, y2: 4 })) {
      line.setAttribute(name, value);
    }
    line.setAttribute("stroke-width", trace.line.width);
    if (trace.line.dash === "dot") line.setAttribute("stroke-dasharray", "3 3");
    svg.append(line);
    return svg;
  }

  // One switch a trace: it says which line is which, and hides or shows it.
  function legend(list, traces, redraw) {
    return traces.map((trace) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-pressed", "true");
      button.append(swatch(trace), trace.name);
      button.addEventListener("click", () => {
        trace.visible = trace.visible === false;
        button.setAttribute("aria-pressed", String(trace.visible));
        redraw();
      });
      item.append(button);
      list.append(item);
      return button.querySelector("line");
    });
  }

  for (const box of document.querySelectorAll("[data-figure]")) {
    const figure = JSON.parse(document.getElementById(box.dataset.figure).textContent);
    const draw = () => {
      const template = figure.templates[window.currentTheme()];
      swatches.forEach((line, index) => {
        const colours = template.layout.colorway;
        line.setAttribute("stroke", colours[index % colours.length]);
      });
      Plotly.react(box, figure.data, { ...figure.layout, template }, CONFIG);
    };
    const swatches = legend(document.getElementById(box.dataset.legend), figure.data, draw);
    draw();
    document.addEventListener("themechange", draw);
    box.on("plotly_click", (event) => {
      const hand = event.points[0].customdata;
      if (hand) window.location.assign(box.dataset.handUrl.replace("HAND", hand));
    });
  }
})();
