// What the player sees, as the fold of the server's messages. Nothing here has effects.

/**
 * @import { Card } from "../protocol/messages.js"
 * @import { Game, Numbered, Over, Playing, State, Told } from "../types.js"
 */

/**
 * A player who may choose a game, after the message of this number.
 *
 * @param {number} seq
 * @param {number | null} balance
 * @returns {State}
 */
export function free(seq, balance) {
  return { stage: "lobby", settled: seq, balance, game: null, result: null };
}

/**
 * The state after a message that came at `now`, by a clock that nobody sets. `settled` is the
 * number after which the player was free: a page that knows nothing else asks for everything
 * since then.
 *
 * @param {State} state
 * @param {Numbered} message
 * @param {number} now
 * @returns {State}
 */
export function apply(state, message, now) {
  switch (message.type) {
    case "waiting":
      return {
        ...begun(state, message),
        stage: "waiting",
        kind: message.game,
        with: message.with,
        game: null,
      };
    case "rematch_wanted":
      return { ...state, again: message.game_id };
    case "rematch_withdrawn":
      return { ...state, again: null };
    case "adjusted":
      return { ...state, balance: message.balance };
    case "cancelled":
    case "draining":
      return free(message.seq, state.balance);
    case "started":
      return { ...begun(state, message), stage: "starting", kind: message.game, game: game(message, now) };
    default:
      return state.game !== null && message.game_id === state.game.id ? played(state, message, now) : state;
  }
}

/**
 * The state after a message about the game on the table.
 *
 * @param {Playing | Over} state
 * @param {Numbered} message
 * @param {number} now
 * @returns {State}
 */
function played(state, message, now) {
  const { game } = state;
  switch (message.type) {
    case "seeded":
      return playing(state, { seeded: true });
    case "dealt":
    case "redealt":
      return { ...playing(state, deal(game, message, now)), stage: "deciding", result: null };
    case "clock":
      return playing(state, { deadline: now + message.left_ms, hurried: false });
    case "decided": {
      const told = { decision: message, decided: [...game.decided, message] };
      return { ...playing(state, told), stage: "decided", result: null };
    }
    case "opponent_decided":
      return playing(state, { theyDecided: message.deal === game.hands.length });
    case "result":
      return { ...state, stage: "result", balance: message.balance, result: message };
    default:
      return state;
  }
}

/**
 * What a game or a wait begins with. A player who was waiting keeps the number from before the
 * wait.
 *
 * @param {State} state
 * @param {Numbered} message
 */
function begun({ stage, settled, balance }, message) {
  return { settled: stage === "waiting" ? settled : message.seq - 1, balance, result: null };
}

/**
 * @param {Told<"started">} message
 * @param {number} now
 * @returns {Game}
 */
function game({ game_id, game, seat, opponent, opponent_balance, left_ms }, now) {
  const deadline = now + left_ms;
  const table = { id: game_id, kind: game, seat, opponent, theirBalance: opponent_balance };
  return { ...table, deadline, hands: [], decided: [], ...undecided() };
}

/**
 * @template {Playing | Over} S
 * @param {S} state
 * @param {Partial<Game>} change
 */
function playing(state, change) {
  return { ...state, game: { ...state.game, ...change } };
}

/**
 * @param {Game} game
 * @param {{ cards: Card[], left_ms: number }} message
 * @param {number} now
 */
function deal(game, { cards, left_ms }, now) {
  return { hands: [...game.hands, cards], deadline: now + left_ms, hurried: false, ...undecided() };
}

function undecided() {
  return { decision: null, theyDecided: false };
}
