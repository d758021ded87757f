// Playback of the game: seeking, stepping and playing.

import { about, cachedFrame, loadFrame } from "./data.js";

/** Speeds in turns per second. */
export const SPEEDS = [0.5, 1, 2, 4, 8, 20, 100, 1000];

/** Duration of a war relative to other turns; applies only at speeds that people can follow. */
const WAR_DURATION = 2;

/** Minimum time between two renderings, in milliseconds. */
const MIN_INTERVAL = 33;

/** Creates a player that renders frames with `render(frame, moves)`, and reports changes of its
 *  state with `changed()`. */
export function createPlayer(render, changed) {
  let [shown, wanted, playing, speed, timer] = [null, 0, false, 1, 0];

  /** Shows a turn, unless another one is requested in the meantime. */
  async function seek(turn, moves = false) {
    wanted = Math.min(about.turns, Math.max(0, turn));
    const target = wanted;
    const frame = cachedFrame(target) ?? (await loadFrame(target));
    if (target !== wanted) return;
    shown = frame;
    render(frame, moves);
  }

  async function tick() {
    if (!playing) return;
    if (wanted >= about.turns) {
      pause();
      return;
    }
    const apart = 1000 / speed;
    const steps = Math.max(1, Math.round(MIN_INTERVAL / apart));
    await seek(wanted + steps, apart >= 240);
    const slow = shown.war && apart > MIN_INTERVAL ? WAR_DURATION : 1;
    if (playing) timer = setTimeout(tick, Math.max(MIN_INTERVAL, apart) * slow);
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
    /** Changes the speed by a number of steps. */
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

/** Returns the first of these turns after `turn`, or undefined. */
export function nextAfter(turns, turn) {
  let [low, high] = [0, turns.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (turns[middle] > turn) high = middle;
    else low = middle + 1;
  }
  return turns[low];
}
