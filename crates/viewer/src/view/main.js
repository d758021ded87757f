// Entry point of the page, whose state is determined by the current turn.

import { readAddress, writeAddress } from "./address.js";
import { drawChart, listenToChart, showPosition } from "./chart.js";
import { listenToFiles, showCheck } from "./check.js";
import { facts, loadOverview, preload } from "./data.js";
import { showDeal } from "./deals.js";
import { byId, createElement, setStyleProperty, setText } from "./dom.js";
import { setUpDownload, showFacts } from "./facts.js";
import { headline, sentences, spokenTurn } from "./headline.js";
import { listenToKeys, showKeys } from "./keys.js";
import { SPEEDS, createPlayer, nextTurnAfter } from "./player.js";
import { createSeats, showLegend, showTurn } from "./seats.js";
import { fillTexts, formatNumber, language, languages, loadMessages, message, setLanguage } from "./words.js";

/** Message keys of the screens' languages. */
const LANGUAGES = { en: "lang-en", pl: "lang-pl" };

/** Delay of address changes, as browsers limit their rate. */
const ANNOUNCE_DELAY_MS = 300;

let wars = [];
let announceTimer = 0;
let currentFrame = null;
const game = createPlayer(render, updateControls);

/** Shows the frame of a turn on all parts of the page. */
function render(frame, isAnimated) {
  const { turn } = frame;
  currentFrame = frame;
  setText("headline", headline(frame));
  setText("told", sentences(frame));
  byId("table").classList.toggle("war", frame.war === true);
  byId("table").classList.toggle("end", frame.end !== undefined);
  if (facts.tokens) {
    showDeal(frame, isAnimated);
  } else {
    showTurn(frame, isAnimated);
    showLegend(frame);
  }
  setText("text", frame.text);
  showPosition(turn);
  byId("scrubber").value = turn;
  byId("scrubber").setAttribute("aria-valuetext", spokenTurn(frame));
  if (document.activeElement !== byId("number")) byId("number").value = turn;
  updateControls();
  clearTimeout(announceTimer);
  announceTimer = setTimeout(() => announceTurn(frame), ANNOUNCE_DELAY_MS);
  document.body.dataset.turn = turn;
}

/** Updates the address and the text for screen readers, after the turn has stopped changing. */
function announceTurn(frame) {
  preload(frame.turn);
  writeAddress(frame.turn);
  if (!game.playing && document.activeElement !== byId("scrubber")) {
    setText("live", spokenTurn(frame));
  }
}

/** Updates the state of the buttons. */
function updateControls() {
  const [turn, { playing, speed }] = [game.turn, game];
  document.body.classList.toggle("playing", playing);
  const play = message(playing ? "pause" : "play");
  byId("play").setAttribute("aria-label", play);
  byId("play").title = play;
  byId("speed").value = speed;
  for (const id of ["first", "back"]) setDisabled(id, turn === 0);
  for (const id of ["step", "last"]) setDisabled(id, turn === facts.turns);
  setDisabled("play", facts.turns === 0);
  setDisabled("next-war", nextTurnAfter(wars, turn) === undefined);
}

/** Disables or enables a button, which keeps the focus in either case. */
function setDisabled(id, disabled) {
  byId(id).setAttribute("aria-disabled", String(disabled));
}

const actions = {
  step: (by) => game.step(by),
  first: () => game.seek(0),
  last: () => game.seek(facts.turns),
  toggle: () => game.toggle(),
  changeSpeed: (by) => game.changeSpeed(by),
  nextWar() {
    const turn = nextTurnAfter(wars, game.turn);
    if (turn !== undefined) game.seek(turn);
  },
  editTurn() {
    byId("number").focus();
    byId("number").select();
  },
};

function addListeners() {
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
  showTexts();
  render(currentFrame, false);
}

/** Shows everything that does not depend on the turn. */
function showTexts() {
  fillTexts();
  showFacts();
  showKeys();
  showCheck();
  byId("lang").value = language();
  setText("screen-lang", message("screen-in", { language: message(LANGUAGES[facts.lang]) }));
  byId("screen-lang").hidden = language() === facts.lang;
  byId("speed").replaceChildren(
    ...SPEEDS.map((speed) => optionElement(speed, message("per-second", { speed: formatNumber(speed) }))),
  );
  const place = message(facts.tokens ? "deal-here" : "turn");
  setText("place", place);
  byId("scrubber").setAttribute("aria-label", place);
  setText("of", message("of", { n: facts.turns }));
  const nextWar = message(facts.tokens ? "next-tie" : "next-war");
  byId("next-war").querySelector("span").textContent = nextWar;
  byId("next-war").setAttribute("aria-label", nextWar);
  byId("next-war").title = nextWar;
  setText("mark-war", message(facts.tokens ? "mark-tie" : "mark-war"));
  if (!facts.tokens) createSeats();
}

function optionElement(value, text) {
  const option = createElement("option", "", text);
  option.value = value;
  return option;
}

async function start() {
  await loadMessages();
  byId("lang").replaceChildren(
    ...languages().map(([lang, name]) => {
      const option = optionElement(lang, name);
      option.lang = lang;
      return option;
    }),
  );
  const { turn, lang } = readAddress();
  if (lang !== null) setLanguage(lang);
  showTexts();
  setUpDownload();
  byId("scrubber").max = facts.turns;
  const { length: digits } = String(facts.turns);
  setStyleProperty(byId("number"), "digits", Math.max(3, digits));
  document.body.classList.toggle("long", digits > 4);
  byId("text").lang = facts.lang;
  const isTable = facts.rules.startsWith("xy/");
  setStyleProperty(
    byId("screen"),
    "widest",
    isTable ? facts.widest : Math.min(76, Math.max(40, facts.widest)),
  );
  document.body.classList.toggle("wide-text", isTable);
  document.body.classList.toggle("tokens", facts.tokens);
  addListeners();
  await game.seek(turn ?? 0);
  const overview = await loadOverview();
  wars = overview.wars;
  drawChart(overview);
  updateControls();
}

start();
