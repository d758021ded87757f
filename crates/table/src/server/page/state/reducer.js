// State of the table, folded from the server's messages. All functions are pure.

/**
 * @import { Card } from "../protocol/messages.js"
 * @import { Game, MessageOf, NumberedMessage, PlayingState, ResultState, TableState } from "../types.js"
 */

/**
 * Returns the state of a player who may request a game, after the message with this number.
 *
 * @param {number} seq
 * @param {number | null} balance
 * @returns {TableState}
 */
export function idleState(seq, balance) {
  return { stage: "lobby", settled: seq, balance, game: null, result: null };
}

/**
 * Returns the state after a message that arrived at `now`, by a monotonic clock. A page that is
 * loaded again requests all messages after the number `settled`.
 *
 * @param {TableState} state
 * @param {NumberedMessage} message
 * @param {number} now
 * @returns {TableState}
 */
export function reduce(state, message, now) {
  switch (message.type) {
    case "waiting":
      // The player waits for a friend without being ready: the result or the lobby stays.
      if (message.ready === false && state.stage !== "waiting") return { ...state, attends: true };
      return {
        ...startedFields(state, message),
        stage: "waiting",
        kind: message.game,
        with: message.with,
        game: null,
      };
    case "rematch_wanted":
      return { ...state, rematchOffer: message.game_id };
    case "rematch_withdrawn":
      return { ...state, rematchOffer: null };
    case "adjusted":
      return { ...state, balance: message.balance };
    case "cancelled":
    case "draining":
      if (state.attends && state.stage !== "waiting") return { ...state, attends: false };
      return idleState(message.seq, state.balance);
    case "started":
      return {
        ...startedFields(state, message),
        stage: "starting",
        kind: message.game,
        game: newGame(message, now),
      };
    default:
      return state.game !== null && message.game_id === state.game.id
        ? reduceGame(state, message, now)
        : state;
  }
}

/**
 * Returns the state after a message about the current game.
 *
 * @param {PlayingState | ResultState} state
 * @param {NumberedMessage} message
 * @param {number} now
 * @returns {TableState}
 */
function reduceGame(state, message, now) {
  const { game } = state;
  switch (message.type) {
    case "seeded":
      return withGame(state, { isSeeded: true });
    case "dealt":
    case "redealt":
      return { ...withGame(state, newDeal(game, message, now)), stage: "deciding", result: null };
    case "clock":
      return withGame(state, { deadline: now + message.left_ms, hasReconnected: false });
    case "decided": {
      const change = { decision: message, decided: [...game.decided, message] };
      return { ...withGame(state, change), stage: "decided", result: null };
    }
    case "opponent_decided":
      return withGame(state, { hasOpponentDecided: message.deal === game.hands.length });
    case "result":
      return { ...state, stage: "result", balance: message.balance, result: message };
    default:
      return state;
  }
}

/**
 * Returns the fields with which a game or a wait starts. After a wait, `settled` stays at the
 * sequence number from before the wait.
 *
 * @param {TableState} state
 * @param {NumberedMessage} message
 */
function startedFields({ stage, settled, balance }, message) {
  return { settled: stage === "waiting" ? settled : message.seq - 1, balance, result: null, attends: false };
}

/**
 * @param {MessageOf<"started">} message
 * @param {number} now
 * @returns {Game}
 */
function newGame({ game_id, game, seat, opponent, opponent_balance, left_ms }, now) {
  const deadline = now + left_ms;
  const facts = { id: game_id, kind: game, seat, opponent, opponentBalance: opponent_balance };
  return { ...facts, deadline, hands: [], decided: [], ...undecided() };
}

/**
 * @template {PlayingState | ResultState} S
 * @param {S} state
 * @param {Partial<Game>} change
 */
function withGame(state, change) {
  return { ...state, game: { ...state.game, ...change } };
}

/**
 * @param {Game} game
 * @param {{ cards: Card[], left_ms: number }} message
 * @param {number} now
 */
function newDeal(game, { cards, left_ms }, now) {
  return { hands: [...game.hands, cards], deadline: now + left_ms, hasReconnected: false, ...undecided() };
}

function undecided() {
  return { decision: null, hasOpponentDecided: false };
}
