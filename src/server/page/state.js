// What the player sees, as the fold of the server's messages. Nothing here has effects.

/** A player who may choose a game, after the message of this number. */
export function free(seq, balance) {
  return { stage: "lobby", settled: seq, balance, game: null, result: null };
}

/**
 * The state after a message that came at `now`, by a clock that nobody sets. `settled` is the
 * number after which the player was free: a page that knows nothing else asks for everything
 * since then.
 */
export function apply(state, message, now) {
  const was = { ...state };
  switch (message.type) {
    case "waiting":
      return { ...begun(was, message), stage: "waiting", kind: message.game };
    case "adjusted":
      return { ...was, balance: message.balance };
    case "cancelled":
    case "draining":
      return free(message.seq, state.balance);
    case "started":
      return { ...begun(was, message), stage: "starting", kind: message.game, game: game(message, now) };
    default:
      return message.game_id === state.game?.id ? played(was, message, now) : state;
  }
}

function played(state, message, now) {
  const { game } = state;
  switch (message.type) {
    case "seeded":
      return playing(state, { seeded: true });
    case "dealt":
    case "redealt":
      return { ...playing(state, deal(game, message, now)), stage: "deciding" };
    case "clock":
      return playing(state, { deadline: now + message.left_ms, hurried: false });
    case "decided":
      return { ...playing(state, { decision: message, decided: [...game.decided, message] }), stage: "decided" };
    case "opponent_decided":
      return playing(state, { theyDecided: message.deal === game.hands.length });
    case "result":
      return { ...state, stage: "result", balance: message.balance, result: message };
    default:
      return state;
  }
}

/** A player who was waiting keeps the number from before the wait. */
function begun(state, message) {
  const settled = state.stage === "waiting" ? state.settled : message.seq - 1;
  return { ...state, settled, game: null, result: null };
}

function game({ game_id, game, seat, opponent, left_ms }, now) {
  const deadline = now + left_ms;
  return { id: game_id, kind: game, seat, opponent, deadline, hands: [], decided: [], ...undecided() };
}

function playing(state, change) {
  return { ...state, game: { ...state.game, ...change } };
}

function deal(game, { cards, left_ms }, now) {
  return { hands: [...game.hands, cards], deadline: now + left_ms, hurried: false, ...undecided() };
}

function undecided() {
  return { decision: null, theyDecided: false };
}
