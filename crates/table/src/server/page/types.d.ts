// Types shared by the modules of the page. This file is not part of the served page.

import type english from "../../../../../i18n/page.en.json";
import type { Card, Decision, Kind, Opponent, Request, Sent, Span, Whom } from "./protocol/messages.js";

/** Key of a text in `i18n`. */
export type Word = keyof typeof english;

/** Values put into a text; `n` selects the plural form. */
export type Values = { n?: number; [name: string]: string | number | undefined };

export type Lang = "en" | "pl";

/** Texts of a language: a string, or one string per plural form. */
export type Catalogue = Record<string, string | Record<string, string>>;

/** A server message of one type. */
export type MessageOf<T extends Sent["type"]> = Extract<Sent, { type: T }>;

type UnnumberedType =
  | "welcome"
  | "settings"
  | "links"
  | "friend"
  | "people"
  | "resync"
  | "error"
  | "forgotten"
  | QueryResult["type"];
/** A message with a sequence number in the player's message stream. */
export type NumberedMessage = Exclude<Sent, { type: UnnumberedType }>;

/** Response to a read-only query. */
export type QueryResult = Extract<Sent, { type: "games" | "figures" | "score" | "ladder" | "watched" }>;

/** Types of read-only requests. */
export type QueryType = "games" | "figures" | "score" | "ladder" | "watch" | "links";

/** A request that is resent until it is answered. */
export type QueuedRequest = Exclude<Request, { type: "hello" | "people" | "resume" | "forget" | QueryType }>;

/** Fields of a request, without its type and id. */
export type RequestFields<T extends QueuedRequest["type"]> = Omit<
  Extract<QueuedRequest, { type: T }>,
  "type" | "id"
>;

/** Status of the connection; `until` is the time of the next attempt. */
export interface ConnectionStatus {
  state: "none" | "trying" | "open" | "lost" | "crowded" | "old";
  until?: number;
  offline?: boolean;
}

/** Callbacks of a connection. */
export interface ConnectionListener {
  status(status: ConnectionStatus): void;
  welcome(message: MessageOf<"welcome">): void;
  message(message: NumberedMessage): void;
  people(message: MessageOf<"people">): void;
  /** Called with the player's settings, which this page or another one has changed. */
  settings(message: MessageOf<"settings">): void;
  /** Called with the player's friend links. */
  links(message: MessageOf<"links">): void;
  /** Called when the presence of a friend changes. */
  friend(message: MessageOf<"friend">): void;
  queryResult(message: QueryResult): void;
  /** Called with an error about a request, or about the connection if no request is given. */
  error(message: MessageOf<"error">, request?: QueuedRequest | { type: "hello" | "forget" }): void;
  /** Called once all missed messages have arrived. */
  ready(): void;
  /** Called if the server has lost messages that this client has already received. */
  messagesLost(): void;
  /** Called if the server no longer has the missed messages. */
  resync(message: MessageOf<"resync">): void;
  /** Called once the server has deleted the player at their own request. */
  playerDeleted(): void;
  /** Called when a request for a game is dropped because it is too old. */
  requestExpired(): void;
}

/** Sockets, clock, timers and randomness: the browser's, or a test's. */
export interface Environment {
  connect(lang: string): WebSocket;
  now(): number;
  setTimer(ms: number, action: () => void): number;
  clearTimer(timer: number): void;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** Returns an id that no other request of the player has. */
  requestId(): string;
}

/** The player as the browser stores them. */
export interface StoredProfile {
  name: string;
  token: string;
  /** Sequence number of the last message after which the player was idle. */
  settled: number;
  /** Public number of the player; `null` if the server has lost the player. */
  player?: number | null;
  balance?: number;
  /** Sequence number of the message after which the player had this balance. */
  balanceSeq?: number;
  /** Longest time that the player was given for a decision, in milliseconds. */
  given?: number;
}

/** What a `hello` says about the player. */
export interface Identity {
  name: string;
  token: string;
  watchable: boolean;
}

/** The player while the page is open. */
export interface Profile extends StoredProfile {
  welcome?: MessageOf<"welcome">;
  /** Time at which `welcome` arrived, by `performance.now()`. */
  welcomedAt?: number;
}

/** A game as the player sees it. */
export interface Game {
  id: number;
  kind: Kind;
  seat: number;
  opponent: Opponent;
  /** Balance of the opponent before the game, if the server reports it. */
  opponentBalance?: number;
  /** End of the current phase, by `performance.now()`. */
  deadline: number;
  /** The player's cards in each deal. */
  hands: Card[][];
  decided: MessageOf<"decided">[];
  /** The player's decision in the current deal. */
  decision: MessageOf<"decided"> | null;
  hasOpponentDecided: boolean;
  /** True once the server has the player's seed. */
  isSeeded?: boolean;
  /** True once the connection was reopened because nothing arrived at this deadline. */
  hasReconnected?: boolean;
}

interface BaseState {
  /** Sequence number of the message after which the player was idle. */
  settled: number;
  balance: number | null;
  /** Number of the game whose opponent has offered a rematch. */
  rematchOffer?: number | null;
  /** True if the player waits for a friend without being ready to play. */
  attends?: boolean;
}

interface IdleState extends BaseState {
  stage: "lobby" | "waiting";
  kind?: Kind;
  /** Opponent that the player waits for; missing if the player waits for any opponent. */
  with?: Whom;
  game: null;
  result: null;
}

export interface PlayingState extends BaseState {
  stage: "starting" | "deciding" | "decided";
  kind: Kind;
  game: Game;
  result: null;
}

export interface ResultState extends BaseState {
  stage: "result";
  kind: Kind;
  game: Game;
  result: MessageOf<"result">;
}

/** State of the table, folded from the server's messages. */
export type TableState = IdleState | PlayingState | ResultState;

/** A way of alerting the player besides the page itself. */
export type Alert = "sound" | "tremor" | "notice";

/** A page with a separate address. */
export type Page =
  "home" | "table" | "watch" | "games" | "ladder" | "daily" | "how-to-play" | "fair" | "settings";

/** Finished games, statistics and the ladder, as far as they are loaded. */
export interface GameHistory {
  /** Games from the newest to the oldest. */
  games: MessageOf<"games">["games"];
  /** Number of the game before which older games were requested. */
  before: number | null;
  /** True if the server may have older games. */
  hasMore: boolean;
  figures: MessageOf<"figures"> | null;
  span: Span;
  ladder: MessageOf<"ladder"> | null;
}

/**
 * Expected tokens of playing and of folding a hand against the computer's strategy, by the ranks of
 * the hand, the highest first.
 */
export type HandValues = Record<Kind, Record<string, [number, number]>>;

/** A decision on a hand: the expected tokens of both choices, and the tokens that it gave away. */
export interface AssessedDecision {
  hand: Card[];
  play: number;
  fold: number;
  cost: number;
}

/** Games of other players, as far as they are loaded. */
export interface SpectatorState {
  /** Running games that may be watched. */
  openGames: MessageOf<"watched">["games"];
  /** Number of the watched game. */
  game: number;
  /** Latest view of the watched game; `null` before it is loaded, and if it may not be watched. */
  snapshot: MessageOf<"watched">["games"][number] | null;
  isLoaded: boolean;
  /** Id of the last request for the watched game. */
  requestId: string | null;
  /** Time of the last request, by `performance.now()`. */
  requestedAt: number;
}

/** Stage of the table, or a stage before the player is known. */
export type Stage = TableState["stage"] | "join" | "arriving";

/** A text from the server about a request, or the key of one of the page's own texts. */
export type Notice = { text: string; key?: undefined } | { text?: undefined; key: Word; values?: Values };

/** The player's decision in a deal, as the server reported it. */
export interface ReportedDecision extends Pick<MessageOf<"decided">, "decision" | "timed_out"> {
  /** Id of the request that was granted, which may be that of another device. */
  answers?: string;
}

/**
 * Facts of a game's start that stay the same when it is reported again: all except the opponent's
 * name and the remaining time.
 */
export interface GameStart {
  id: number;
  kind: Kind;
  seat: number;
  /** Public numbers of both players, by seat. */
  players: [number, number];
  house: boolean;
  seedHashes: string[];
  commitment: string;
  time: number | null;
  table: string | null;
  signature: string | null;
}

/** A link of the player, with its secret; `link` is `null` until the server has created it. */
export interface OwnLink {
  link: string | null;
  secret: string;
}

/** The friend with whom a player plays or wants to play. */
export interface Friend extends OwnLink {
  game: Kind;
  /** Name of the friend; `null` if nobody has come yet. */
  name: string | null;
  /** True if the link is the player's own. */
  isInviter: boolean;
  /** True if the player has agreed to play the next game. */
  isAgreed: boolean;
  presence: MessageOf<"friend">["presence"];
}

/**
 * The player's last request for a game; a game started with this seed hash must match the request.
 */
export interface MatchRequest {
  hash: string;
  game: Kind;
  whom: Whom | null;
  /** Public number of the opponent of a rematch, if known. */
  opponent: number | null;
  /** Id of the request. */
  id: string;
  /** Size of the last verified log. The start of the game comes after it. */
  logSize: number;
}

/** The player's own record of a game, against which the server is checked. */
export interface GameRecord extends GameStart {
  /** The start as it was first reported. */
  told: GameStart;
  /** Balance before the game. */
  before: number | null;
  /** The player's own seed; `null` if the game was not started with one of the player's seeds. */
  seed: string | null;
  hands: Card[][];
  decided: ReportedDecision[];
  /** The decisions that the player requested in each deal. */
  sent: Decision[][];
  /** Ids of the requests for these decisions. */
  requestIds?: string[];
  /** True once the player has revealed their seed. */
  opened: boolean;
  /** True if the seed was revealed in time. */
  inTime: boolean;
  /** True once the server has confirmed the seed. */
  seeded: boolean;
  /** True if cards arrived before the server had confirmed the seed. */
  early: boolean;
  /** True if the server later contradicted something it had reported. */
  retold: boolean;
  /**
   * True if the start answers a request of this browser, but with another hash than the one that
   * the browser committed to.
   */
  swapped?: boolean;
  /** True once there is a verdict on the game. */
  judged?: boolean;
  /** Size of the log when this browser requested the game. */
  logSize?: number;
  /** True if the game or the opponent is not the requested one. */
  other?: boolean;
  /** Validity of the start's signature; `null` if the browser can't check it. */
  signed?: boolean | null;
  /** Tokens given or taken by an operator, by the sequence number of the message about them. */
  adjusted?: Record<string, number>;
}

/** All that this browser knows of a finished game; `record` is `null` if it did not see the start. */
export interface Evidence {
  record: GameRecord | null;
  result: MessageOf<"result">;
}

/**
 * Result of one fairness check; `right` is `null` if the check could not be made. `evidence` is the
 * key of the text about the evidence that was used.
 */
export interface FairnessCheck {
  key: Word;
  right: boolean | null;
  evidence: Word;
}

/**
 * Result of all checks of a game, with the opponent's last hand if it is known. A game is
 * "unchecked" if this browser lacks evidence, and "unrecorded" if there is none at all.
 */
export interface FairnessVerdict {
  outcome: "pending" | "good" | "unchecked" | "unrecorded" | "bad";
  checks: FairnessCheck[];
  opponentHand: Card[] | null;
}

/** Result of checking the table's log. */
export type LogVerdict =
  "pending" | "good" | "waiting" | "bad" | "log-none" | "log-absent" | "log-unread" | "log-browser";

/** Fields of the log's leaf about the start of a game. */
export interface StartLeaf {
  game: number;
  rules: string;
  players: number[];
  commitment: string;
  seedHashes: string[];
  time: number | null;
}

/** Size and root hash of a Merkle tree. */
export interface TreeHead {
  size: number;
  root: string;
}

/** A signed tree head of the log. */
export interface Checkpoint extends TreeHead {
  origin: string;
  /** The signed text. */
  text: string;
  signatures: { name: string; value: string }[];
}

/** Returns the hash of the complete subtree of `2 ** level` leaves with this index. */
export type SubtreeReader = (level: number, index: number) => Promise<string>;

/** Fetches a file of the log; `null` if it does not exist. */
export type LogFileReader = (path: string) => Promise<Uint8Array<ArrayBuffer> | null>;

/** The page's knowledge of the table's key and log. */
export interface LogMonitorState {
  /** Identifier of the table. */
  table: string | null;
  key: string | null;
  /** Last verified checkpoint. */
  note: string | null;
  /** Expected leaves. Each is searched for from the number `from` to the number `to`, or to the end. */
  awaited: { leaf: string; from: number; to?: number; since: number }[];
  found: string[];
  alarms: Word[];
}

/** Evidence of cheating, by the keys of its texts. */
export interface FoundProblems {
  game: Word[];
  result: Word[];
  table: Word[];
  /** True if the shown game can't be checked in this browser. */
  isUnchecked: boolean;
  /** Number of the player's games that were not checked in this browser. */
  unchecked: number;
}

/** A daily duel with the player's decisions so far, as stored in the browser. */
export interface DuelRecord {
  /** UTC day, such as `2026-11-28`. */
  day: string;
  commitment: string;
  hands: Card[][];
  decisions: Decision[];
  /** Verdict that later visits keep: all of it was verified, or something was wrong. */
  verdict?: "good" | "bad";
}

/** A daily duel as the server describes it. Seed and house are missing until the day is over. */
export interface ServedDuel {
  day: string;
  rules: string;
  leaf: number;
  time_ms: number;
  commitment: string;
  hands: Card[][];
  seed?: string;
  house?: { cards: Card[]; decision: Decision }[];
}

/** State of the page of the daily duel. */
export interface DuelState {
  status: "loading" | "open" | "none" | "failed";
  /** Day of the current duel. */
  today: string | null;
  /** Day of the earlier duel to show: the last one with a decision, or one that was wrong. */
  last: string | null;
  /** Earlier duels that the table has opened, by day. */
  opened: Record<string, ServedDuel>;
  /** Days of earlier duels that the table had not opened when it was last asked. */
  unopened: string[];
  /** Day on which everything was loaded. */
  loadedOn: string | null;
  nextAttempt: number;
}

/** Mutable state of the page, apart from the browser's storage. */
export interface Store {
  /** The player; `null` for a new one. */
  profile: Profile | null;
  state: TableState;
  /** Connection to the server; `null` before the player has joined. */
  connection: import("./protocol/connection.js").Connection | null;
  connectionStatus: ConnectionStatus;
  /** Time at which the last connection was attempted, by `Date.now()` and `performance.now()`. */
  connectedSince: { date: number; time: number };
  /** Longest time that the last start can have taken from the server to this page. */
  startDelay: number;
  /** True if the browser reports that it has no network. */
  isOffline: boolean;
  error: Notice | null;
  page: Page;
  /** Page and stage rendered last; a change moves the focus. */
  shownView: string;
  /** Animation of the displayed balance. */
  balanceCounter: { from: number; to: number | null; since: number };
  isKeyShown: boolean;
  /** Progress of deleting the account. */
  deletion: "none" | "asked" | "confirmed";
  isMotionReduced: boolean;
  alerts: Record<Alert, boolean>;
  audio: AudioContext | null;
  /** True if decisions can be made with keys. */
  hasShortcuts: boolean;
  /** Key of the text on the join form about a refused name. */
  joinWarning: Word | null;
  /** Stage and deal rendered last; a change is announced. */
  shownStage: string;
  /** End of the time in which a new view takes no input, by `performance.now()`. */
  inputBlockedUntil: number;
  /** Time until which tied cards are shown before the new ones, by `performance.now()`. */
  tieShownUntil: number;
  /** True from the end of the player's first game until they answer the offer of sounds, or play on. */
  isOfferDue: boolean;
  /** True once all missed messages have arrived, so that the player's state can be shown. */
  isSynced: boolean;
  /** Number of the game in which the player has revealed the opponent's folded cards. */
  peekedGame: number | null;
  /** Number of the game whose seed is being revealed. */
  revealingGame: number | null;
  friend: Friend | null;
  /** Friend links of the player; `null` before they are loaded. */
  links: MessageOf<"links">["links"] | null;
  /** Score of the games with the last opponent. */
  score: MessageOf<"score"> | null;
  /** Account key from a link, until the player accepts or declines it. */
  offeredKey: AccountKey | null;
  people: MessageOf<"people"> | null;
  gameHistory: GameHistory;
  /** Values of hands; `null` before they are loaded. */
  duels: DuelState;
  handValues: HandValues | null;
  isLoadingHandValues: boolean;
  spectator: SpectatorState;
  /** True if others may watch the player's games. */
  isWatchable: boolean;
  /** Time of the last request for `people`, by `performance.now()`. */
  peopleRequestedAt: number;
  /** Checkpoint that the download link contains. */
  savedCheckpoint: string;
  /** Fetched texts, the current language, and the language the player wants. */
  words: { catalogues: Partial<Record<Lang, Catalogue>>; language: Lang };
  /** Stands in for `localStorage` in a browser that stores nothing. */
  fallbackStorage: Map<string, string>;
}

/** Key of an account, with its player's name. */
export interface AccountKey {
  name: string;
  token: string;
}

/** Input of the views. */
export interface ViewModel<S extends TableState = TableState> {
  page: Page;
  stage: Stage;
  state: S;
  name: string;
  player?: number | null;
  connectionStatus: ConnectionStatus;
  error: Notice | null;
  joinWarning: Word | null;
  /** The requested game. */
  wanted?: Kind;
  /** True while a request for a game is unanswered. */
  isRequestingGame: boolean;
  /** True while requesting a game or withdrawing the request. */
  isRequesting: boolean;
  isWithdrawing: boolean;
  isSendingDecision: boolean;
  /** True while the view is too new to take input. */
  isInputBlocked: boolean;
  /** True while tied cards are shown before the new ones. */
  isTieShown: boolean;
  /** True if the player has seen the result of the last game. */
  isResultSeen: boolean;
  isOfferDue: boolean;
  verdict: FairnessVerdict & { game: GameRecord | null; log: LogVerdict };
  problems: FoundProblems;
  isMotionReduced: boolean;
  alerts: Record<Alert, boolean>;
  /** Token of the account, while it is shown. */
  key: string | null;
  deletion: Store["deletion"];
  hasShortcuts: boolean;
  peekedGame: number | null;
  hasFinishedGame: boolean;
  friend: Friend | null;
  /** True if the last game was one with the friend. */
  isFriendGame: boolean;
  links: MessageOf<"links">["links"] | null;
  score: MessageOf<"score"> | null;
  /** The opponent that the player requested last; `null` for anyone. */
  whom: Whom | null;
  offeredKey: AccountKey | null;
  people: MessageOf<"people"> | null;
  gameHistory: GameHistory;
  duels: Omit<DuelState, "today" | "last"> & { today: DuelRecord | null; last: DuelRecord | null };
  handValues: HandValues | null;
  spectator: SpectatorState;
  isWatchable: boolean;
}
