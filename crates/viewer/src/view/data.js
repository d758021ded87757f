// The game as the page carries it: frames in blocks that are inflated when they are wanted.

import { byId, parsed } from "./dom.js";

/** How many inflated blocks are kept. */
const KEPT = 8;

/** What is known of the game as a whole. */
export const about = parsed("about");

const blocks = new Map();

/** The bytes that an element carries. */
export async function bytes(id) {
  const letters = atob(byId(id).textContent);
  const deflated = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) deflated[at] = letters.charCodeAt(at);
  const inflated = new Blob([deflated]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(inflated).arrayBuffer();
}

/** The value that an element carries. */
export async function value(id) {
  return JSON.parse(new TextDecoder().decode(await bytes(id)));
}

/** The chart, and the turns to mark: of each kind all of them, in order. */
export async function overview() {
  const { turns, hands, marks } = await value("overview");
  const summed = (steps) => {
    let turn = 0;
    return steps.map((step) => (turn += step));
  };
  return { turns, hands, wars: summed(marks.wars), leads: summed(marks.leads), outs: summed(marks.outs) };
}

/** The frame of a turn where its block is there, else nothing. */
export function ready(turn) {
  const block = blocks.get(Math.floor(turn / about.block));
  return block && block.frames ? picked(block, turn) : null;
}

/** The frame of a turn. */
export async function frame(turn) {
  return picked(await fetched(Math.floor(turn / about.block)), turn);
}

/** Makes the frames around a turn ready: they are likely to be wanted next. */
export function prepare(turn) {
  for (const near of [turn + about.block / 2, turn - about.block / 2]) {
    if (near >= 0 && near <= about.turns) fetched(Math.floor(near / about.block));
  }
}

/** A frame with its text and what each player held before it. */
function picked({ before, frames, texts }, turn) {
  const at = turn % about.block;
  return { ...frames[at], turn, text: texts[at], before: at > 0 ? frames[at - 1].hands : before };
}

/** A block, inflated once; those that were used longest ago are dropped. */
async function fetched(index) {
  const known = blocks.get(index);
  blocks.delete(index);
  const wanted = known ?? value(`block-${index}`);
  blocks.set(index, wanted);
  for (const old of blocks.keys()) {
    if (blocks.size <= KEPT) break;
    blocks.delete(old);
  }
  const block = await wanted;
  if (blocks.has(index)) blocks.set(index, block);
  return block;
}
