// Paints the table as it is shown onto a canvas, for a PNG. It reads the page and asks nobody.
"use strict";

const tablePicture = (() => {
  const LEAST_WIDTH = 1600; // pixels of the picture
  const CAPTION = 56; // CSS pixels below the table
  const GLYPH = 32; // the side of a suit's view box

  function seen(colour) {
    return colour !== "transparent" && !/, 0\)$/.test(colour);
  }

  function radii(text, box) {
    const [across, down = across] = text.split(" ");
    const of = (part, side) => {
      const length = parseFloat(part);
      return part.endsWith("%") ? (length / 100) * side : length;
    };
    const [x, y] = [of(across, box.width), of(down, box.height)];
    const fits = Math.min(1, box.width / (2 * x || 1), box.height / (2 * y || 1));
    return { x: x * fits, y: y * fits };
  }

  function outline(pen, box, radius, inset = 0) {
    const width = Math.max(box.width - 2 * inset, 0);
    const height = Math.max(box.height - 2 * inset, 0);
    pen.beginPath();
    pen.roundRect(box.left + inset, box.top + inset, width, height, [
      { x: Math.max(radius.x - inset, 0), y: Math.max(radius.y - inset, 0) },
    ]);
  }

  function stripes(pen, box, radius) {
    pen.save();
    outline(pen, box, radius);
    pen.fillStyle = "#f6efe6";
    pen.fill();
    outline(pen, box, radius, 2);
    pen.clip();
    pen.fillStyle = "#8f2f3b";
    pen.fillRect(box.left, box.top, box.width, box.height);
    pen.strokeStyle = "#7d2430";
    pen.lineWidth = 4;
    for (let along = -box.height; along < box.width; along += 11.3) {
      pen.beginPath();
      pen.moveTo(box.left + along, box.top + box.height);
      pen.lineTo(box.left + along + box.height, box.top);
      pen.stroke();
    }
    pen.restore();
  }

  function paintBox(pen, node, style, box) {
    const radius = radii(style.borderTopLeftRadius, box);
    if (node.classList.contains("back")) {
      stripes(pen, box, radius);
      return;
    }
    if (seen(style.backgroundColor)) {
      outline(pen, box, radius);
      pen.fillStyle = style.backgroundColor;
      pen.fill();
    }
    const thick = parseFloat(style.borderTopWidth);
    if (thick > 0 && style.borderTopStyle !== "none" && seen(style.borderTopColor)) {
      outline(pen, box, radius, thick / 2);
      pen.setLineDash(style.borderTopStyle === "dashed" ? [3 * thick, 3 * thick] : []);
      pen.strokeStyle = style.borderTopColor;
      pen.lineWidth = thick;
      pen.stroke();
      pen.setLineDash([]);
    }
    if (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) {
      const wide = parseFloat(style.outlineWidth);
      outline(pen, box, radius, -wide / 2);
      pen.strokeStyle = style.outlineColor;
      pen.lineWidth = wide;
      pen.stroke();
    } else if (node.classList.contains("card")) {
      outline(pen, box, radius);
      pen.strokeStyle = "rgb(0 0 0 / 25%)";
      pen.lineWidth = 1;
      pen.stroke();
    }
  }

  function paintGlyph(pen, node, style) {
    const box = node.getBoundingClientRect();
    const use = node.querySelector("use");
    const path = document.querySelector(`${use.getAttribute("href")} path`);
    const scale = Math.min(box.width, box.height) / GLYPH;
    pen.save();
    pen.translate(
      box.left + (box.width - GLYPH * scale) / 2,
      box.top + (box.height - GLYPH * scale) / 2,
    );
    pen.scale(scale, scale);
    pen.fillStyle = style.fill;
    pen.fill(new Path2D(path.getAttribute("d")));
    pen.restore();
  }

  function clipped(pen, text, width) {
    if (pen.measureText(text).width <= width + 1) return text;
    let left = text;
    while (left && pen.measureText(`${left}…`).width > width) left = left.slice(0, -1);
    return `${left}…`;
  }

  function paintText(pen, text, holder, style) {
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (box.width === 0) return;
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    pen.letterSpacing = style.letterSpacing === "normal" ? "0px" : style.letterSpacing;
    pen.fillStyle = style.color;
    const frame = holder.getBoundingClientRect();
    const cut = style.overflowX === "hidden";
    const words = cut ? clipped(pen, text.textContent, frame.width) : text.textContent;
    const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = pen.measureText(words);
    const left = cut ? Math.max(box.left, frame.left) : box.left;
    pen.fillText(words, left, box.top + (box.height * up) / (up + down));
  }

  function depth(node) {
    return node.nodeType === Node.ELEMENT_NODE ? Number(getComputedStyle(node).zIndex) || 0 : 0;
  }

  function upwards(node) {
    return [...node.childNodes].sort((one, other) => depth(one) - depth(other));
  }

  function paint(pen, node, alpha) {
    if (node.nodeType === Node.TEXT_NODE) {
      pen.globalAlpha = alpha;
      paintText(pen, node, node.parentElement, getComputedStyle(node.parentElement));
      return;
    }
    const style = getComputedStyle(node);
    if (style.display === "none" || node.matches(".flying, .leaving")) return;
    const inside = alpha * Number(style.opacity);
    pen.globalAlpha = inside;
    if (node instanceof SVGElement) {
      if (node.matches(".flows")) paintFlows(pen, node);
      else paintGlyph(pen, node, style);
      return;
    }
    paintBox(pen, node, style, node.getBoundingClientRect());
    for (const child of upwards(node)) paint(pen, child, inside);
  }

  // The box of a part of the felt that is there in the style sheet alone.
  function shapeOf(felt, box, part) {
    const style = getComputedStyle(felt, part);
    const [left, top] = [parseFloat(style.left), parseFloat(style.top)];
    const inside = {
      left: box.left + left,
      top: box.top + top,
      width: box.width - 2 * left,
      height: box.height - 2 * top,
    };
    return { style, inside, radius: radii(style.borderTopLeftRadius, inside) };
  }

  function round(pen, box, colours, across) {
    const paint = pen.createRadialGradient(0, 0, 0, 0, 0, box.width * across);
    for (const [at, colour] of colours) paint.addColorStop(at, colour);
    pen.save();
    pen.clip();
    pen.translate(box.left + box.width / 2, box.top + box.height * 0.42);
    pen.scale(1, box.height / box.width);
    pen.fillStyle = paint;
    pen.fillRect(-box.width, -box.width, 2 * box.width, 2 * box.width);
    pen.restore();
  }

  function paintFelt(pen, felt, box) {
    const { style, inside, radius } = shapeOf(felt, box, "::before");
    const square = { x: 0, y: 0 };
    outline(pen, box, square);
    round(pen, box, [[0, "#26332f"], [0.6, "#161f1c"], [1, "#0d1311"]], 0.71);
    const wood = pen.createLinearGradient(0, inside.top, 0, inside.top + inside.height);
    for (const [at, colour] of [[0, "#8a5f3a"], [0.55, "#5d3b21"], [1, "#432914"]]) {
      wood.addColorStop(at, colour);
    }
    outline(pen, inside, radius);
    pen.fillStyle = wood;
    pen.fill();
    outline(pen, inside, radius, parseFloat(style.borderTopWidth));
    round(pen, inside, [[0, "#2a8066"], [0.48, "#1b6250"], [1, "#11473a"]], 0.71);
    const line = shapeOf(felt, box, "::after");
    outline(pen, line.inside, line.radius);
    pen.strokeStyle = line.style.borderTopColor;
    pen.lineWidth = 1.5;
    pen.stroke();
  }

  function paintFlows(pen, svg) {
    const box = svg.getBoundingClientRect();
    const toBox = new DOMMatrix([box.width / 100, 0, 0, box.height / 100, box.left, box.top]);
    for (const line of svg.querySelectorAll("path")) {
      const path = new Path2D();
      path.addPath(new Path2D(line.getAttribute("d")), toBox);
      const style = getComputedStyle(line);
      pen.globalAlpha = Number(style.opacity);
      pen.strokeStyle = style.stroke;
      pen.lineWidth = parseFloat(style.strokeWidth);
      pen.lineCap = "round";
      pen.setLineDash([0.1, 10]);
      pen.stroke(path);
      pen.setLineDash([]);
    }
  }

  function paintCaption(pen, box, title, sentence) {
    const family = getComputedStyle(document.body).fontFamily;
    pen.globalAlpha = 1;
    pen.fillStyle = "#0c241d";
    pen.fillRect(box.left, box.bottom, box.width, CAPTION);
    pen.letterSpacing = "0px";
    pen.textBaseline = "alphabetic";
    pen.fillStyle = "#f2f6f3";
    pen.font = `600 16px ${family}`;
    pen.fillText(clipped(pen, sentence, box.width - 32), box.left + 16, box.bottom + 24);
    pen.fillStyle = "#c4d3cc";
    pen.font = `13px ${family}`;
    pen.fillText(clipped(pen, title, box.width - 32), box.left + 16, box.bottom + 44);
  }

  function draw(felt, title, sentence) {
    for (const moving of felt.getAnimations({ subtree: true })) {
      if (moving.effect.getComputedTiming().endTime !== Infinity) moving.finish();
    }
    const box = felt.getBoundingClientRect();
    const scale = Math.max(2, LEAST_WIDTH / box.width);
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(box.width * scale);
    canvas.height = Math.round((box.height + CAPTION) * scale);
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    pen.translate(-box.left, -box.top);
    paintFelt(pen, felt, box);
    for (const child of upwards(felt)) paint(pen, child, 1);
    paintCaption(pen, box, title, sentence);
    return canvas;
  }

  function save(felt, title, sentence, name) {
    draw(felt, title, sentence).toBlob((blob) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = name;
      link.click();
      window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    }, "image/png");
  }

  return { save };
})();
