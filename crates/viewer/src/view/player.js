// Goes from turn to turn: at once, step by step, or by itself.

import { about, frame, ready } from "./data.js";

/** Turns a second. */
export const SPEEDS = [0.5, 1, 2, 4, 8, 20, 100, 1000];

/** How many more moments a war takes than another turn, where people can follow. */
const WAR = 2;

/** The shortest time between two pictures, in milliseconds. */
const PICTURE = 33;

/** A player that shows frames by `render(frame, moves)` and its own state by `changed()`. */
export function player(render, changed) {
  let [shown, wanted, playing, speed, timer] = [null, 0, false, 1, 0];

  /** Shows a turn; the last one that was asked for wins. */
  async function seek(turn, moves = false) {
    wanted = Math.min(about.turns, Math.max(0, turn));
    const mine = wanted;
    const found = ready(mine) ?? (await frame(mine));
    if (mine !== wanted) return;
    shown = found;
    render(found, moves);
  }

  async function tick() {
    if (!playing) return;
    if (wanted >= about.turns) {
      pause();
      return;
    }
    const apart = 1000 / speed;
    const steps = Math.max(1, Math.round(PICTURE / apart));
    await seek(wanted + steps, apart >= 240);
    const slow = shown.war && apart > PICTURE ? WAR : 1;
    if (playing) timer = setTimeout(tick, Math.max(PICTURE, apart) * slow);
  }

  function play() {
    playing = true;
    changed();
    if (wanted >= about.turns) seek(0);
    timer = setTimeout(tick, Math.min(400, 1000 / speed));
  }

  function pause() {
    playing = false;
    clearTimeout(timer);
    changed();
  }

  return {
    seek(turn) {
      pause();
      return seek(turn);
    },
    step(by) {
      pause();
      return seek(wanted + by, by === 1);
    },
    toggle: () => (playing ? pause() : play()),
    /** The next speed, or the one before. */
    faster(by) {
      const at = SPEEDS.indexOf(speed) + by;
      this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at))]);
    },
    setSpeed(value) {
      speed = value;
      changed();
    },
    get playing() {
      return playing;
    },
    get speed() {
      return speed;
    },
    get turn() {
      return wanted;
    },
  };
}

/** The first of these turns after this one, else none. */
export function next(turns, turn) {
  let [low, high] = [0, turns.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (turns[middle] > turn) high = middle;
    else low = middle + 1;
  }
  return turns[low];
}
