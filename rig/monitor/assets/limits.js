"use strict";
// Limits that learn, and the limit that holds or has tripped: the words are those of `rig status`, the bar is drawn here.

function limitRow(one) {
  const item = document.createElement("li"), words = document.createElement("span");
  item.className = "limit-row" + (one.outside ? " outside" : "");
  words.textContent = one.text;
  item.append(words);
  if (one.share !== null) {
    const bar = document.createElement("meter");
    bar.min = 0; bar.max = 1; bar.high = 0.8; bar.optimum = 0;
    bar.value = Math.min(1, one.share);
    bar.setAttribute("aria-label", one.channel + ", share of the band that is used");
    item.append(bar);
  }
  return item;
}

let limitsShown = "";
function showLimits(status) {
  const learned = status.learned_limits || [], acting = status.acting_limit, total = status.learned_limits_total || 0;
  const key = JSON.stringify([learned, acting]);
  if (key === limitsShown) return;
  limitsShown = key;
  const section = document.getElementById("limits"), said = document.getElementById("acting");
  section.hidden = !learned.length && !acting;
  said.hidden = !acting;
  said.textContent = acting ? acting.text : "";
  document.getElementById("learned").replaceChildren(...learned.map(limitRow));
  const more = total - learned.length;
  document.getElementById("more-limits").textContent = learned.length && more > 0 ? "... and " + more + " more that learn, farther from their bounds" : "";
}
