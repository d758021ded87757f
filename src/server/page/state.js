// What the player sees, as the fold of the server's messages. Nothing here has effects.

/** A player who may choose a game, after the message of this number. */
export function free(seq, balance) {
  return { stage: "lobby", settled: seq, balance, game: null, result: null };
}

/**
 * The state after a message. `settled` is the number after which the player was free: a
 * page that knows nothing else asks for everything since then.
 */
export function apply(state, message) {
  const was = { ...state };
  switch (message.type) {
    case "waiting":
      return { ...begun(was, message), stage: "waiting", kind: message.game };
    case "cancelled":
      return free(message.seq, state.balance);
    case "started":
      return { ...begun(was, message), stage: "starting", kind: message.game, game: game(message) };
    case "seeded":
      return playing(was, { seed: message.value });
    case "dealt":
    case "redealt":
      return { ...playing(was, deal(was.game, message)), stage: "deciding" };
    case "clock":
      return playing(was, { deadline: message.deadline_ms });
    case "decided":
      return { ...playing(was, { decision: message }), stage: "decided" };
    case "result":
      return { ...was, stage: "result", balance: message.balance, result: message };
    default:
      return state;
  }
}

/** A player who was waiting keeps the number from before the wait. */
function begun(state, message) {
  const settled = state.stage === "waiting" ? state.settled : message.seq - 1;
  return { ...state, settled, game: null, result: null };
}

function game({ game_id, game, seat, opponent, commitment }) {
  return { id: game_id, kind: game, seat, opponent, commitment, seed: null, hands: [], decision: null };
}

function playing(state, change) {
  return { ...state, game: { ...state.game, ...change } };
}

function deal(game, { cards, deadline_ms }) {
  return { hands: [...game.hands, cards], deadline: deadline_ms, decision: null };
}
