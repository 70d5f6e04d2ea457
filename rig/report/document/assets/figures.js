"use strict";
// Draws each figure from the page's own data; buttons do by the keyboard what the mouse does. Nothing is asked of anybody.
(() => {
  const told = JSON.parse(document.getElementById("figures").textContent);
  const INK = "#1f2933", GRID = "#e6e9ed", PRINTED = 680; // px of a page of A4 between its margins
  const SERIES = ["#0072B2", "#D55E00", "#009E73", "#8a5a83", "#7a5800", "#1F2933", "#2a7f9e", "#a32900"];
  const MARKERS = ["circle", "square", "diamond", "triangle-up", "x", "cross", "star", "hexagon"];
  const DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];
  const LINES = {
    measured: { color: told.colours.measured, width: 1.2 },
    predicted: { color: told.colours.predicted, width: 1.2 },
    command: { color: "#7b8791", width: 1, dash: "dot" },
    difference: { color: INK, width: 1 },
    band_low: { color: told.colours.predicted, width: 0.8, dash: "dot" },
    band_high: { color: told.colours.predicted, width: 0.8, dash: "dot" },
    coherence: { color: INK, width: 1.2 },
    bound: { color: "#8a5a83", width: 1 },
  };

  function trace(curve, i) {
    const base = { type: "scatter", name: curve.name, x: told.arrays[curve.x], y: told.arrays[curve.y], hovertemplate: "%{x:.6g}; %{y:.5g}" };
    const colour = SERIES[i % SERIES.length];
    if (curve.style === "series") {
      return { ...base, mode: "lines+markers", line: { color: colour, width: 1.2 }, marker: { color: colour, size: 8, symbol: MARKERS[i % MARKERS.length] } };
    }
    if (curve.style === "series-line") {
      return { ...base, mode: "lines", line: { color: colour, width: 1.3, dash: DASHES[i % DASHES.length] } };
    }
    if (curve.style === "ratio-points") return { ...base, mode: "markers", marker: { color: "#8a5a83", size: 5 } };
    if (curve.style.endsWith("-points")) {
      const name = curve.style.slice(0, -7);
      return { ...base, mode: "markers", marker: { color: told.colours[name], size: 7, symbol: name === "measured" ? "circle" : "x-thin", line: { width: name === "measured" ? 0 : 2, color: told.colours[name] } } };
    }
    return { ...base, mode: "lines", line: LINES[curve.style] || { color: colour, width: 1.2 } };
  }

  function axis(title) {
    return { title: { text: title }, gridcolor: GRID, zerolinecolor: "#aab4bd", linecolor: INK, ticks: "outside", automargin: true, exponentformat: "power" };
  }

  function draw(key, figure) {
    const element = document.getElementById(key);
    if (!element) return; // a template may leave it out
    const x = axis(figure.x), y = axis(figure.y);
    for (const [name, one] of [["x", x], ["y", y]]) if (figure.logarithmic.includes(name)) one.type = "log";
    if (figure.categories.length) Object.assign(x, { tickvals: figure.categories.map((_, i) => i), ticktext: figure.categories });
    if (figure.equal) Object.assign(y, { scaleanchor: "x" });
    const layout = {
      margin: { l: 78, r: 12, t: 8, b: 44 }, font: { color: INK, size: 12 }, paper_bgcolor: "#fff", plot_bgcolor: "#fff",
      xaxis: x, yaxis: y, showlegend: figure.curves.length > 1, dragmode: "zoom",
      legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0 },
    };
    Plotly.newPlot(element, figure.curves.map(trace), layout, { displayModeBar: false, responsive: true, doubleClick: "reset" });
  }

  const ACTS = {
    closer: (low, high) => [low + (high - low) / 4, high - (high - low) / 4],
    wider: (low, high) => [low - (high - low) / 2, high + (high - low) / 2],
    left: (low, high) => [low - (high - low) / 4, high - (high - low) / 4],
    right: (low, high) => [low + (high - low) / 4, high + (high - low) / 4],
  };

  function zoom(key, act) {
    const element = document.getElementById(key);
    if (act === "whole") return Plotly.relayout(element, { "xaxis.autorange": true, "yaxis.autorange": true });
    return Plotly.relayout(element, { "xaxis.range": ACTS[act](...element.layout.xaxis.range), "yaxis.autorange": true });
  }

  for (const [key, figure] of Object.entries(told.figures)) draw(key, figure);
  for (const group of document.querySelectorAll(".zoom")) {
    group.addEventListener("click", (event) => {
      const act = event.target.dataset.act;
      if (act) zoom(group.dataset.figure, act);
    });
  }
  const drawn = () => document.querySelectorAll(".plot.js-plotly-plot");
  addEventListener("beforeprint", () => drawn().forEach((one) => Plotly.relayout(one, { width: PRINTED, height: one.classList.contains("tall") ? 360 : 248 })));
  addEventListener("afterprint", () => drawn().forEach((one) => Plotly.relayout(one, { width: null, height: null, autosize: true })));
  document.documentElement.dataset.drawn = drawn().length;
})();
