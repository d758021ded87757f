// The game data embedded in the page: frames in blocks, which are inflated on demand.

import { byId, parseJson } from "./dom.js";

/** Maximum number of inflated blocks to keep. */
const MAX_BLOCKS = 8;

/** Facts about the game as a whole. */
export const facts = parseJson("about");

const blocks = new Map();

/** Inflates the bytes of an element. */
export async function inflate(id) {
  const letters = atob(byId(id).textContent);
  const deflated = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) deflated[at] = letters.charCodeAt(at);
  const inflated = new Blob([deflated]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(inflated).arrayBuffer();
}

/** Inflates the JSON value of an element. */
export async function inflateJson(id) {
  return JSON.parse(new TextDecoder().decode(await inflate(id)));
}

/** Loads the data of the chart, and the marked turns of each kind, in order. */
export async function loadOverview() {
  const { turns, hands, marks } = await inflateJson("overview");
  const summed = (steps) => {
    let turn = 0;
    return steps.map((step) => (turn += step));
  };
  return { turns, hands, wars: summed(marks.wars), leads: summed(marks.leads), outs: summed(marks.outs) };
}

/** Returns the frame of a turn if its block is loaded, or null. */
export function cachedFrame(turn) {
  const block = blocks.get(Math.floor(turn / facts.block));
  return block && block.frames ? frameOf(block, turn) : null;
}

/** Loads the frame of a turn. */
export async function loadFrame(turn) {
  return frameOf(await loadBlock(Math.floor(turn / facts.block)), turn);
}

/** Loads the frames around a turn, which are likely to be needed next. */
export function preload(turn) {
  for (const near of [turn + facts.block / 2, turn - facts.block / 2]) {
    if (near >= 0 && near <= facts.turns) loadBlock(Math.floor(near / facts.block));
  }
}

/** Returns a frame with its text and everyone's number of cards before it. */
function frameOf({ before, frames, texts }, turn) {
  const at = turn % facts.block;
  return { ...frames[at], turn, text: texts[at], before: at > 0 ? frames[at - 1].hands : before };
}

/** Loads a block through the cache, which drops the least recently used blocks. */
async function loadBlock(index) {
  const known = blocks.get(index);
  blocks.delete(index);
  const loading = known ?? inflateJson(`block-${index}`);
  blocks.set(index, loading);
  for (const old of blocks.keys()) {
    if (blocks.size <= MAX_BLOCKS) break;
    blocks.delete(old);
  }
  const block = await loading;
  if (blocks.has(index)) blocks.set(index, block);
  return block;
}
