// The shapes that the modules of the page share. Nothing of this is shipped.

import type english from "../../../../../i18n/page.en.json";
import type { Card, Decision, Kind, Opponent, Request, Sent, Span, Whom } from "./protocol/messages.js";

/** A key of the words in `i18n`. */
export type Word = keyof typeof english;

/** What is put into words: `n` chooses the plural. */
export type Values = { n?: number; [name: string]: string | number | undefined };

export type Lang = "en" | "pl";

/** The words of a language: a text, or one for each plural. */
export type Catalogue = Record<string, string | Record<string, string>>;

/** A message of the table, of one type. */
export type Told<T extends Sent["type"]> = Extract<Sent, { type: T }>;

/** A message with its place in the row of all that a player gets. */
type Unnumbered = "welcome" | "people" | "resync" | "error" | "forgotten" | Seen["type"];
export type Numbered = Exclude<Sent, { type: Unnumbered }>;

/** What the player looks at. */
export type Seen = Extract<Sent, { type: "games" | "figures" | "ladder" | "watched" }>;

/** The types of requests that only look at something. */
export type Look = "games" | "figures" | "ladder" | "watch";

/** A request that is sent until it is answered. */
export type Asked = Exclude<Request, { type: "hello" | "people" | "resume" | "forget" | Look }>;

/** What a request of a type says beside its type and its own name. */
export type Fields<T extends Asked["type"]> = Omit<Extract<Asked, { type: T }>, "type" | "id">;

/** How the line to the table is; `until` it is tried again. */
export interface Line {
  state: "none" | "trying" | "open" | "lost" | "crowded" | "old";
  until?: number;
  offline?: boolean;
}

/** What a connection tells. */
export interface Tell {
  link(line: Line): void;
  welcome(message: Told<"welcome">): void;
  message(message: Numbered): void;
  people(message: Told<"people">): void;
  seen(message: Seen): void;
  /** A request is refused, or the connection where none is named. */
  error(message: Told<"error">, request?: Asked | { type: "hello" | "forget" }): void;
  /** All that was missed is there. */
  ready(): void;
  /** The server has lost messages that the player has. */
  forgotten(): void;
  /** The server does not keep the messages that were missed. */
  resync(message: Told<"resync">): void;
  /** The table has forgotten the player, who wanted that. */
  gone(): void;
  /** A request became too old to be sent. */
  expired(): void;
}

/** The way to the table, time and chance: the browser's, or a test's. */
export interface Outside {
  connect(lang: string): WebSocket;
  now(): number;
  after(ms: number, act: () => void): number;
  stop(timer: number): void;
  /** A number from 0 to below 1. */
  chance(): number;
  /** A name that no other request of the player has. */
  name(): string;
}

/** Who the player is. */
export interface Person {
  name: string;
  token: string;
  /** The number of the last message after which they were free. */
  settled: number;
  /** Their number; `null` where the table has forgotten them. */
  player?: number | null;
  balance?: number;
  /** The most milliseconds that they were given for a decision. */
  given?: number;
}

/** The player while the page is open. */
export interface Me extends Person {
  welcome?: Told<"welcome">;
  /** When the table said so, by the clock of `performance`. */
  welcomed?: number;
}

/** A game as the player sees it. */
export interface Game {
  id: number;
  kind: Kind;
  seat: number;
  opponent: Opponent;
  /** What the opponent had as the game began, where the table says so. */
  theirBalance?: number;
  /** Until when there is something to do, by the clock of `performance`. */
  deadline: number;
  /** The player's cards of every deal. */
  hands: Card[][];
  decided: Told<"decided">[];
  /** What the player decided about these cards. */
  decision: Told<"decided"> | null;
  theyDecided: boolean;
  /** Whether the table has the player's seed. */
  seeded?: boolean;
  /** Whether the line was opened again as this deadline went by without a word. */
  hurried?: boolean;
}

interface Standing {
  /** The number of the message after which the player was free. */
  settled: number;
  balance: number | null;
  /** The game whose opponent wants to play once more. */
  again?: number | null;
}

interface Free extends Standing {
  stage: "lobby" | "waiting";
  kind?: Kind;
  /** For whom the player waits, where it is not for anyone. */
  with?: Whom;
  game: null;
  result: null;
}

export interface Playing extends Standing {
  stage: "starting" | "deciding" | "decided";
  kind: Kind;
  game: Game;
  result: null;
}

export interface Over extends Standing {
  stage: "result";
  kind: Kind;
  game: Game;
  result: Told<"result">;
}

/** What the messages of the table come to. */
export type State = Free | Playing | Over;

/** What can call the player, besides what is shown. */
export type Alert = "sound" | "tremor" | "notice";

/** A page with an address of its own. */
export type Page = "home" | "table" | "watch" | "games" | "ladder" | "how-to-play" | "fair" | "settings";

/** What is known of games that are over, and of the ladder. */
export interface Past {
  /** The last games, the last one first. */
  games: Told<"games">["games"];
  /** Before which game more were asked for. */
  before: number | null;
  /** Whether there may be more. */
  more: boolean;
  figures: Told<"figures"> | null;
  span: Span;
  ladder: Told<"ladder"> | null;
}

/** What is known of the games of others. */
export interface Watched {
  /** Those that run and may be watched. */
  open: Told<"watched">["games"];
  /** The number of the one that the player watches. */
  game: number;
  /** What is to be seen of it; `null` before that is known, and where it may not be watched. */
  seen: Told<"watched">["games"][number] | null;
  known: boolean;
  /** The name of the request for it. */
  request: string | null;
  /** When something was asked for, by the clock of `performance`. */
  asked: number;
}

/** What is shown: the table's stages, and those before there is a player. */
export type Stage = State["stage"] | "join" | "arriving";

/** What the table said of a request, or what the page says, by its key. */
export type Notice = { text: string; key?: undefined } | { text?: undefined; key: Word; values?: Values };

/** What was decided about a deal, as the table told the player. */
export type Taken = Pick<Told<"decided">, "decision" | "timed_out">;

/** What is said of a start, without what changes: a name, and the time left. */
export interface Start {
  id: number;
  kind: Kind;
  seat: number;
  /** The public numbers of both players, by seat. */
  players: [number, number];
  house: boolean;
  seedHashes: string[];
  commitment: string;
  time: number | null;
  table: string | null;
  signature: string | null;
}

/** An invitation to a game, as the link has it. */
export interface Invited {
  code: string;
  game: Kind;
}

/** What the player asked for last: what a game that starts with the seed of this hash must be. */
export interface Wish {
  hash: string;
  game: Kind;
  whom: Whom | null;
  /** The number of the opponent whom they want to meet again, where they know it. */
  opponent: number | null;
}

/** What the player holds of a game, by which the table is checked. */
export interface Held extends Start {
  told: Start;
  /** The balance before the game. */
  before: number | null;
  /** The player's own seed; `null` where it is not one of those that the game was started with. */
  seed: string | null;
  hands: Card[][];
  decided: Taken[];
  /** What the player asked for in each deal. */
  sent: Decision[][];
  /** Whether they opened their seed, and whether that was in time. */
  opened: boolean;
  inTime: boolean;
  /** Whether the table said that it has the seed, and whether cards came before that. */
  seeded: boolean;
  early: boolean;
  /** Whether the table said something else about the game later. */
  retold: boolean;
  /** Whether it is another game, or another opponent, than the player asked for. */
  other?: boolean;
  /** Whether the table signed the start; `null` where the browser can't tell. */
  signed?: boolean | null;
  /** The tokens that an operator gave or took, by the number of the message. */
  adjusted?: Record<string, number>;
}

/** What was checked; `right` is `null` for what could not be. */
export interface Check {
  key: Word;
  right: boolean | null;
}

/** What came of the checks of a result, with what the other held where that is known. */
export interface Verdict {
  is: "pending" | "good" | "bad";
  checks: Check[];
  theirs: Card[] | null;
}

/** What came of looking at the table's log. */
export type LogVerdict =
  "pending" | "good" | "waiting" | "bad" | "log-none" | "log-absent" | "log-unread" | "log-browser";

/** A start as its leaf and its signature have it. */
export interface LeafOfStart {
  game: number;
  rules: string;
  players: number[];
  commitment: string;
  seedHashes: string[];
  time: number | null;
}

/** The size and the root of a log. */
export interface Tree {
  size: number;
  root: string;
}

/** A note about the log, with who signed its text. */
export interface Checkpoint extends Tree {
  origin: string;
  text: string;
  signatures: { name: string; value: string }[];
}

/** The hash of the whole subtree of `2 ** level` leaves at a place. */
export type ReadHash = (level: number, index: number) => Promise<string>;

/** Fetches a file of the log; `null` where it is not there. */
export type ReadFile = (path: string) => Promise<Uint8Array<ArrayBuffer> | null>;

/** What the page knows of the table's key and log. */
export interface Book {
  table: string | null;
  key: string | null;
  note: string | null;
  awaited: { leaf: string; from: number; since: number }[];
  found: string[];
  alarms: Word[];
}

/** What is wrong by the player's own knowledge. */
export interface Wrong {
  game: Word[];
  result: Word[];
  table: Word[];
}

/** What the page knows by now: the one thing that changes, beside what the browser keeps. */
export interface Store {
  /** Who the player is, `null` for somebody new. */
  me: Me | null;
  state: State;
  /** The line to the table, `null` for somebody who has not sat down. */
  connection: import("./protocol/connection.js").Connection | null;
  line: Line;
  /** Whether the browser says that it has no network. */
  offline: boolean;
  error: Notice | null;
  /** The page that is shown. */
  page: Page;
  /** The page and stage that were shown last: other ones get the focus. */
  place: string;
  /** What the player was called before they asked for another name. */
  former: string | null;
  /** The balance that is shown, and the one before it while it counts. */
  tally: { from: number; to: number | null; since: number };
  /** Whether the key of the account is shown. */
  keyShown: boolean;
  /** Whether the player is asked if they want to be forgotten, or is being forgotten. */
  leaving: "no" | "asked" | "yes";
  /** Whether things move as little as they can. */
  calm: boolean;
  /** What may call the player. */
  alerts: Record<Alert, boolean>;
  audio: AudioContext | null;
  /** Whether the keys for a decision are on. */
  keys: boolean;
  /** What is wrong with taking a seat. */
  warning: Word | null;
  /** The stage that was shown last, with its deal: another one is announced and focused. */
  shown: string;
  /** Until when what is shown is too new to answer, by the clock of `performance`. */
  earlyUntil: number;
  /** Whether the page knows where the player is, so that there is something to show. */
  arrived: boolean;
  /** The game whose folded cards the player wants to see. */
  peeked: number | null;
  /** The game whose seed is being opened. */
  opening: number | null;
  /** What the player is invited to. */
  invited: Invited | null;
  /** The key that came with a link, until the player says whether they want it. */
  offered: Key | null;
  /** How many people are here, and when they were counted, by the clock of `performance`. */
  people: Told<"people"> | null;
  past: Past;
  watched: Watched;
  /** Whether others may watch the player's games. */
  watchable: boolean;
  counted: number;
  /** The note about the log that can be saved. */
  saved: string;
  /** The words that were fetched, the language that is spoken, and the one that was wanted. */
  words: { catalogues: Partial<Record<Lang, Catalogue>>; spoken: Lang; wanted: Lang };
  /** What a browser does not keep lasts as long as the page. */
  unkept: Map<string, string>;
}

/** The key of an account, and what its player is called. */
export interface Key {
  name: string;
  token: string;
}

/** What is shown. */
export interface Model<S extends State = State> {
  page: Page;
  stage: Stage;
  state: S;
  name: string;
  player?: number | null;
  line: Line;
  error: Notice | null;
  warning: Word | null;
  /** The game that is wanted, and whether the table has not heard of it. */
  wanted?: Kind;
  unheard: boolean;
  /** Whether the page asks for a game, takes that back, or sends a decision. */
  asking: boolean;
  withdrawing: boolean;
  sending: boolean;
  /** Whether what is shown is too new to answer. */
  early: boolean;
  verdict: Verdict & { game: Held | null; log: LogVerdict };
  wrong: Wrong;
  calm: boolean;
  alerts: Record<Alert, boolean>;
  /** The key of the account, where it is shown. */
  key: string | null;
  leaving: Store["leaving"];
  keys: boolean;
  /** The game whose folded cards the player has looked at. */
  peeked: number | null;
  /** Whether they have finished a game. */
  guided: boolean;
  invited: Invited | null;
  offered: Key | null;
  people: Told<"people"> | null;
  past: Past;
  watched: Watched;
  watchable: boolean;
}
