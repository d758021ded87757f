// The page: what is shown follows from the turn alone.

import { tell } from "./about.js";
import { draw, listenToChart, point } from "./chart.js";
import { about, overview, prepare } from "./data.js";
import { showDeal } from "./deals.js";
import { byId, element, show, style } from "./dom.js";
import { headline, sentences } from "./headline.js";
import { listenToKeys } from "./keys.js";
import { SPEEDS, next, player } from "./player.js";
import { legend, showTurn, sitDown } from "./seats.js";
import { label, number, say } from "./words.js";

/** How long the address waits for the next turn, in milliseconds: browsers limit its changes. */
const SETTLED = 300;

let wars = [];
let settling = 0;
const game = player(render, controls);

/** Shows a frame. */
function render(frame, moves) {
  const { turn } = frame;
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
  byId("scrubber").setAttribute("aria-valuetext", `${headline(frame)}. ${sentences(frame)}`);
  if (document.activeElement !== byId("number")) byId("number").value = turn;
  controls();
  clearTimeout(settling);
  settling = setTimeout(() => settle(frame), SETTLED);
  document.body.dataset.turn = turn;
}

/** What waits until nobody moves: the address, and the words of a screen reader. */
function settle(frame) {
  prepare(frame.turn);
  const address = `#turn=${frame.turn}`;
  if (location.hash !== address) history.replaceState(null, "", address);
  if (!game.playing && document.activeElement !== byId("scrubber")) {
    show("live", `${headline(frame)}. ${sentences(frame)}`);
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

/** The turn that the address names. */
function addressed() {
  const typed = /^#turn=(\d{1,10})$/.exec(location.hash);
  return typed ? Number(typed[1]) : null;
}

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
  addEventListener("hashchange", () => {
    const turn = addressed();
    if (turn !== null && turn !== game.turn) game.seek(turn);
  });
  listenToChart((turn) => game.seek(turn));
  listenToKeys(actions);
}

/** Goes to the turn that was typed, with separators or without. */
function typed({ target }) {
  const digits = target.value.replace(/[\s.,_\u00a0]/g, "");
  if (/^\d+$/.test(digits)) game.seek(Number(digits));
  target.value = game.turn;
}

async function start() {
  label();
  tell();
  byId("speed").replaceChildren(...SPEEDS.map((speed) => {
    const option = element("option", "", say("per-second", { speed: number(speed) }));
    option.value = speed;
    return option;
  }));
  byId("scrubber").max = about.turns;
  show("of", say("of", { n: about.turns }));
  const nextWar = say(about.tokens ? "next-tie" : "next-war");
  byId("next-war").querySelector("span").textContent = nextWar;
  byId("next-war").setAttribute("aria-label", nextWar);
  byId("next-war").title = nextWar;
  const isTable = about.rules.startsWith("xy/");
  style(byId("screen"), "widest", isTable ? about.widest : Math.min(70, Math.max(40, about.widest)));
  document.body.classList.toggle("wide-text", isTable);
  document.body.classList.toggle("tokens", about.tokens);
  if (!about.tokens) sitDown();
  listen();
  await game.seek(addressed() ?? 0);
  const whole = await overview();
  wars = whole.wars;
  draw(whole);
  controls();
}

start();
