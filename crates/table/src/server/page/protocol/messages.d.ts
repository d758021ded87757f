// The messages of `crates/table/src/protocol/schema.json` as types, made by `messages.mjs`.

/**
 * JSON text messages over the WebSocket `/ws`. A client sends requests, the server sends numbered messages.
 */
export type Message = Request | Sent;
/**
 * A message from a client.
 *
 * Each request carries an `id` chosen by the client. Repeating a request under the same `id`
 * changes nothing and returns the same answer.
 */
export type Request =
  | {
      id: RequestId;
      name: TypedName;
      /**
       * Protocol version of the client.
       */
      protocol: 4;
      /**
       * 32 random bytes that the client generated when the player first came, and keeps secret:
       * they alone identify the player.
       */
      token: string;
      type: "hello";
      /**
       * Lets others watch the games of a new player. False if missing. A known player keeps their
       * setting; see `settings`.
       */
      watchable?: boolean;
    }
  | {
      id: RequestId;
      name?: TypedName;
      type: "settings";
      /**
       * True if others may watch the player's games.
       */
      watchable?: boolean;
    }
  | {
      game: Kind;
      id: RequestId;
      /**
       * The secret of the friend link. Missing if the player made the link.
       */
      secret?: string;
      /**
       * The SHA-256 of the player's seed. The seed is 32 random bytes, fresh for each game,
       * which the player opens after `started`. May be missing with a friend link: the player
       * then waits, but is not ready to play.
       */
      seed_hash?: string;
      type: "choose";
      with?: Whom;
    }
  | {
      game: Kind;
      id: RequestId;
      /**
       * The SHA-256 of the link's secret: 16 random bytes, which the client keeps, and adds to
       * the link's address as its fragment.
       */
      secret_hash: string;
      type: "create_link";
    }
  | {
      id: RequestId;
      /**
       * The link's ID.
       */
      link: string;
      type: "revoke_link";
    }
  | {
      id: RequestId;
      type: "links";
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
       * Number of the last message that the client has; 0 if it has none.
       */
      after: number;
      id: RequestId;
      type: "resume";
    }
  | {
      /**
       * Number of a game: only games that ended before this game are returned. Missing for the
       * latest games.
       */
      before?: number;
      id: RequestId;
      /**
       * Maximum number of games.
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
      /**
       * The opponent.
       */
      opponent: number;
      type: "score";
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
       * Number of the only game to return, even if the game is over; missing for all running
       * games.
       */
      game_id?: number;
      id: RequestId;
      type: "watch";
    };
/**
 * A client's name for a request: 1 to 64 visible ASCII characters.
 */
export type RequestId = string;
/**
 * A name that a player chooses: 1 to 32 visible characters (Unicode code points) in Unicode's normal form NFC, with at least one letter or digit, and without spaces at either end. Names that look like those of the house, such as `House 1`, are refused.
 */
export type TypedName = string;
/**
 * A kind of game: one card each, or two.
 */
export type Kind = "single-card-game" | "double-card-game";
/**
 * A player's choice of opponent, as requests and messages state it.
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
       * An integer in a request.
       */
      rematch: number;
    }
  | {
      friend: string;
    };
/**
 * A player's decision on their hand.
 */
export type Decision = "play" | "fold";
/**
 * Period covered by the ladder, ending with the last full day.
 */
export type Span = "week" | "month" | "ever";
/**
 * A server message with its sequence number.
 *
 * Messages to a player are numbered from 1 without gaps, across all of the player's connections.
 * `welcome`, `settings`, `links`, `friend`, `people`, `error`, `resync`, `games`, `figures`, `score`, `ladder`, `watched` and
 * `forgotten` are not part of the sequence: they belong to a connection, and their `seq` is that of
 * the player's last message before them.
 */
export type Sent = {
  /**
   * The sequence number.
   */
  seq: number;
} & Sent1;
export type Sent1 =
  | {
      /**
       * The player's balance after message `seq`.
       */
      balance: number;
      in_reply_to: RequestId;
      /**
       * The table's public Ed25519 key.
       */
      key: string;
      name?: Name;
      /**
       * Time of the server's clock, in milliseconds since 1970. Deadlines refer to this clock.
       */
      now_ms: number;
      player: PlayerId;
      /**
       * The version of the protocol.
       */
      protocol: 4;
      /**
       * The table's ID.
       */
      table: string;
      type: "welcome";
      /**
       * True if others may watch the player's games. Missing while parts of the table still run an
       * earlier version.
       */
      watchable?: boolean;
    }
  | {
      in_reply_to?: RequestId;
      name: Name;
      type: "settings";
      /**
       * True if others may watch the player's games.
       */
      watchable: boolean;
    }
  | {
      in_reply_to: RequestId;
      /**
       * The links, oldest first.
       */
      links: FriendLink[];
      type: "links";
    }
  | {
      /**
       * The friend link's ID.
       */
      link: string;
      opponent?: Opponent;
      presence: FriendPresence;
      type: "friend";
    }
  | {
      game: Kind;
      in_reply_to?: RequestId;
      /**
       * False if the player waits for a friend, but is not ready to play; else missing.
       */
      ready?: boolean;
      type: "waiting";
      with?: Whom;
    }
  | {
      game: Kind;
      in_reply_to?: RequestId;
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
       * Deadline for opening the seed, in milliseconds since 1970.
       */
      deadline_ms: number;
      game: Kind;
      /**
       * The number of the game.
       */
      game_id: number;
      in_reply_to?: RequestId;
      /**
       * Milliseconds left until the deadline.
       */
      left_ms: number;
      opponent: Opponent;
      /**
       * The opponent's balance as the game starts.
       */
      opponent_balance?: number;
      /**
       * The player's seat: 1 if the player's hand is dealt first, 2 if second.
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
       * The table's Ed25519 signature of this start, over the line `war-table started/1`, the
       * table's ID and the lines of the leaf.
       */
      signature: string;
      /**
       * The table's ID.
       */
      table: string;
      /**
       * Start of the game in milliseconds since 1970, as in its leaf in the table's log.
       */
      time_ms: number;
      type: "started";
    }
  | {
      /**
       * The number of the game.
       */
      game_id: number;
      in_reply_to?: RequestId;
      type: "seeded";
    }
  | {
      /**
       * The player's cards.
       */
      cards: Card[];
      /**
       * Deadline for the decision, in milliseconds since 1970. A hand without a decision by then
       * is folded.
       */
      deadline_ms: number;
      /**
       * The number of the deal: always 1, as later deals are sent as `redealt`.
       */
      deal: number;
      /**
       * The number of the game.
       */
      game_id: number;
      /**
       * Milliseconds left until the deadline.
       */
      left_ms: number;
      type: "dealt";
    }
  | {
      /**
       * The new deadline, in milliseconds since 1970.
       */
      deadline_ms: number;
      /**
       * The number of the game.
       */
      game_id: number;
      /**
       * Milliseconds left until the deadline.
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
      in_reply_to?: RequestId;
      /**
       * True if the hand was folded because time ran out.
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
       * Deadline for the decision, in milliseconds since 1970. A hand without a decision by then
       * is folded.
       */
      deadline_ms: number;
      /**
       * The number of the deal, 2 or more.
       */
      deal: number;
      /**
       * The number of the game.
       */
      game_id: number;
      /**
       * Milliseconds left until the deadline.
       */
      left_ms: number;
      type: "redealt";
    }
  | {
      /**
       * The player's balance after the game.
       */
      balance: number;
      /**
       * Both hands; missing unless both played.
       */
      cards?: Cards | null;
      /**
       * Both decisions; missing if no cards were dealt.
       */
      decisions?: Decisions | null;
      /**
       * Tokens won; negative if lost.
       */
      delta: number;
      /**
       * The final digest of the game's journal.
       */
      digest: string;
      /**
       * Seats of the players who did not open their seeds in time, and so folded; missing if
       * there are none.
       */
      forfeited?: number[];
      /**
       * The number of the game.
       */
      game_id: number;
      /**
       * Address of the game's journal.
       */
      journal?: string;
      /**
       * Positions of the game's start leaf and end leaf in the table's log, counted from 0.
       *
       * @minItems 2
       * @maxItems 2
       */
      leaves?: [number, number];
      outcome: Outcome;
      reveal: Reveal;
      /**
       * End of the game in milliseconds since 1970, as in its leaf in the table's log; missing,
       * like `leaves`, if the game began before the table had a log.
       */
      time_ms?: number;
      type: "result";
    }
  | {
      /**
       * The player's new balance.
       */
      balance: number;
      reason: Reason;
      /**
       * Number of tokens; negative if taken.
       */
      tokens: number;
      type: "adjusted";
    }
  | {
      /**
       * Number of connected players; on a table of several nodes, the sum over all nodes.
       */
      here: number;
      in_reply_to: RequestId;
      /**
       * Number of running games.
       */
      running: number;
      type: "people";
      waiting: Waiters;
    }
  | {
      /**
       * The player's balance before that message.
       */
      balance: number;
      /**
       * The player's cards at that point: always empty, as messages are removed only up to the
       * end of a game.
       */
      cards: Card[];
      /**
       * Sequence number of the first stored message.
       */
      first_seq: number;
      place: ResyncActivity;
      type: "resync";
    }
  | {
      /**
       * The games.
       */
      games: HistoryEntry[];
      in_reply_to: RequestId;
      type: "games";
    }
  | {
      /**
       * Totals by final hand, for the hands that the player has held.
       */
      hands: HandTally[];
      in_reply_to: RequestId;
      /**
       * Totals by kind of game, for the kinds that the player has played.
       */
      kinds: KindTally[];
      total: Tally;
      type: "figures";
    }
  | {
      in_reply_to: RequestId;
      /**
       * The player's own entry, listed or not; missing if none of their games has been rated.
       */
      own?: LadderEntry | null;
      span: Span;
      /**
       * The player's games of the public queue since the start of the day in UTC, by opponent.
       * At most five with the same opponent count.
       */
      today?: DailyGames[];
      /**
       * Listed players, highest rating first: at most 100.
       */
      top: LadderEntry[];
      type: "ladder";
      /**
       * End of the last rated day, in milliseconds since 1970; missing if no day has been rated
       * yet.
       */
      until_ms?: number;
    }
  | {
      in_reply_to: RequestId;
      /**
       * Number of games that the opponent won. Nobody wins a game that both fold.
       */
      lost: number;
      opponent: PlayerId;
      /**
       * Tokens that the player won; negative if lost.
       */
      tokens: number;
      type: "score";
      /**
       * Number of games that the player won.
       */
      won: number;
    }
  | {
      /**
       * The games, latest start first: at most 20, and up to a second old. Empty if no matching
       * game is open to watchers.
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
       * The `id` of the request, if it could be read.
       */
      in_reply_to?: RequestId | null;
      /**
       * The reason, for people.
       */
      message: string;
      type: "error";
    };
/**
 * A player's name: 1 to 32 characters.
 */
export type Name = string;
/**
 * A player's number, assigned in order of first arrival.
 */
export type PlayerId = number;
/**
 * A friend's presence, as a player who waits for the friend sees it.
 */
export type FriendPresence = "away" | "here" | "ready";
/**
 * A card: its rank (2 to 9, T, J, Q, K, A) and its suit (c, d, h, s).
 */
export type Card = string;
/**
 * Outcome of a game for one player.
 */
export type Outcome = "won" | "lost" | "both_folded";
/**
 * An operator's reason as shown to the player: 1 to 200 characters on one line.
 */
export type Reason = string;
/**
 * A player's activity at the point up to which messages were removed.
 */
export type ResyncActivity = "free";
/**
 * A player's last action in a game.
 */
export type FinalAction = "play" | "fold" | "forfeit" | "open";
/**
 * Reason why a request is refused.
 *
 * Programs, and the messages of the protocol, identify a refusal by its name.
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
  | "no_link"
  | "too_many_links"
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
  | "forgotten"
  | "draining"
  | "unavailable";

/**
 * A link by which a player invites friends again and again, until the player revokes it.
 */
export interface FriendLink {
  game: Kind;
  /**
   * The link's ID, which is public: `/with/` and the ID is the link's address, without its
   * secret.
   */
  link: string;
  /**
   * The SHA-256 of the link's secret, by which a client finds the link that it made.
   */
  secret_hash: string;
}
/**
 * The opponent in a game.
 */
export interface Opponent {
  /**
   * True for a house player, played by the computer.
   */
  house: boolean;
  name: Name;
  player: PlayerId;
}
/**
 * Hands compared at the end of a game.
 */
export interface Cards {
  /**
   * The opponent's cards.
   */
  theirs: Card[];
  /**
   * The player's cards.
   */
  yours: Card[];
}
/**
 * Both players' final decisions.
 */
export interface Decisions {
  theirs: Decision;
  yours: Decision;
}
/**
 * Secrets that the deals of a game were derived from.
 */
export interface Reveal {
  /**
   * The players' seeds, by seat; null for a seed that was not opened.
   *
   * @minItems 2
   * @maxItems 2
   */
  client_seeds: [string | null, string | null];
  /**
   * Number of deals.
   */
  deals: number;
  /**
   * The table's seed; its SHA-256 is the commitment.
   */
  seed: string;
  /**
   * The SHA-256 of the players' seeds, by seat; missing if the game began under version 1 of the
   * rules.
   *
   * @minItems 2
   * @maxItems 2
   */
  seed_hashes?: [string, string];
}
/**
 * Numbers of players who wait for anyone, by kind of game.
 */
export interface Waiters {
  /**
   * Number of players waiting for the double-card game.
   */
  "double-card-game": number;
  /**
   * Number of players waiting for the single-card game.
   */
  "single-card-game": number;
}
/**
 * A finished game in a player's history.
 */
export interface HistoryEntry {
  /**
   * The player's balance after the game.
   */
  balance: number;
  /**
   * The player's final hand; missing if no cards were dealt.
   */
  cards?: Card[];
  /**
   * Tokens won; negative if lost.
   */
  delta: number;
  /**
   * End of the game, in milliseconds since 1970.
   */
  ended_ms: number;
  game: Kind;
  /**
   * The number of the game.
   */
  game_id: number;
  /**
   * Address of the game's journal.
   */
  journal?: string;
  opponent: Opponent;
  /**
   * True if the players met in the public queue: only such games count for the ladder.
   */
  public: boolean;
  /**
   * The opponent's final hand; missing unless both played.
   */
  their_cards?: Card[];
  theirs: FinalAction;
  yours: FinalAction;
}
/**
 * Totals over the games of one kind in which the player's final hand had the same ranks.
 */
export interface HandTally {
  /**
   * Games in which the player folded, or did not open their seed in time.
   */
  folded: number;
  game: Kind;
  /**
   * Games played.
   */
  games: number;
  /**
   * Ranks of the player's final hand, highest first; empty if no cards were dealt.
   */
  hand: string;
  /**
   * Tokens won in total; negative if lost.
   */
  tokens: number;
  /**
   * Games in which the player won tokens.
   */
  won: number;
}
/**
 * Totals over the games of one kind.
 */
export interface KindTally {
  /**
   * Games in which the player folded, or did not open their seed in time.
   */
  folded: number;
  game: Kind;
  /**
   * Games played.
   */
  games: number;
  /**
   * Tokens won in total; negative if lost.
   */
  tokens: number;
  /**
   * Games in which the player won tokens.
   */
  won: number;
}
/**
 * Totals over a number of games.
 */
export interface Tally {
  /**
   * Games in which the player folded, or did not open their seed in time.
   */
  folded: number;
  /**
   * Games played.
   */
  games: number;
  /**
   * Tokens won in total; negative if lost.
   */
  tokens: number;
  /**
   * Games in which the player won tokens.
   */
  won: number;
}
/**
 * A player's entry in the ladder.
 */
export interface LadderEntry {
  /**
   * The rating deviation, rounded: the true strength is within two deviations of the rating with
   * a probability of 95 percent.
   */
  deviation: number;
  /**
   * Number of rated games.
   */
  games: number;
  /**
   * True for the house.
   */
  house: boolean;
  name?: Name;
  /**
   * Rank, counted from 1; missing if the player has too few games to be listed.
   */
  place?: number;
  player: PlayerId;
  /**
   * The rating, rounded.
   */
  rating: number;
}
/**
 * Number of a player's games with an opponent on one day.
 */
export interface DailyGames {
  /**
   * Number of games.
   */
  games: number;
  player: PlayerId;
}
/**
 * A game as watchers see it: only facts that both players know, and so no card that only one
 * player has seen.
 */
export interface WatchedGame {
  /**
   * Number of deals: 0 while the seeds are being opened.
   */
  deal: number;
  /**
   * True for each player who has decided on the last deal, by seat.
   *
   * @minItems 2
   * @maxItems 2
   */
  decided: [boolean, boolean];
  game: Kind;
  /**
   * The number of the game.
   */
  game_id: number;
  /**
   * Address of the game's journal; missing while the game is running.
   */
  journal?: string;
  /**
   * The players, by seat.
   *
   * @minItems 2
   * @maxItems 2
   */
  players: [Opponent, Opponent];
  /**
   * The result; missing while the game is running.
   */
  result?: WatchedResult | null;
  /**
   * Hands of each tie by seat, in order of play. Both players have seen these hands.
   */
  ties: [Card[], Card[]][];
}
/**
 * Result of a watched game.
 */
export interface WatchedResult {
  /**
   * Final hands, by seat; missing unless both played.
   *
   * @minItems 2
   * @maxItems 2
   */
  cards?: [Card[], Card[]];
  /**
   * Final decisions, by seat; missing if no cards were dealt.
   *
   * @minItems 2
   * @maxItems 2
   */
  decisions?: [Decision, Decision];
  /**
   * Tokens won by each player, by seat; negative if lost.
   *
   * @minItems 2
   * @maxItems 2
   */
  deltas: [number, number];
  /**
   * Seats of the players who did not open their seeds in time, and so folded; missing if there
   * are none.
   */
  forfeited?: number[];
}
