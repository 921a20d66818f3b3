// Draws the figures that the server built, in the page's theme, and again when that changes.
"use strict";

(() => {
  const LOCALE = window.pageLocale;
  const CONFIG = { displayModeBar: false, responsive: true, scrollZoom: false, locale: LOCALE };
  const PICTURE = { width: 1200, height: 600 };
  const SHAPES = "http://www.w3.org/2000/svg";

  // Names of days and months as the browser has them; English, which Plotly speaks, stays as it is.
  function speak() {
    if (LOCALE.startsWith("en")) return;
    const dates = (many, date) => Array.from({ length: many }, (_, place) => date(place));
    const days = dates(7, (day) => Date.UTC(2023, 0, 1 + day)); // from a Sunday on
    const months = dates(12, (month) => Date.UTC(2023, month, 1));
    const named = (part, width, moments) => {
      const form = new Intl.DateTimeFormat(LOCALE, { [part]: width, timeZone: "UTC" });
      return moments.map((moment) => form.format(moment));
    };
    const format = {
      days: named("weekday", "long", days),
      shortDays: named("weekday", "short", days),
      months: named("month", "long", months),
      shortMonths: named("month", "short", months),
      date: "%d/%m/%Y",
      dayMonth: "%-d %b",
      dayMonthYear: "%-d %b %Y",
    };
    Plotly.register({ moduleType: "locale", name: LOCALE, dictionary: {}, format });
  }

  function shape(name, attributes) {
    const node = document.createElementNS(SHAPES, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  }

  // A sign of a trace, in the colour that its page's theme gives it.
  function sign(trace) {
    if (trace.fill === "toself") {
      return shape("rect", { x: 1, y: 0, width: 20, height: 8, "fill-opacity": 0.3 });
    }
    if (trace.mode === "markers") {
      if (trace.marker.symbol !== "x") return shape("circle", { cx: 11, cy: 4, r: 3.5 });
      return shape("path", { d: "M8 1l6 6M14 1l-6 6", "stroke-width": 2.4 });
    }
    const line = shape("line", { x1: 1, x2: 21, y1: 4, y2: 4, "stroke-width": trace.line.width });
    if (trace.line.dash === "dot") line.setAttribute("stroke-dasharray", "3 3");
    if (trace.line.dash === "dash") line.setAttribute("stroke-dasharray", "6 3");
    return line;
  }

  // One switch a trace: it says which is which, and hides or shows it. A name that Plotly would
  // read as markup is there as it is written, too.
  function legend(list, traces, redraw) {
    return traces.map((trace) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      const swatch = shape("svg", { viewBox: "0 0 22 8", "aria-hidden": "true" });
      const drawn = sign(trace);
      button.type = "button";
      button.setAttribute("aria-pressed", "true");
      swatch.append(drawn);
      button.append(swatch, trace.meta ?? trace.name);
      button.addEventListener("click", () => {
        trace.visible = trace.visible === false;
        button.setAttribute("aria-pressed", String(trace.visible));
        redraw();
      });
      item.append(button);
      list.append(item);
      return drawn;
    });
  }

  function save(address, name) {
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
  }

  function picture(address) {
    return new Promise((resolve, reject) => {
      const image = new Image();
      image.addEventListener("load", () => resolve(image));
      image.addEventListener("error", reject);
      image.src = address;
    });
  }

  // The picture is drawn from the SVG here, because the page lets no image in from elsewhere.
  async function download(figure, template, kind, name) {
    const layout = {
      ...figure.layout,
      template,
      showlegend: figure.data.length > 1,
      paper_bgcolor: template.layout.hoverlabel.bgcolor,
    };
    const drawn = { data: figure.data, layout, config: CONFIG };
    const address = await Plotly.toImage(drawn, { format: "svg", ...PICTURE });
    if (kind === "svg") {
      save(address, `${name}.svg`);
      return;
    }
    const image = await picture(address);
    const canvas = document.createElement("canvas");
    canvas.width = 2 * PICTURE.width;
    canvas.height = 2 * PICTURE.height;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    save(canvas.toDataURL("image/png"), `${name}.png`);
  }

  function show(box) {
    const figure = JSON.parse(document.getElementById(box.dataset.figure).textContent);
    const list = document.getElementById(box.dataset.legend);
    const current = () => figure.templates[window.currentTheme()];
    const draw = () => {
      const template = current();
      signs.forEach((drawn, index) => {
        const colours = template.layout.colorway;
        const colour = colours[index % colours.length];
        drawn.setAttribute("stroke", drawn.tagName === "rect" ? "none" : colour);
        drawn.setAttribute("fill", colour);
      });
      Plotly.react(box, figure.data, { ...figure.layout, template }, CONFIG);
    };
    // Lines over the same points have their addresses once, with the first of them.
    const address = (point) =>
      point.customdata || (figure.data[0].customdata || [])[point.pointNumber];
    const signs = list ? legend(list, figure.data, draw) : [];
    draw();
    document.addEventListener("themechange", draw);
    box.on("plotly_click", (event) => {
      const to = event.points.map(address).find(Boolean);
      if (!to) return;
      const url = box.dataset.handUrl;
      window.location.assign(url ? url.replace("HAND", to) : to);
    });
    for (const button of document.querySelectorAll(`[data-of="${box.id}"]`)) {
      const name = box.id.replace("-chart", "");
      button.disabled = false;
      button.addEventListener("click", () => {
        download(figure, current(), button.dataset.picture, name);
      });
    }
  }

  speak();
  // Draws what is in a part of the page; parts that come later are drawn by whoever brings them.
  window.drawCharts = (root) => root.querySelectorAll("[data-figure]").forEach(show);
  window.drawCharts(document);
})();
