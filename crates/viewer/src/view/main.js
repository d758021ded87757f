// Entry point of the page, whose state is determined by the current turn.

import { offerJournal, showAbout } from "./about.js";
import { readAddress, writeAddress } from "./address.js";
import { drawChart, listenToChart, showPosition } from "./chart.js";
import { listenToFiles, showCheck } from "./check.js";
import { about, loadOverview, preload } from "./data.js";
import { showDeal } from "./deals.js";
import { byId, element, show, style } from "./dom.js";
import { headline, sentences, spokenTurn } from "./headline.js";
import { listenToKeys, showKeys } from "./keys.js";
import { SPEEDS, createPlayer, nextAfter } from "./player.js";
import { createSeats, showLegend, showTurn } from "./seats.js";
import { label, language, languages, loadWords, number, say, setLanguage } from "./words.js";

/** Message keys of the screens' languages. */
const LANGUAGES = { en: "lang-en", pl: "lang-pl" };

/** Delay of address changes in milliseconds, as browsers limit their rate. */
const SETTLE_DELAY = 300;

let wars = [];
let settling = 0;
let shown = null;
const game = createPlayer(render, updateControls);

/** Shows a frame. */
function render(frame, moves) {
  const { turn } = frame;
  shown = frame;
  show("headline", headline(frame));
  show("told", sentences(frame));
  byId("table").classList.toggle("war", frame.war === true);
  byId("table").classList.toggle("end", frame.end !== undefined);
  if (about.tokens) {
    showDeal(frame, moves);
  } else {
    showTurn(frame, moves);
    showLegend(frame);
  }
  show("text", frame.text);
  showPosition(turn);
  byId("scrubber").value = turn;
  byId("scrubber").setAttribute("aria-valuetext", spokenTurn(frame));
  if (document.activeElement !== byId("number")) byId("number").value = turn;
  updateControls();
  clearTimeout(settling);
  settling = setTimeout(() => settle(frame), SETTLE_DELAY);
  document.body.dataset.turn = turn;
}

/** Updates the address and the text for screen readers once the turn stays the same. */
function settle(frame) {
  preload(frame.turn);
  writeAddress(frame.turn);
  if (!game.playing && document.activeElement !== byId("scrubber")) {
    show("live", spokenTurn(frame));
  }
}

/** Updates the state of the buttons. */
function updateControls() {
  const [turn, { playing, speed }] = [game.turn, game];
  document.body.classList.toggle("playing", playing);
  const play = say(playing ? "pause" : "play");
  byId("play").setAttribute("aria-label", play);
  byId("play").title = play;
  byId("speed").value = speed;
  for (const id of ["first", "back"]) disable(id, turn === 0);
  for (const id of ["step", "last"]) disable(id, turn === about.turns);
  disable("play", about.turns === 0);
  disable("next-war", nextAfter(wars, turn) === undefined);
}

/** Disables or enables a button, which keeps the focus in either case. */
function disable(id, disabled) {
  byId(id).setAttribute("aria-disabled", String(disabled));
}

const actions = {
  step: (by) => game.step(by),
  first: () => game.seek(0),
  last: () => game.seek(about.turns),
  toggle: () => game.toggle(),
  faster: (by) => game.faster(by),
  nextWar() {
    const turn = nextAfter(wars, game.turn);
    if (turn !== undefined) game.seek(turn);
  },
  type() {
    byId("number").focus();
    byId("number").select();
  },
};

function listen() {
  const clicks = {
    first: actions.first,
    back: () => actions.step(-1),
    play: actions.toggle,
    step: () => actions.step(1),
    last: actions.last,
    "next-war": actions.nextWar,
  };
  for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener("click", action);
  byId("scrubber").addEventListener("input", ({ target }) => game.seek(Number(target.value)));
  byId("speed").addEventListener("change", ({ target }) => game.setSpeed(Number(target.value)));
  byId("number").addEventListener("change", goToTyped);
  byId("number").addEventListener("blur", ({ target }) => {
    target.value = game.turn;
  });
  byId("number").addEventListener("keydown", leaveNumber);
  byId("lang").addEventListener("change", ({ target }) => switchLanguage(target.value));
  addEventListener("hashchange", () => {
    const { turn, lang } = readAddress();
    if (lang !== null) switchLanguage(lang);
    if (turn !== null && turn !== game.turn) game.seek(turn);
  });
  listenToFiles();
  listenToChart((turn) => game.seek(turn));
  listenToKeys(actions);
}

/** Goes to the typed turn, which may contain separators. */
function goToTyped({ target }) {
  const digits = target.value.replace(/[\s.,_\u00a0]/g, "");
  if (/^\d+$/.test(digits)) game.seek(Number(digits));
  target.value = game.turn;
}

/** Returns the focus to the page on Enter, and on Escape without going to the typed turn. */
function leaveNumber({ key, target }) {
  if (key === "Escape") target.value = game.turn;
  if (key === "Escape" || key === "Enter") target.blur();
}

/** Switches the page to another language, if it is available. */
function switchLanguage(lang) {
  if (lang === language()) return;
  setLanguage(lang);
  showStatic();
  render(shown, false);
}

/** Shows everything that does not depend on the turn. */
function showStatic() {
  label();
  showAbout();
  showKeys();
  showCheck();
  byId("lang").value = language();
  show("screen-lang", say("screen-in", { language: say(LANGUAGES[about.lang]) }));
  byId("screen-lang").hidden = language() === about.lang;
  byId("speed").replaceChildren(
    ...SPEEDS.map((speed) => optionElement(speed, say("per-second", { speed: number(speed) }))),
  );
  const place = say(about.tokens ? "deal-here" : "turn");
  show("place", place);
  byId("scrubber").setAttribute("aria-label", place);
  show("of", say("of", { n: about.turns }));
  const nextWar = say(about.tokens ? "next-tie" : "next-war");
  byId("next-war").querySelector("span").textContent = nextWar;
  byId("next-war").setAttribute("aria-label", nextWar);
  byId("next-war").title = nextWar;
  show("mark-war", say(about.tokens ? "mark-tie" : "mark-war"));
  if (!about.tokens) createSeats();
}

function optionElement(value, text) {
  const option = element("option", "", text);
  option.value = value;
  return option;
}

async function start() {
  await loadWords();
  byId("lang").replaceChildren(
    ...languages().map(([lang, name]) => {
      const option = optionElement(lang, name);
      option.lang = lang;
      return option;
    }),
  );
  const { turn, lang } = readAddress();
  if (lang !== null) setLanguage(lang);
  showStatic();
  offerJournal();
  byId("scrubber").max = about.turns;
  const { length: digits } = String(about.turns);
  style(byId("number"), "digits", Math.max(3, digits));
  document.body.classList.toggle("long", digits > 4);
  byId("text").lang = about.lang;
  const isTable = about.rules.startsWith("xy/");
  style(byId("screen"), "widest", isTable ? about.widest : Math.min(76, Math.max(40, about.widest)));
  document.body.classList.toggle("wide-text", isTable);
  document.body.classList.toggle("tokens", about.tokens);
  listen();
  await game.seek(turn ?? 0);
  const overview = await loadOverview();
  wars = overview.wars;
  drawChart(overview);
  updateControls();
}

start();
