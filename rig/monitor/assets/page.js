"use strict";
// Asks for what is new twice a second and draws it. It can do nothing else: the server only answers questions.

const EVERY = 500, PATIENCE = 8000;  // ms
const WORDS = {
  stopped: ["■", "calm"], starting: ["▸", "act"], running: ["▶", "good"], holding: ["‖", "wait"], hold: ["‖", "wait"],
  resuming: ["▸", "wait"], stopping: ["▾", "act"], tripped: ["✖", "bad"],
};
const ENDS = { done: "good", stopped: "calm", tripped: "bad", verdict_failed: "bad", failed: "bad", broken_off: "bad" };
const LOUD = new Set(["death", "failure", "fault", "interlock", "limit", "disk_short", "disk_slow", "lost_samples", "specimen", "overload", "dead_channel", "implausible"]);
const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];
const PREFIXED = new Set(["N", "m", "V", "A", "Pa", "W", "s"]);

const at = id => document.getElementById(id);
const say = (node, text) => { if (node.textContent !== text) node.textContent = text; };
const rows = new Map(), scales = new Map();
let chosen = null, answered = 0, newest = null, eventsShown = "";

function scaleOf(name, channel, span) {
  // One unit a channel: that of the largest value seen, or of its limits, so that figures do not jump from one unit to another.
  const unit = channel.unit === "1" ? "" : channel.unit;
  if (!PREFIXED.has(unit)) return { factor: 1, unit };
  const limits = [channel.low, channel.high].filter(one => one !== null).map(Math.abs);
  const seen = limits.length ? limits : [channel.value, ...(span || [])].filter(Number.isFinite).map(Math.abs);
  const largest = Math.max(scales.get(name) || 0, ...seen, 0);
  scales.set(name, largest);
  const [size, letter] = PREFIXES.find(([one]) => largest >= one) || [1, ""];
  return { factor: 1 / size, unit: letter + unit };
}

function figure(value, scale, digits = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const number = value * scale.factor;
  const text = Math.abs(number) >= 1e6 || (number !== 0 && Math.abs(number) < 1e-3) ? number.toExponential(2) : String(Number(number.toPrecision(digits)));
  return text.replace("-", "−");
}

function duration(seconds) {
  if (!Number.isFinite(seconds)) return "–";
  if (seconds < 120) return seconds.toFixed(1) + " s";
  const parts = [[86400, "d"], [3600, "h"], [60, "min"]].map(([size, unit]) => {
    const count = Math.floor(seconds / size);
    seconds -= count * size;
    return count ? count + " " + unit : "";
  });
  return [...parts, Math.floor(seconds) + " s"].filter(Boolean).slice(0, 3).join(" ");
}

const bytes = size => !Number.isFinite(size) ? "–" : size >= 1e9 ? (size / 1e9).toPrecision(3) + " GB" : (size / 1e6).toPrecision(3) + " MB";

function showState(status, slow) {
  const ended = status.ended, [sign, mood] = WORDS[status.state] || ["?", "calm"];
  const verdict = status.verdict || {};
  const box = at("state");
  box.className = "state " + (ended ? ENDS[ended] || "bad" : mood) + (slow ? " stale" : "");
  say(at("sign"), ended ? (ENDS[ended] === "good" ? "✔" : ENDS[ended] === "bad" ? "✖" : "■") : sign);
  say(at("word"), ended ? "ended: " + ended.replace("_", " ") : status.state);
  const of = status.state === "hold" ? "holding: " : status.state + ": ";  // who has asked for a hold is told as it begins
  const last = [...(status.events || [])].reverse().find(one => one.kind === "state" && one.text.startsWith(of.split(":")[0] + ":"));
  const cause = last && status.state !== "running" ? last.text.slice(of.length) : "";
  const judged = verdict.result && verdict.result !== "none" ? "verdict: " + verdict.result.replaceAll("_", " ") : "";
  const unfinished = "ended" in status && !ended ? "nothing moves any more; the result is being put together" : "";
  say(at("why"), ended ? [judged, status.reason || verdict.reason || ""].filter(Boolean).join(" · ") : unfinished || cause);
  document.title = (ended ? ended.replace("_", " ") : status.state) + " · " + status.run;
}

function showFacts(status) {
  say(at("run"), status.run || "–");
  const total = status.cycles_total, cycle = status.cycle;
  const whole = status.ended === "done" && total ? total : cycle;  // cycles are counted from 0: of a test that is done all have been run
  say(at("cycle"), (whole === null ? "–" : String(whole)) + (total ? " of " + total : "") + (status.block ? " · " + status.block : ""));
  const bar = at("progress"), share = total && cycle !== null ? Math.min(1, whole / total) : null;
  bar.hidden = share === null;
  if (share !== null) bar.value = share;
  say(at("time"), duration(status.time_s));
  const held = status.held_s > 0;
  say(at("held"), held ? duration(status.held_s) : "not held");
  const lag = status.lag_s;
  say(at("lag"), lag && lag.n ? (lag.median * 1e3).toFixed(0) + " ms, at most " + (lag.max * 1e3).toFixed(0) + " ms" : "–");
  const disk = status.disk || {};
  say(at("disk"), bytes(disk.free_bytes) + " / " + bytes(disk.needed_bytes));
  say(at("operator"), status.operator || "–");
}

function makeRow(name) {
  const row = document.createElement("button");
  row.type = "button";
  row.className = "channel";
  row.parts = {};
  for (const part of ["name", "value", "bar", "ends"]) {
    row.parts[part] = row.appendChild(document.createElement("span"));
    row.parts[part].className = part;
  }
  row.parts.span = row.parts.bar.appendChild(document.createElement("span"));
  row.parts.span.className = "span";
  row.parts.low = row.parts.ends.appendChild(document.createElement("span"));
  row.parts.high = row.parts.ends.appendChild(document.createElement("span"));
  say(row.parts.name, name.replaceAll("_", " "));
  row.addEventListener("click", () => { chosen = name; ask(); });
  const item = document.createElement("div");
  item.setAttribute("role", "listitem");
  item.append(row);
  row.item = item;
  return row;
}

function showChannel(name, channel, span) {
  if (!rows.has(name)) rows.set(name, makeRow(name));
  const row = rows.get(name), { low, high } = channel, limited = low !== null || high !== null;
  const home = at(limited ? "channels" : "unlimited");
  if (row.item.parentNode !== home) home.append(row.item);
  const [least, most] = span || [channel.value, channel.value];
  const scale = scaleOf(name, channel, span), known = Number.isFinite(least) && Number.isFinite(most);
  const outside = known && ((low !== null && least < low) || (high !== null && most > high));
  row.classList.toggle("outside", outside);
  row.setAttribute("aria-pressed", String(name === chosen));
  const wide = known && figure(least, scale, 3) !== figure(most, scale, 3);
  const shown = !known ? "–" : wide ? figure(least, scale, 3) + " … " + figure(most, scale, 3) : figure(channel.value, scale);
  say(row.parts.value, shown + " " + scale.unit + (outside ? " outside" : ""));
  row.parts.bar.hidden = row.parts.ends.hidden = !limited;
  if (!limited) return;
  const reach = Math.max(Math.abs(low ?? high), Math.abs(least || 0), Math.abs(most || 0));
  const left = low ?? Math.min(-reach, least), right = high ?? Math.max(reach, most);
  const part = value => Math.max(0, Math.min(100, 100 * (value - left) / (right - left || 1)));
  row.parts.bar.classList.toggle("open-low", low === null);
  row.parts.bar.classList.toggle("open-high", high === null);
  row.parts.span.hidden = !known;
  if (known) {
    row.parts.span.style.left = part(least) + "%";
    row.parts.span.style.width = Math.max(0.5, part(most) - part(least)) + "%";
  }
  say(row.parts.low, low === null ? "" : figure(low, scale) + " " + scale.unit);
  say(row.parts.high, high === null ? "" : figure(high, scale) + " " + scale.unit);
}

function showChannels(status, spans) {
  const names = Object.keys(status.channels || {});
  if (chosen === null || !names.includes(chosen)) {
    chosen = names.find(name => ("predicted." + name) in status.channels) || names.find(name => !name.startsWith("command")) || names[0] || null;
  }
  for (const name of names) showChannel(name, status.channels[name], (spans || {})[name]);
  for (const [name, row] of rows) if (!names.includes(name)) { row.item.remove(); rows.delete(name); }
  at("others").hidden = at("unlimited").children.length === 0;
}

function showEvents(events) {
  const key = events.length + ":" + JSON.stringify(events[events.length - 1] || null);
  if (key === eventsShown) return;
  eventsShown = key;
  at("events").replaceChildren(...[...events].reverse().map(one => {
    const line = document.createElement("li"), when = document.createElement("span"), what = document.createElement("span");
    when.className = "at";
    what.className = LOUD.has(one.kind) || (one.kind === "state" && one.text.startsWith("tripped")) ? "loud" : "";
    when.textContent = one.time_s === null ? "–" : duration(one.time_s);
    what.textContent = one.text;
    line.append(when, what);
    return line;
  }));
}

function board(canvas) {
  const size = canvas.getBoundingClientRect(), sharp = window.devicePixelRatio || 1;
  const [width, height] = [Math.round(size.width * sharp), Math.round(size.height * sharp)];
  if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
  const pen = canvas.getContext("2d");
  pen.setTransform(sharp, 0, 0, sharp, 0, 0);
  pen.clearRect(0, 0, size.width, size.height);
  pen.font = "12px system-ui, sans-serif";
  return { pen, width: size.width, height: size.height };
}

const colour = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

function steps(low, high, count) {
  const rough = (high - low) / count, size = 10 ** Math.floor(Math.log10(rough));
  const step = size * ([1, 2, 5, 10].find(one => one * size >= rough) || 10), found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-9; value += step) found.push(Math.abs(value) < step * 1e-9 ? 0 : value);
  return found;
}

function mark(pen, box, x, begin, end, stood) {
  const words = [];
  for (const one of stood) {
    const until = one.end === null ? end : one.end;
    if (until < begin || one.begin > end) continue;
    const left = Math.max(box.left, x(one.begin)), right = Math.min(box.right, x(until));
    pen.fillStyle = colour("wait-ground");
    pen.fillRect(left, box.top, Math.max(right - left, 0), box.bottom - box.top);
    pen.strokeStyle = colour("wait");
    if (until === one.begin) { pen.setLineDash([6, 3]); pen.beginPath(); pen.moveTo(left, box.top); pen.lineTo(left, box.bottom); pen.stroke(); pen.setLineDash([]); }
    if (!words.length || left - words[words.length - 1].left >= 14) words.push({ left, text: one.words });
  }
  return words;
}

function name(pen, box, words) {
  pen.lineWidth = 3;
  pen.strokeStyle = colour("card");
  pen.fillStyle = colour("wait");
  pen.textAlign = "left";
  for (const { left, text } of words) {
    const beyond = left + 16 > box.right;
    pen.save();
    pen.translate(beyond ? left - 4 : left + 4, box.top + 2);
    pen.rotate(Math.PI / 2);
    pen.textBaseline = beyond ? "top" : "bottom";
    pen.strokeText(text, 0, 0);
    pen.fillText(text, 0, 0);
    pen.restore();
  }
}

function draw(canvas, times, curves, limits, scale, stood) {
  const { pen, width, height } = board(canvas), values = curves.flatMap(one => [...one.low, ...one.high]).filter(Number.isFinite);
  pen.fillStyle = colour("quiet");
  if (!times.length || !values.length) { pen.fillText("nothing yet", 8, 20); return; }
  let low = Math.min(...values), high = Math.max(...values);
  const near = limits.filter(one => one !== null && one > low - 0.6 * (high - low || 1) && one < high + 0.6 * (high - low || 1));
  low = Math.min(low, ...near); high = Math.max(high, ...near);
  const room = 0.06 * (high - low) || Math.abs(high) * 0.1 || 1;
  low -= room; high += room;
  const box = { left: 54, right: width - 8, top: 6, bottom: height - 20 }, begin = times[0], end = times[times.length - 1] || begin + 1;
  const x = t => box.left + (box.right - box.left) * (end > begin ? (t - begin) / (end - begin) : 0.5);
  const y = v => box.bottom - (box.bottom - box.top) * (v - low) / (high - low);
  pen.lineWidth = 1;
  const words = mark(pen, box, x, begin, end, stood);
  pen.fillStyle = colour("quiet");
  pen.strokeStyle = colour("line");
  pen.textAlign = "right"; pen.textBaseline = "middle";
  for (const tick of steps(low, high, 5)) {
    pen.beginPath(); pen.moveTo(box.left, y(tick)); pen.lineTo(box.right, y(tick)); pen.stroke();
    pen.fillText(figure(tick, scale, 3), box.left - 6, y(tick));
  }
  pen.textAlign = "center"; pen.textBaseline = "top";
  if (end > begin) for (const tick of steps(begin, end, Math.max(2, width / 110))) pen.fillText(String(Number(tick.toPrecision(6))) + " s", Math.min(Math.max(x(tick), box.left + 16), box.right - 18), box.bottom + 5);
  for (const one of curves) {
    pen.strokeStyle = pen.fillStyle = colour(one.ink);
    pen.setLineDash(one.dash || []);
    pen.lineWidth = one.dash ? 1.6 : 1.2;
    const shown = times.map((t, i) => [t, one.low[i], one.high[i]]).filter(([, a, b]) => Number.isFinite(a) && Number.isFinite(b));
    if (one.band) {
      pen.globalAlpha = 0.3;
      pen.beginPath();
      shown.forEach(([t, a], i) => i ? pen.lineTo(x(t), y(a)) : pen.moveTo(x(t), y(a)));
      [...shown].reverse().forEach(([t, , b]) => pen.lineTo(x(t), y(b)));
      pen.fill();
      pen.globalAlpha = 1;
    }
    for (const side of one.band ? [1, 2] : [0]) {
      pen.beginPath();
      shown.forEach((point, i) => {
        if (side) { const v = y(point[side]); i ? pen.lineTo(x(point[0]), v) : pen.moveTo(x(point[0]), v); return; }
        const first = i % 2 ? point[2] : point[1], second = i % 2 ? point[1] : point[2];
        i ? pen.lineTo(x(point[0]), y(first)) : pen.moveTo(x(point[0]), y(first));
        pen.lineTo(x(point[0]), y(second));
      });
      pen.stroke();
    }
    if (shown.length === 1) pen.fillRect(x(shown[0][0]) - 2, y(shown[0][2]) - 2, 4, Math.max(4, y(shown[0][1]) - y(shown[0][2])));
  }
  pen.strokeStyle = colour("limit");
  pen.setLineDash([2, 3]);
  for (const limit of near) { pen.beginPath(); pen.moveTo(box.left, y(limit)); pen.lineTo(box.right, y(limit)); pen.stroke(); }
  pen.setLineDash([]);
  name(pen, box, words);
}

function showCourse(view) {
  const channel = view.channel !== null && (view.status.channels || {})[view.channel];
  if (!channel) return;
  const scale = scaleOf(view.channel, channel, (view.spans || {})[view.channel]);
  say(at("chosen"), view.channel.replaceAll("_", " "));
  say(at("unit"), scale.unit ? "in " + scale.unit : "");
  const curves = [], live = view.live, stood = view.interruptions || [];
  at("figure-live").hidden = !live;
  if (live) {
    const { measured, predicted } = live.curves;
    if (measured) curves.push({ ink: "measured", low: measured[0], high: measured[1] });
    if (predicted) curves.push({ ink: "predicted", dash: [5, 3], low: predicted[0], high: predicted[1] });
    draw(at("live"), live.times, curves, [channel.low, channel.high], scale, stood);
    say(at("caption-live"), "the last " + duration(live.times[live.times.length - 1] - live.times[0]));
  }
  const trend = view.trend;
  draw(at("trend"), trend.times, [{ ink: "measured", band: true, low: trend.low, high: trend.high }], [channel.low, channel.high], scale, stood);
  const words = stood.filter(one => trend.times.length && one.begin <= trend.times[trend.times.length - 1]).map(one => one.words + " at " + duration(one.begin));
  at("trend").setAttribute("aria-label", "Smallest and largest value of the chosen channel along the test" + (words.length ? "; " + words.join(", ") : ""));
  say(at("caption-trend"), trend.times.length > 1 ? duration(trend.times[trend.times.length - 1] - trend.times[0]) + " of the test" : "");
}

function show(view) {
  newest = view;
  showState(view.status, view.slow);
  showFacts(view.status);
  showChannels(view.status, view.spans);
  showLimits(view.status);
  showCourse(view);
  showEvents(view.status.events || []);
  at("figure-whole").hidden = !view.picture;
  const source = view.picture ? "overlay.png?" + view.picture : "";
  if (source && at("whole").getAttribute("src") !== source) at("whole").setAttribute("src", source);
}

function showFreshness() {
  const age = answered ? (performance.now() - answered) / 1000 : null, lost = age === null || age > 3;
  const old = newest && !("ended" in newest.status) ? newest.age_s + (age || 0) : 0;
  say(at("fresh"), age === null ? "connecting" : lost ? "no answer for " + duration(age) : "ended" in newest.status ? "ended" : "updated " + old.toFixed(1) + " s ago");
  let text = "";
  if (answered && lost) text = "The page is not up to date: the monitor has not answered for " + duration(age) + ". What it shows is what was last known.";
  else if (newest && newest.slow) text = "The test has not answered for " + duration(newest.age_s) + ". What is shown is what was last known. " + newest.trouble;
  const notice = at("notice");
  notice.hidden = !text;
  say(notice, text);
  at("state").classList.toggle("stale", Boolean(text));
}

let asking = null;
async function ask() {
  if (asking) asking.abort();
  const mine = asking = new AbortController(), timer = setTimeout(() => mine.abort(), PATIENCE);
  try {
    const reply = await fetch("view.json?channel=" + encodeURIComponent(chosen ?? ""), { signal: mine.signal, cache: "no-store" });
    if (!reply.ok) throw new Error(reply.status);
    const first = chosen === null, view = await reply.json();
    answered = performance.now();
    show(view);
    document.documentElement.dataset.updates = String(1 + Number(document.documentElement.dataset.updates || 0));
    if (first && chosen !== null) setTimeout(ask, 0);
  } catch (error) {
    if (asking === mine && error.name !== "AbortError") at("fresh").textContent = "no answer";
  } finally {
    clearTimeout(timer);
    if (asking === mine) asking = null;
  }
}

setInterval(() => { if (!asking && !document.hidden) ask(); }, EVERY);
setInterval(showFreshness, 250);
document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
window.addEventListener("resize", () => { if (newest) showCourse(newest); });
ask();
