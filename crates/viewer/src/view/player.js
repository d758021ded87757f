// Playback of the game: seeking, stepping and playing.

import { cachedFrame, facts, loadFrame } from "./data.js";

/** Speeds in turns per second. */
export const SPEEDS = [0.5, 1, 2, 4, 8, 20, 100, 1000];

/** Duration of a war relative to other turns; applies only at speeds that people can follow. */
const WAR_DURATION = 2;

/** Minimum time between two renderings, in milliseconds. */
const MIN_INTERVAL = 33;

/** Creates a player that renders frames with `render(frame, isAnimated)`, and reports changes of its
 *  state with `onChange()`. */
export function createPlayer(render, onChange) {
  let [currentFrame, targetTurn, playing, speed, timer] = [null, 0, false, 1, 0];

  /** Shows a turn, unless another one is requested in the meantime. */
  async function seek(turn, isAnimated = false) {
    targetTurn = Math.min(facts.turns, Math.max(0, turn));
    const target = targetTurn;
    const frame = cachedFrame(target) ?? (await loadFrame(target));
    if (target !== targetTurn) return;
    currentFrame = frame;
    render(frame, isAnimated);
  }

  async function tick() {
    if (!playing) return;
    if (targetTurn >= facts.turns) {
      pause();
      return;
    }
    const apart = 1000 / speed;
    const steps = Math.max(1, Math.round(MIN_INTERVAL / apart));
    await seek(targetTurn + steps, apart >= 240);
    const slow = currentFrame.war && apart > MIN_INTERVAL ? WAR_DURATION : 1;
    if (playing) timer = setTimeout(tick, Math.max(MIN_INTERVAL, apart) * slow);
  }

  function play() {
    playing = true;
    onChange();
    if (targetTurn >= facts.turns) seek(0);
    timer = setTimeout(tick, Math.min(400, 1000 / speed));
  }

  function pause() {
    playing = false;
    clearTimeout(timer);
    onChange();
  }

  return {
    seek(turn) {
      pause();
      return seek(turn);
    },
    step(by) {
      pause();
      return seek(targetTurn + by, by === 1);
    },
    toggle: () => (playing ? pause() : play()),
    /** Changes the speed by a number of steps. */
    changeSpeed(by) {
      const at = SPEEDS.indexOf(speed) + by;
      this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at))]);
    },
    setSpeed(value) {
      speed = value;
      onChange();
    },
    get playing() {
      return playing;
    },
    get speed() {
      return speed;
    },
    get turn() {
      return targetTurn;
    },
  };
}

/** Returns the first of these turns after `turn`, or undefined. */
export function nextTurnAfter(turns, turn) {
  let [low, high] = [0, turns.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (turns[middle] > turn) high = middle;
    else low = middle + 1;
  }
  return turns[low];
}
