// The page: what is shown follows from the turn alone.

import { offer, tell } from "./about.js";
import { address, addressed } from "./address.js";
import { draw, listenToChart, point } from "./chart.js";
import { listenToFiles, tellChecked } from "./check.js";
import { about, overview, prepare } from "./data.js";
import { showDeal } from "./deals.js";
import { byId, element, show, style } from "./dom.js";
import { headline, sentences, spokenTurn } from "./headline.js";
import { listenToKeys, tellKeys } from "./keys.js";
import { SPEEDS, next, player } from "./player.js";
import { legend, showTurn, sitDown } from "./seats.js";
import { label, language, languages, learn, number, say, speak } from "./words.js";

/** What the languages of screens are called. */
const LANGUAGES = { en: "lang-en", pl: "lang-pl" };

/** How long the address waits for the next turn, in milliseconds: browsers limit its changes. */
const SETTLED = 300;

let wars = [];
let settling = 0;
let shown = null;
const game = player(render, controls);

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
    legend(frame);
  }
  show("text", frame.text);
  point(turn);
  byId("scrubber").value = turn;
  byId("scrubber").setAttribute("aria-valuetext", spokenTurn(frame));
  if (document.activeElement !== byId("number")) byId("number").value = turn;
  controls();
  clearTimeout(settling);
  settling = setTimeout(() => settle(frame), SETTLED);
  document.body.dataset.turn = turn;
}

/** What waits until nobody moves: the address, and the words of a screen reader. */
function settle(frame) {
  prepare(frame.turn);
  address(frame.turn);
  if (!game.playing && document.activeElement !== byId("scrubber")) {
    show("live", spokenTurn(frame));
  }
}

/** Shows what the buttons can do. */
function controls() {
  const [turn, { playing, speed }] = [game.turn, game];
  document.body.classList.toggle("playing", playing);
  const play = say(playing ? "pause" : "play");
  byId("play").setAttribute("aria-label", play);
  byId("play").title = play;
  byId("speed").value = speed;
  for (const id of ["first", "back"]) disable(id, turn === 0);
  for (const id of ["step", "last"]) disable(id, turn === about.turns);
  disable("play", about.turns === 0);
  disable("next-war", next(wars, turn) === undefined);
}

/** A button that can do nothing keeps the focus. */
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
    const turn = next(wars, game.turn);
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
  byId("number").addEventListener("change", typed);
  byId("number").addEventListener("blur", ({ target }) => {
    target.value = game.turn;
  });
  byId("number").addEventListener("keydown", left);
  byId("lang").addEventListener("change", ({ target }) => talk(target.value));
  addEventListener("hashchange", () => {
    const { turn, lang } = addressed();
    if (lang !== null) talk(lang);
    if (turn !== null && turn !== game.turn) game.seek(turn);
  });
  listenToFiles();
  listenToChart((turn) => game.seek(turn));
  listenToKeys(actions);
}

/** Goes to the turn that was typed, with separators or without. */
function typed({ target }) {
  const digits = target.value.replace(/[\s.,_\u00a0]/g, "");
  if (/^\d+$/.test(digits)) game.seek(Number(digits));
  target.value = game.turn;
}

/** Gives the keyboard back to the game when a turn was typed, or none is wanted. */
function left({ key, target }) {
  if (key === "Escape") target.value = game.turn;
  if (key === "Escape" || key === "Enter") target.blur();
}

/** Goes on in this language, if the page knows it. */
function talk(lang) {
  if (lang === language()) return;
  speak(lang);
  tellAll();
  render(shown, false);
}

/** Says all that no turn changes. */
function tellAll() {
  label();
  tell();
  tellKeys();
  tellChecked();
  byId("lang").value = language();
  show("screen-lang", say("screen-in", { language: say(LANGUAGES[about.lang]) }));
  byId("screen-lang").hidden = language() === about.lang;
  byId("speed").replaceChildren(
    ...SPEEDS.map((speed) => choice(speed, say("per-second", { speed: number(speed) }))),
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
  if (!about.tokens) sitDown();
}

function choice(value, text) {
  const option = element("option", "", text);
  option.value = value;
  return option;
}

async function start() {
  await learn();
  byId("lang").replaceChildren(
    ...languages().map(([lang, name]) => {
      const option = choice(lang, name);
      option.lang = lang;
      return option;
    }),
  );
  const { turn, lang } = addressed();
  if (lang !== null) speak(lang);
  tellAll();
  offer();
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
  const whole = await overview();
  wars = whole.wars;
  draw(whole);
  controls();
}

start();
