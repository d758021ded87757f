use std::borrow::Cow;

/// The attribute of a message that holds its advice.
pub(super) const HINT: &str = "hint";

/// A text to be told in any language: a message with its values.
///
/// # Examples
///
/// ```
/// use war::i18n::{Catalogue, Lang, Message, Text};
///
/// let lasted = Text::new(Message::WAR_LASTED).with("rounds", 3_u32);
/// let english = Catalogue::of(Lang::En).unwrap();
/// assert_eq!(english.text(&lasted), "War lasted 3 rounds.");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    message: Message,
    values: Vec<(&'static str, Value)>,
}

/// A value that a message puts into its words.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A count, which may decide a plural.
    Number(u64),
    /// A word that stands as it is in every language.
    Word(Cow<'static, str>),
    /// Another text, in the same language.
    Text(Box<Text>),
}

impl Text {
    /// The text of a message, without values.
    #[must_use]
    pub const fn new(message: Message) -> Self {
        let values = Vec::new();
        Self { message, values }
    }

    /// The text with one more value, by the name that the message uses.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.values.push((name, value.into()));
        self
    }

    /// The message.
    #[must_use]
    pub const fn message(&self) -> Message {
        self.message
    }

    pub(super) fn values(&self) -> &[(&'static str, Value)] {
        &self.values
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Self {
        Self::Word(Cow::Owned(word.to_owned()))
    }
}

impl From<String> for Value {
    fn from(word: String) -> Self {
        Self::Word(Cow::Owned(word))
    }
}

impl From<Text> for Value {
    fn from(text: Text) -> Self {
        Self::Text(Box::new(text))
    }
}

/// The name of a message in the catalogues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message(&'static str);

impl Message {
    /// The name as it stands in the catalogues.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.0
    }
}

macro_rules! messages {
    ($($name:ident = $id:literal,)+) => {
        #[allow(missing_docs, reason = "a message is documented by its words in the catalogue")]
        impl Message {
            $(pub const $name: Self = Self($id);)+

            /// Every message that the program uses.
            pub const ALL: &[Self] = &[$(Self::$name),+];
        }
    };
}

messages! {
    DECK_SMALL = "deck-small",
    DECK_LARGE = "deck-large",
    USAGE = "usage",
    CORRECTED_BOTH = "corrected-both",
    CORRECTED_PLAYERS_RANGE = "corrected-players-range",
    CORRECTED_PLAYERS_UNPARSEABLE = "corrected-players-unparseable",
    CORRECTED_DECK = "corrected-deck",
    DEALING = "dealing",
    DEALT_HAND = "dealt-hand",
    LUCKY = "lucky",
    LUCKY_PLAYER = "lucky-player",
    LUCKY_NONE = "lucky-none",
    SCENARIO_CODE = "scenario-code",
    TURN_LEADS = "turn-leads",
    TURN_DRAW = "turn-draw",
    ROW = "row",
    WAR_BANNER = "war-banner",
    END_OF_CARDS = "end-of-cards",
    NOT_STARTED = "not-started",
    NO_SUCH_GAME = "no-such-game",
    FOREIGN_ORIGIN = "foreign-origin",
    LOAD_OPENING = "load-opening",
    LOAD_PLAYING = "load-playing",
    LOAD_COMPARING = "load-comparing",
    LOAD_REPORT = "load-report",
    LOAD_TROUBLE = "load-trouble",
    LOAD_NO_CONNECTION = "load-no-connection",
    LOAD_LOST = "load-lost",
    LOAD_NO_ANSWER = "load-no-answer",
    LOAD_NO_MESSAGE = "load-no-message",
    LOAD_SEQUENCE = "load-sequence",
    LOAD_BALANCE = "load-balance",
    LOAD_COMMITMENT = "load-commitment",
    LOAD_SEED = "load-seed",
    LOAD_CARDS = "load-cards",
    LOAD_UNEXPECTED = "load-unexpected",
    LOAD_SUM = "load-sum",
    BAD_SETTING = "bad-setting",
    NO_TABLE = "no-table",
    TABLE_OPEN = "table-open",
    TABLE_STORE = "table-store",
    TABLE_DRAINS = "table-drains",
    TABLE_CLOSED = "table-closed",
    TABLE_STOPPED = "table-stopped",
    STORE_UNKNOWN = "store-unknown",
    STORE_UNUSABLE = "store-unusable",
    STORE_IN_USE = "store-in-use",
    STORE_FOREIGN = "store-foreign",
    STORE_NEWER = "store-newer",
    STORE_FAILED = "store-failed",
    LISTEN_FAILED = "listen-failed",
    NO_NAME = "no-name",
    NO_CLIENT_SEED = "no-client-seed",
    NO_TEXT = "no-text",
    NO_REQUEST_ID = "no-request-id",
    REFUSED_BAD_MESSAGE = "refused-bad-message",
    REFUSED_HELLO_FIRST = "refused-hello-first",
    REFUSED_HELLO_AGAIN = "refused-hello-again",
    REFUSED_UNKNOWN_TOKEN = "refused-unknown-token",
    REFUSED_ID_REUSED = "refused-id-reused",
    REFUSED_WAITING = "refused-waiting",
    REFUSED_PLAYING = "refused-playing",
    REFUSED_NOT_WAITING = "refused-not-waiting",
    REFUSED_NOT_PLAYING = "refused-not-playing",
    REFUSED_SEEDS_CLOSED = "refused-seeds-closed",
    REFUSED_SEEDED_ALREADY = "refused-seeded-already",
    REFUSED_NOT_DEALT = "refused-not-dealt",
    REFUSED_DECIDED_ALREADY = "refused-decided-already",
    REFUSED_BAD_AFTER = "refused-bad-after",
    REFUSED_TOO_FAST = "refused-too-fast",
    REFUSED_DRAINING = "refused-draining",
    TOKEN_GAME = "token-game",
    TOKEN_COMMITMENT = "token-commitment",
    TOKEN_SEED = "token-seed",
    TOKEN_NO_SEED = "token-no-seed",
    TOKEN_DEAL = "token-deal",
    TOKEN_HAND = "token-hand",
    TOKEN_PLAYS = "token-plays",
    TOKEN_FOLDS = "token-folds",
    TOKEN_TIMED_OUT = "token-timed-out",
    TOKEN_TIED = "token-tied",
    TOKEN_WINS = "token-wins",
    TOKEN_LOSES = "token-loses",
    TOKEN_SECRET = "token-secret",
    WINNER_FOUND = "winner-found",
    WAR_LASTED = "war-lasted",
    WON = "won",
    ENDLESS = "endless",
    DUELS_USAGE = "duels-usage",
    DUELS_SCENARIO = "duels-scenario",
    DUELS_LEADS = "duels-leads",
    DUELS_DRAW = "duels-draw",
    DUELS_BATTLE = "duels-battle",
    DUEL = "duel",
    DUEL_BANNER = "duel-banner",
    DUEL_LASTED = "duel-lasted",
    DUELS_WON = "duels-won",
    DUELS_STOPPED = "duels-stopped",
    DUELS_STOPPED_WINNER = "duels-stopped-winner",
    DUELS_FOUND = "duels-found",
    DUELS_EXECUTING = "duels-executing",
    DUELS_UNKNOWN_STRATEGY = "duels-unknown-strategy",
    OUTCOME_FOLDED = "outcome-folded",
    OUTCOME_STOPPED = "outcome-stopped",
    SCENARIO_BAD = "scenario-bad",
    SCENARIO_PLAYERS_FEW = "scenario-players-few",
    SCENARIO_PLAYERS_MANY = "scenario-players-many",
    SCENARIO_NO_CARD = "scenario-no-card",
    SCENARIO_TOO_MANY_ANY = "scenario-too-many-any",
    SCENARIO_VALUE_ANY = "scenario-value-any",
    XY_HEADER = "xy-header",
    XY_RULE = "xy-rule",
    XY_WINNER = "xy-winner",
    XY_DRAW = "xy-draw",
    IMPORT_REFUSED = "import-refused",
    IMPORT_NO_ROW = "import-no-row",
    IMPORT_NO_PAIR = "import-no-pair",
    IMPORT_NO_RANK = "import-no-rank",
    IMPORT_AFTER_END = "import-after-end",
    IMPORT_NO_END = "import-no-end",
    IMPORT_ENDS_EARLY = "import-ends-early",
    IMPORT_IMPOSSIBLE_CARD = "import-impossible-card",
    IMPORT_OTHER_ROW = "import-other-row",
    SHOW_IMPORTED = "show-imported",
    XY_SEED = "xy-seed",
    XY_BAD_SEED = "xy-bad-seed",
    JOURNAL_BOM = "journal-bom",
    JOURNAL_UTF16 = "journal-utf16",
    JOURNAL_EMPTY = "journal-empty",
    JOURNAL_HEADER_CUT = "journal-header-cut",
    JOURNAL_FIELD = "journal-field",
    FIELD_MISSING = "field-missing",
    FIELD_UNKNOWN = "field-unknown",
    FIELD_DUPLICATE = "field-duplicate",
    FIELD_UNKNOWN_VALUE = "field-unknown-value",
    FIELD_BAD_VALUE = "field-bad-value",
    FIELD_SHAPE = "field-shape",
    FIELD_OTHER = "field-other",
    JOURNAL_TURN = "journal-turn",
    JOURNAL_UNKNOWN_LANGUAGE = "journal-unknown-language",
    IO_NOT_TEXT = "io-not-text",
    JOURNAL_NEW_NOT_WRITTEN = "journal-new-not-written",
    REPAIR_NOTHING = "repair-nothing",
    REPAIR_RENDERER = "repair-renderer",
    REPAIR_NO_FILE = "repair-no-file",
    STANDARD_INPUT_TWICE = "standard-input-twice",
    BAD_RANGE = "bad-range",
    JOURNAL_HEADER_CHAIN = "journal-header-chain",
    JOURNAL_NO_END = "journal-no-end",
    JOURNAL_CUT_OFF = "journal-cut-off",
    JOURNAL_SEQUENCE = "journal-sequence",
    JOURNAL_CHAIN = "journal-chain",
    JOURNAL_END_CHAIN = "journal-end-chain",
    JOURNAL_END_WINNER = "journal-end-winner",
    JOURNAL_DATA_AFTER_END = "journal-data-after-end",
    JOURNAL_SYNTAX = "journal-syntax",
    JOURNAL_OTHER_JSON = "journal-other-json",
    JOURNAL_NOT_JSON = "journal-not-json",
    JOURNAL_VERSION = "journal-version",
    JOURNAL_UNKNOWN_RULES = "journal-unknown-rules",
    JOURNAL_UNKNOWN_GENERATOR = "journal-unknown-generator",
    JOURNAL_BAD_SEED = "journal-bad-seed",
    JOURNAL_BAD_CORRECTION = "journal-bad-correction",
    JOURNAL_STATE = "journal-state",
    JOURNAL_END = "journal-end",
    JOURNAL_CONSOLE = "journal-console",
    JOURNAL_NOT_DEALT = "journal-not-dealt",
    JOURNAL_DEAL_PLAYERS = "journal-deal-players",
    JOURNAL_GENERATOR = "journal-generator",
    JOURNAL_CHANCE = "journal-chance",
    JOURNAL_DEAL_KIND = "journal-deal-kind",
    JOURNAL_COMMITMENT = "journal-commitment",
    JOURNAL_NOT_STARTED = "journal-not-started",
    JOURNAL_NO_DECK = "journal-no-deck",
    JOURNAL_DIVERGES = "journal-diverges",
    JOURNAL_TOO_DEEP = "journal-too-deep",
    JOURNAL_TOO_LONG = "journal-too-long",
    UNKNOWN_OPTION = "unknown-option",
    UNEXPECTED_ARGUMENT = "unexpected-argument",
    MISSING_VALUE = "missing-value",
    BAD_VALUE = "bad-value",
    MISSING_ARGUMENT = "missing-argument",
    OPTION_TWICE = "option-twice",
    OPTION_BEFORE_COMMAND = "option-before-command",
    ARGUMENT_NOT_UTF8 = "argument-not-utf8",
    OPTIONS_CONFLICT = "options-conflict",
    UNKNOWN_COMMAND = "unknown-command",
    BAD_COMMAND_LINE = "bad-command-line",
    CONFIG_UNREADABLE = "config-unreadable",
    CONFIG_BAD = "config-bad",
    DIFF_HEADER = "diff-header",
    DIFF_EVENT = "diff-event",
    DIFF_END = "diff-end",
    DIFF_NONE = "diff-none",
    DIFF_SIDE = "diff-side",
    IO_NOT_FOUND = "io-not-found",
    IO_PERMISSION = "io-permission",
    IO_EXISTS = "io-exists",
    IO_DIRECTORY = "io-directory",
    IO_NOT_DIRECTORY = "io-not-directory",
    IO_FULL = "io-full",
    IO_ADDRESS_IN_USE = "io-address-in-use",
    IO_READ_ONLY = "io-read-only",
    IO_OTHER = "io-other",
    LOG_FAILED = "log-failed",
    UNKNOWN_LANGUAGE = "unknown-language",
    OPTION_OF_PLAY = "option-of-play",
    BAD_SEED = "bad-seed",
    JOURNAL_OF_SEVERAL = "journal-of-several",
    JOURNAL_DIR_OF_ONE = "journal-dir-of-one",
    DURABLE_WITHOUT_JOURNAL = "durable-without-journal",
    NO_SCENARIOS_VARIABLE = "no-scenarios-variable",
    SEED_WITHOUT_EFFECT = "seed-without-effect",
    CALLED = "called",
    NEARLY_COMMAND = "nearly-command",
    SCENARIOS_REPLACE = "scenarios-replace",
    SCENARIO_MANGLED = "scenario-mangled",
    SCENARIO_UNREADABLE = "scenario-unreadable",
    SCENARIO_TOO_LARGE = "scenario-too-large",
    SCENARIO_BAD_JSON = "scenario-bad-json",
    REPAIRED = "repaired",
    NOT_REPAIRED = "not-repaired",
    BAD_TURN = "bad-turn",
    BAD_DIGEST = "bad-digest",
    NO_SUCH_TURN = "no-such-turn",
    RENDERED_ANEW = "rendered-anew",
    JOURNAL_DIGEST = "journal-digest",
    NO_SCENARIOS_DIRECTORY = "no-scenarios-directory",
    NO_SUCH_SCENARIO = "no-such-scenario",
    UNREADABLE = "unreadable",
    RECORDED = "recorded",
    JOURNAL_EXISTS = "journal-exists",
    JOURNAL_NOT_CREATED = "journal-not-created",
    JOURNAL_NOT_WRITTEN = "journal-not-written",
    SHOW_SUMMARY = "show-summary",
    SHOW_TOKENS_SUMMARY = "show-tokens-summary",
    SHOW_SEED = "show-seed",
    SHOW_COMMITTED = "show-committed",
    SHOW_SCENARIO = "show-scenario",
    SHOW_HEADER = "show-header",
    OUTPUT_FAILED = "output-failed",
    NOTE = "note",
    WARNING = "warning",
    ERROR = "error",
    HINT = "hint",
    OUTCOME_WON = "outcome-won",
    OUTCOME_ENDLESS = "outcome-endless",
    OUTCOME_CUT_OFF = "outcome-cut-off",
    VERDICT = "verdict",
    RULES_SAY_OVER = "rules-say-over",
    IMPOSSIBLE_EVENT = "impossible-event",
    DIVERGENCE = "divergence",
    VERDICT_FAULT = "verdict-fault",
    SCENARIO_NO_PLAYER = "scenario-no-player",
    SCENARIO_PLAYERS = "scenario-players",
    SCENARIO_TOO_FEW = "scenario-too-few",
    SCENARIO_BETWEEN = "scenario-between",
    SCENARIO_TOO_MANY = "scenario-too-many",
    SCENARIO_BOM = "scenario-bom",
    SCENARIO_SYNTAX = "scenario-syntax",
    SYNTAX_ENDS = "syntax-ends",
    SYNTAX_UNEXPECTED = "syntax-unexpected",
    SYNTAX_UTF8 = "syntax-utf8",
    SCENARIO_EMPTY = "scenario-empty",
    SCENARIO_NO_ROWS = "scenario-no-rows",
    SCENARIO_NO_ROW = "scenario-no-row",
    SCENARIO_NO_NUMBER = "scenario-no-number",
    SCENARIO_VALUE = "scenario-value",
    GAME_DRAWN = "game-drawn",
    UNDECIDED = "undecided",
    OUTCOME_DRAWN = "outcome-drawn",
    SHOW_FIXED = "show-fixed",
    SCENARIO_CARDS_ANY_RANK = "scenario-cards-any-rank",
    SCENARIO_PLAYERS_TWO = "scenario-players-two",
    SCENARIO_VALUES_MANY = "scenario-values-many",
    SIM_RULES = "sim-rules",
    SIM_LIMIT = "sim-limit",
    SIM_DEAL_SHUFFLED = "sim-deal-shuffled",
    SIM_DEAL_FIXED = "sim-deal-fixed",
    SIM_DEAL_GIVEN = "sim-deal-given",
    SIM_GAMES = "sim-games",
    SIM_NO_GAMES = "sim-no-games",
    SIM_WON = "sim-won",
    SIM_DRAWN = "sim-drawn",
    SIM_ENDLESS = "sim-endless",
    SIM_UNDECIDED = "sim-undecided",
    SIM_PERIODS = "sim-periods",
    SIM_TURNS = "sim-turns",
    SIM_QUANTILES = "sim-quantiles",
    SIM_WARS = "sim-wars",
    SIM_NONE_FINISHED = "sim-none-finished",
    SIM_NO_WARS = "sim-no-wars",
    SIM_SHORTEST = "sim-shortest",
    SIM_LONGEST = "sim-longest",
    SIM_PROGRESS = "sim-progress",
    SIM_PARTIAL = "sim-partial",
    SIM_BAD_DECK = "sim-bad-deck",
    SIM_COMBINATION = "sim-combination",
    SIM_RULES_FOR_TWO = "sim-rules-for-two",
    SIM_TOO_FEW_CARDS = "sim-too-few-cards",
    SIM_FIX_PLAYER = "sim-fix-player",
    SIM_FIX_CARDS = "sim-fix-cards",
    SIM_EMPTY_SHARD = "sim-empty-shard",
    SIM_UNWRITABLE = "sim-unwritable",
    SIM_SAME_OUTPUT = "sim-same-output",
    SIM_PART_EXISTS = "sim-part-exists",
    SIM_OTHER_SEED = "sim-other-seed",
    SIM_NO_PART = "sim-no-part",
    SIM_PART_VERSION = "sim-part-version",
    SIM_PART_GENERATOR = "sim-part-generator",
    SIM_OUTPUT_IS_PART = "sim-output-is-part",
    SIM_NO_SVG = "sim-no-svg",
    SIM_JOURNAL_OF_NONE = "sim-journal-of-none",
    SIM_OTHER_RULES = "sim-other-rules",
    SIM_MERGE_SEED = "sim-merge-seed",
    SIM_MERGE_GAMES = "sim-merge-games",
    SIM_MERGE_PARTIAL = "sim-merge-partial",
    SIM_OVERLAP = "sim-overlap",
    SIM_MISSING = "sim-missing",
    ENUM_ODD = "enum-odd",
    ENUM_CHANCE = "enum-chance",
    ENUM_TOO_MANY = "enum-too-many",
    ENUM_RULES = "enum-rules",
    ENUM_SEATS = "enum-seats",
    ENUM_ONE_OF_TWO = "enum-one-of-two",
    ENUM_PLAYED = "enum-played",
    ENUM_PARTIAL = "enum-partial",
    ENUM_OUTCOMES_OF_EITHER = "enum-outcomes-of-either",
    ENUM_OUTCOMES = "enum-outcomes",
    ENUM_PERIODS = "enum-periods",
    ENUM_TURNS = "enum-turns",
    ENUM_PAIRS = "enum-pairs",
    PLOT_TITLE = "plot-title",
    PLOT_GAMES = "plot-games",
    PLOT_PARTIAL = "plot-partial",
    PLOT_NONE_FINISHED = "plot-none-finished",
    PLOT_TURNS = "plot-turns",
    PLOT_TURNS_BUT_LONGEST = "plot-turns-but-longest",
    PLOT_SHARE_OF_GAMES = "plot-share-of-games",
    PLOT_MEAN = "plot-mean",
    PLOT_MEDIAN = "plot-median",
    PLOT_P5 = "plot-p5",
    PLOT_P95 = "plot-p95",
    PLOT_WINNER = "plot-winner",
    PLOT_DRAWN = "plot-drawn",
    PLOT_ENDLESS = "plot-endless",
    PLOT_UNDECIDED = "plot-undecided",
    PLOT_OUTCOMES = "plot-outcomes",
    LIT_ROW = "lit-row",
    LIT_FIGURE = "lit-figure",
    LIT_FIGURE_OF_OURS = "lit-figure-of-ours",
    LIT_AGREES = "lit-agrees",
    LIT_DIFFERS = "lit-differs",
    LIT_MEAN_TURNS = "lit-mean-turns",
    LIT_DEVIATION = "lit-deviation",
    LIT_MEDIAN = "lit-median",
    LIT_QUANTILE = "lit-quantile",
    LIT_LONGEST = "lit-longest",
    LIT_MEAN_WARS = "lit-mean-wars",
    LIT_MEAN_TIES = "lit-mean-ties",
    LIT_FIRST_WINS = "lit-first-wins",
    LIT_ENDLESS = "lit-endless",
    LIT_CYCLES = "lit-cycles",
    LIT_PERIOD = "lit-period",
    LIT_MEAN_PAIRS = "lit-mean-pairs",
    LIT_MOST_PAIRS = "lit-most-pairs",
    LIT_DEALS = "lit-deals",
    LIT_SUMMARY = "lit-summary",
    LIT_INTERRUPTED = "lit-interrupted",
}
