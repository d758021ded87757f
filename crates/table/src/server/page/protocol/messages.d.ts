// The messages of `crates/table/src/protocol/schema.json` as types, made by `messages.mjs`.

/**
 * JSON text messages over the WebSocket `/ws`. A client sends requests, the server sends numbered messages.
 */
export type Message = Request | Sent;
/**
 * A message of a client.
 *
 * Each carries an `id` of the client's own. Sending a request again under its `id`
 * changes nothing, and brings the same answer.
 */
export type Request =
  | {
      id: RequestId;
      name: TypedName;
      /**
       * The version of the protocol that the client speaks.
       */
      protocol: 2;
      /**
       * 32 random bytes that the client drew when the player first came, and keeps secret:
       * who has them is this player.
       */
      token: string;
      type: "hello";
      /**
       * Whether others may watch the player's games; where it is missing, they may not. It holds
       * until the player's next `hello`.
       */
      watchable?: boolean;
    }
  | {
      game: Kind;
      id: RequestId;
      /**
       * The SHA-256 of 32 random bytes, fresh for each game: the player's seed, which they
       * open after `started`.
       */
      seed_hash: string;
      type: "choose";
      with?: Whom;
    }
  | {
      game: Kind;
      id: RequestId;
      type: "cancel";
    }
  | {
      /**
       * The number of the game.
       */
      game_id: number;
      id: RequestId;
      type: "seed";
      /**
       * The seed: its SHA-256 is the `seed_hash` of `choose`.
       */
      value: string;
    }
  | {
      /**
       * The number of the deal, as `dealt` or `redealt` has it.
       */
      deal: number;
      decision: Decision;
      /**
       * The number of the game.
       */
      game_id: number;
      id: RequestId;
      type: "decide";
    }
  | {
      id: RequestId;
      type: "people";
    }
  | {
      /**
       * The number of the last message that the client has; 0 where it has none.
       */
      after: number;
      id: RequestId;
      type: "resume";
    }
  | {
      /**
       * Only games that ended before this one; missing for the last ones of all.
       */
      before?: number;
      id: RequestId;
      /**
       * How many at most.
       */
      limit: number;
      type: "games";
    }
  | {
      id: RequestId;
      type: "figures";
    }
  | {
      id: RequestId;
      span: Span;
      type: "ladder";
    }
  | {
      id: RequestId;
      type: "forget";
    }
  | {
      /**
       * Only this game, which may be over; missing for all that run.
       */
      game_id?: number;
      id: RequestId;
      type: "watch";
    };
/**
 * The name that a client gives a request: 1 to 64 visible ASCII characters.
 */
export type RequestId = string;
/**
 * A name to be called by: 1 to 32 characters (Unicode code points) in Unicode's normal form NFC that can all be seen, with at least one letter or digit, and without spaces at either end. Names that look like those of the house, such as `House 1`, are refused.
 */
export type TypedName = string;
/**
 * A game: a card each, or two.
 */
export type Kind = "single-card-game" | "double-card-game";
/**
 * Whom a player wants to play with, as requests and messages say it.
 */
export type Whom =
  | "house"
  | {
      invitation: string;
    }
  | {
      accept: string;
    }
  | {
      /**
       * A whole number of a request.
       */
      rematch: number;
    };
/**
 * What a player does with their hand.
 */
export type Decision = "play" | "fold";
/**
 * Over how many days the ladder goes, the last of which is the last one that is over.
 */
export type Span = "week" | "month" | "ever";
/**
 * A message of the server, with its number.
 *
 * The messages to a player are numbered from 1 without a gap, over all their connections.
 * `welcome`, `people`, `error`, `resync`, `games`, `figures`, `ladder`, `watched` and `forgotten` answer
 * a connection alone: they are not part of that sequence, and their `seq` is the number of the player's
 * last message before them.
 */
export type Sent = {
  /**
   * The number.
   */
  seq: number;
} & Sent1;
export type Sent1 =
  | {
      /**
       * The tokens of the player, as they are after message `seq`.
       */
      balance: number;
      in_reply_to: RequestId;
      /**
       * The public key by which the table signs: Ed25519.
       */
      key: string;
      name?: Name;
      /**
       * The server's clock, in milliseconds since 1970: deadlines refer to it.
       */
      now_ms: number;
      player: PlayerId;
      /**
       * The version of the protocol.
       */
      protocol: 2;
      /**
       * The table's number.
       */
      table: string;
      type: "welcome";
    }
  | {
      game: Kind;
      type: "waiting";
      with?: Whom;
    }
  | {
      game: Kind;
      type: "cancelled";
    }
  | {
      /**
       * The number of that game.
       */
      game_id: number;
      type: "rematch_wanted";
    }
  | {
      /**
       * The number of that game.
       */
      game_id: number;
      type: "rematch_withdrawn";
    }
  | {
      game: Kind;
      type: "draining";
    }
  | {
      /**
       * The SHA-256 of the table's seed, which is revealed after the game.
       */
      commitment: string;
      /**
       * When the time to open the seed is up, in milliseconds since 1970.
       */
      deadline_ms: number;
      game: Kind;
      /**
       * Its number.
       */
      game_id: number;
      /**
       * How many milliseconds are left until then.
       */
      left_ms: number;
      opponent: Opponent;
      /**
       * The tokens of the opponent as the game starts.
       */
      opponent_balance?: number;
      /**
       * The player's seat, 1 or 2: their hand is dealt first or second.
       */
      seat: number;
      /**
       * The SHA-256 of both players' seeds, by seat.
       *
       * @minItems 2
       * @maxItems 2
       */
      seed_hashes: [string, string];
      /**
       * The table's signature of this start: Ed25519 over the line `war-table started/1`, the
       * table's number and the lines of the leaf.
       */
      signature: string;
      /**
       * The table's number.
       */
      table: string;
      /**
       * When the game started, in milliseconds since 1970, as its leaf in the table's log says.
       */
      time_ms: number;
      type: "started";
    }
  | {
      /**
       * The number of the game.
       */
      game_id: number;
      type: "seeded";
    }
  | {
      /**
       * The player's cards.
       */
      cards: Card[];
      /**
       * When time is up and folds, in milliseconds since 1970.
       */
      deadline_ms: number;
      /**
       * The number of the deal: 1.
       */
      deal: number;
      /**
       * The number of the game.
       */
      game_id: number;
      /**
       * How many milliseconds are left until then.
       */
      left_ms: number;
      type: "dealt";
    }
  | {
      /**
       * When time is up, in milliseconds since 1970.
       */
      deadline_ms: number;
      /**
       * The number of the game.
       */
      game_id: number;
      /**
       * How many milliseconds are left until then.
       */
      left_ms: number;
      type: "clock";
    }
  | {
      /**
       * The number of the deal.
       */
      deal: number;
      decision: Decision;
      /**
       * The number of the game.
       */
      game_id: number;
      /**
       * Whether time took it.
       */
      timed_out: boolean;
      type: "decided";
    }
  | {
      /**
       * The number of the deal.
       */
      deal: number;
      /**
       * The number of the game.
       */
      game_id: number;
      type: "opponent_decided";
    }
  | {
      /**
       * The player's cards.
       */
      cards: Card[];
      /**
       * When time is up and folds, in milliseconds since 1970.
       */
      deadline_ms: number;
      /**
       * The number of the deal.
       */
      deal: number;
      /**
       * The number of the game.
       */
      game_id: number;
      /**
       * How many milliseconds are left until then.
       */
      left_ms: number;
      type: "redealt";
    }
  | {
      /**
       * Their tokens after the game.
       */
      balance: number;
      /**
       * The cards of both, where both played.
       */
      cards?: Cards | null;
      /**
       * What was decided, where cards were dealt.
       */
      decisions?: Decisions | null;
      /**
       * What they won; negative for what they lost.
       */
      delta: number;
      /**
       * The final digest of the game's journal.
       */
      digest: string;
      /**
       * The seats of those who did not open their seed in time, and so folded; missing where
       * both opened it.
       */
      forfeited?: number[];
      /**
       * The number of the game.
       */
      game_id: number;
      /**
       * The places of the game's leaves in the table's log, from 0: of its start and of its
       * end.
       *
       * @minItems 2
       * @maxItems 2
       */
      leaves?: [number, number];
      outcome: Outcome;
      reveal: Reveal;
      /**
       * When the game was over, in milliseconds since 1970, as its leaf in the table's log says;
       * missing, as `leaves`, where the game began before there was a log.
       */
      time_ms?: number;
      type: "result";
    }
  | {
      /**
       * Their tokens now.
       */
      balance: number;
      reason: Reason;
      /**
       * How many; negative where they were taken.
       */
      tokens: number;
      type: "adjusted";
    }
  | {
      /**
       * How many players are connected; at a table of several nodes, those at each of them.
       */
      here: number;
      in_reply_to: RequestId;
      /**
       * How many games run.
       */
      running: number;
      type: "people";
      waiting: Waiters;
    }
  | {
      /**
       * The tokens of the player before that message.
       */
      balance: number;
      /**
       * Their cards then: none, for messages about a game are removed together.
       */
      cards: Card[];
      /**
       * The number of the first message that is kept.
       */
      first_seq: number;
      place: Place;
      type: "resync";
    }
  | {
      /**
       * The games.
       */
      games: PastGame[];
      in_reply_to: RequestId;
      type: "games";
    }
  | {
      /**
       * By the hand that the player held in the end: those that they held.
       */
      hands: HandTally[];
      in_reply_to: RequestId;
      /**
       * By kind: those that were played.
       */
      kinds: KindTally[];
      total: Tally;
      type: "figures";
    }
  | {
      in_reply_to: RequestId;
      /**
       * The player, wherever they are; missing where none of their games was rated.
       */
      own?: Rung | null;
      span: Span;
      /**
       * Those who are shown, the highest rating first: 100 at most.
       */
      top: Rung[];
      type: "ladder";
      /**
       * When the last day that counts was over, in milliseconds since 1970; missing before the
       * first one.
       */
      until_ms?: number;
    }
  | {
      /**
       * The games, the one that began last first: 20 at most, and up to a second old. None where no
       * such game is open to watchers.
       */
      games: WatchedGame[];
      in_reply_to: RequestId;
      type: "watched";
    }
  | {
      in_reply_to: RequestId;
      type: "forgotten";
    }
  | {
      code: Refusal;
      /**
       * The `id` of the request, where it could be read.
       */
      in_reply_to?: RequestId | null;
      /**
       * Why, for people.
       */
      message: string;
      type: "error";
    };
/**
 * The name of a player: 1 to 32 characters.
 */
export type Name = string;
/**
 * The number of a player, given in the order in which players first came.
 */
export type PlayerId = number;
/**
 * A card: its rank (2 to 9, T, J, Q, K, A) and its suit (c, d, h, s).
 */
export type Card = string;
/**
 * How a game came out.
 */
export type Outcome = "won" | "lost" | "both_folded";
/**
 * Why an operator did something, as the player reads it: 1 to 200 characters on one line.
 */
export type Reason = string;
/**
 * What a player is doing where messages were removed.
 */
export type Place = "free";
/**
 * What a player did in the end.
 */
export type Deed = "play" | "fold" | "forfeit" | "open";
/**
 * Why a request is not granted.
 *
 * Its name, in the messages of the protocol too, is what programs go by.
 */
export type Refusal =
  | "bad_message"
  | "old_protocol"
  | "hello_first"
  | "hello_again"
  | "id_reused"
  | "waiting"
  | "playing"
  | "not_waiting"
  | "not_playing"
  | "not_invited"
  | "inviter_away"
  | "no_rematch"
  | "house_closed"
  | "stale_seed"
  | "wrong_seed"
  | "seeds_closed"
  | "seeded_already"
  | "stale_decision"
  | "too_late"
  | "decided_already"
  | "bad_after"
  | "too_fast"
  | "too_many_connections"
  | "banned"
  | "draining"
  | "unavailable";

/**
 * Who somebody plays against.
 */
export interface Opponent {
  /**
   * Whether they belong to the house: the computer plays.
   */
  house: boolean;
  name: Name;
  player: PlayerId;
}
/**
 * The cards that were compared in the end.
 */
export interface Cards {
  /**
   * Their opponent's.
   */
  theirs: Card[];
  /**
   * The player's.
   */
  yours: Card[];
}
/**
 * What both players decided in the end.
 */
export interface Decisions {
  theirs: Decision;
  yours: Decision;
}
/**
 * What the deals of a game were derived from.
 */
export interface Reveal {
  /**
   * The players' seeds, by seat; null where one was not opened.
   *
   * @minItems 2
   * @maxItems 2
   */
  client_seeds: [string | null, string | null];
  /**
   * How many times cards were dealt.
   */
  deals: number;
  /**
   * The table's seed; its SHA-256 is the commitment.
   */
  seed: string;
  /**
   * The SHA-256 of the players' seeds, by seat; missing in a game that began under version 1
   * of the rules.
   *
   * @minItems 2
   * @maxItems 2
   */
  seed_hashes?: [string, string];
}
/**
 * How many players wait for anyone in each game.
 */
export interface Waiters {
  /**
   * In the game of two cards each.
   */
  "double-card-game": number;
  /**
   * In the game of a card each.
   */
  "single-card-game": number;
}
/**
 * A game of a player that is over.
 */
export interface PastGame {
  /**
   * Their tokens after the game.
   */
  balance: number;
  /**
   * The player's cards in the end; missing where none were dealt.
   */
  cards?: Card[];
  /**
   * What the player won; negative for what they lost.
   */
  delta: number;
  /**
   * When it was over, in milliseconds since 1970.
   */
  ended_ms: number;
  game: Kind;
  /**
   * Its number.
   */
  game_id: number;
  opponent: Opponent;
  /**
   * Whether the two met in the queue that is open to everybody: only such games count for the
   * ladder.
   */
  public: boolean;
  /**
   * The opponent's cards, where both played.
   */
  their_cards?: Card[];
  theirs: Deed;
  yours: Deed;
}
/**
 * What came of the games of a kind that ended with a hand of these ranks.
 */
export interface HandTally {
  /**
   * In how many of them the player folded, or did not open their seed in time.
   */
  folded: number;
  game: Kind;
  /**
   * How many games were played.
   */
  games: number;
  /**
   * The ranks of the player's cards in the end, the highest first; empty where no cards were
   * dealt.
   */
  hand: string;
  /**
   * The tokens won in all of them; negative for what was lost.
   */
  tokens: number;
  /**
   * In how many of them the player won tokens.
   */
  won: number;
}
/**
 * What came of the games of a kind.
 */
export interface KindTally {
  /**
   * In how many of them the player folded, or did not open their seed in time.
   */
  folded: number;
  game: Kind;
  /**
   * How many games were played.
   */
  games: number;
  /**
   * The tokens won in all of them; negative for what was lost.
   */
  tokens: number;
  /**
   * In how many of them the player won tokens.
   */
  won: number;
}
/**
 * What came of a number of games.
 */
export interface Tally {
  /**
   * In how many of them the player folded, or did not open their seed in time.
   */
  folded: number;
  /**
   * How many games were played.
   */
  games: number;
  /**
   * The tokens won in all of them; negative for what was lost.
   */
  tokens: number;
  /**
   * In how many of them the player won tokens.
   */
  won: number;
}
/**
 * A player in the ladder.
 */
export interface Rung {
  /**
   * Its deviation, rounded: with a probability of 95 percent the rating is off by no more than
   * twice as much.
   */
  deviation: number;
  /**
   * How many of their games were rated.
   */
  games: number;
  /**
   * Whether it is the house.
   */
  house: boolean;
  name?: Name;
  /**
   * Their place from 1 on; missing where they have played too few games to be shown.
   */
  place?: number;
  player: PlayerId;
  /**
   * The rating, rounded.
   */
  rating: number;
}
/**
 * A game as those see it who watch: what both of its players know by then, and no card that only
 * one of them does.
 */
export interface WatchedGame {
  /**
   * How many times cards were dealt: 0 as long as seeds are opened.
   */
  deal: number;
  /**
   * Who has decided on the last deal, by seat.
   *
   * @minItems 2
   * @maxItems 2
   */
  decided: [boolean, boolean];
  game: Kind;
  /**
   * Its number.
   */
  game_id: number;
  /**
   * Who plays, by seat.
   *
   * @minItems 2
   * @maxItems 2
   */
  players: [Opponent, Opponent];
  /**
   * How it came out; missing as long as it runs.
   */
  result?: WatchedResult | null;
  /**
   * The hands of each tie, by seat, the first tie first: both players have seen them.
   */
  ties: [Card[], Card[]][];
}
/**
 * How a game came out that people watch.
 */
export interface WatchedResult {
  /**
   * The hands, by seat, where both played.
   *
   * @minItems 2
   * @maxItems 2
   */
  cards?: [Card[], Card[]];
  /**
   * What each of them decided in the end, by seat; missing where no cards were dealt.
   *
   * @minItems 2
   * @maxItems 2
   */
  decisions?: [Decision, Decision];
  /**
   * What each player won, by seat; negative for what they lost.
   *
   * @minItems 2
   * @maxItems 2
   */
  deltas: [number, number];
  /**
   * The seats of those who did not open their seed in time, and so folded; missing where both
   * opened it.
   */
  forfeited?: number[];
}
