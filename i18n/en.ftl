## The console screens. They are compared byte for byte: not a space may change.

# The decks; $deck below is one of them.
deck-small = SMALL
deck-large = LARGE

usage =
    Usage:
    {"    "}java -jar target/War.jar 4 small
    {"    "}java -jar target/War.jar 2 large

    {"    "}First parameter is the number of players. Second is the type of the deck (small - 24 cards, large - 52 cards, no other options are possible).
    {"    "}Not exactly two parameters given? Program then prints this message and exits.
    {"    "}Bad parameters given? Program corrects them to default values (2 and SMALL) and proceeds.
    {"    "}You can write small, SmALl or SMALL (same with large) - case matters not.
    {"    "}Valid integers for players: 1, 2, 3, 4, 5. Anything larger becomes a 5. Anything smaller becomes a 1.

corrected-both = Values were corrected to 2 players on a SMALL deck
corrected-players-range = Number of players corrected to { $players }, you provided { $provided }
corrected-players-unparseable = Number of players set to 2, you provided unparseable input { $provided }
corrected-deck = Deck set to SMALL, you provided unrecognized value: { $provided }

dealing = WAR, { $players } players, { $deck } deck, DEALING
dealt-hand = Player{ $seat } hand: { $cards }
lucky = Lucky players: { $players }.
lucky-player = player{ $seat }
lucky-none = Lucky players: none.
scenario-code = special scenario code: { $code }

turn-leads = WAR, { $players } players, { $deck } deck, turn #{ $turn } - player{ $leader } leads with { $cards }/{ $total } cards
turn-draw = WAR, { $players } players, { $deck } deck, turn #{ $turn } - DRAW with { $cards }/{ $total } cards
row = Player{ $seat } played:
war-banner = {"                 "}WE HAVE A WAR LADIES AND GENTLEMEN!
end-of-cards = EoC
winner-found = -----------> WINNER FOUND!
war-lasted = War lasted { $rounds } rounds.
won = WAR, { $players } players, { $deck } deck, turn #{ $turn } - player{ $winner } WON with { $cards }/{ $total } cards
endless = WAR, { $players } players, { $deck } deck, turn #{ $turn } - ENDLESS, turns #{ $from } to #{ $to } repeat forever
game-drawn = WAR, { $players } players, { $deck } deck, turn #{ $turn } - DRAWN, all ran out of cards at once
undecided = WAR, { $players } players, { $deck } deck, turn #{ $turn } - UNDECIDED, no more turns

## The screens of the duels edition.

duels-usage =
    Usage:
    {"    "}war duels --numPlayers 4 --deckType small
    {"    "}war duels --numPlayers 2 --deckType large --strategy shuffle --lang pl

    {"    "}--numPlayers is the number of players: 2, 3, 4 or 5. The default is 2. Anything larger becomes a 5, anything smaller a 2.
    {"    "}--deckType is the deck: small (24 cards) or large (52 cards), in any letter case. The default is small.
    {"    "}--strategy is how cards are drawn: default (from the top), shuffle (hands that come back are shuffled) or random (any card of the hand). The default is default.
    {"    "}--lang is the language: en or pl. The default is en.
    {"    "}You read this because you asked for it, gave only one of the first two parameters, or gave a bad value, which was corrected to its default.
duels-scenario = Scenario: { $title }
duels-leads = player{ $leader } leads with { $cards }/{ $total } cards
duels-draw = DRAW with { $cards }/{ $total } cards
duels-battle = WAR, { $players } players, battle #{ $battle }, { $deck } deck, { $strategy }{ $standing }
duel = WAR, { $players } players, { $deck } deck, { $total } cards
duel-banner = {"                 "}WE HAVE A DUEL, LADIES AND GENTLEMEN!
duel-lasted = Duel lasted { $rounds } rounds.
duels-won = WAR, { $players } players, { $deck } deck, player{ $winner } WON with { $cards }/{ $total } cards
duels-stopped = Stopping the game due to { $battles } battles without resolution.
duels-stopped-winner = Winner is the owner of the highest card AND the owner of the greatest amount of cards: player{ $winner }.
duels-found = Found { $files } scenario files:
duels-executing = Executing in given order.

## The table of the X/Y edition.

xy-header = ROUND# : X=cards(                 players' standings                  )cards=Y :  battle   --> winner, or War[size]  cards...
xy-rule = ------ : --------------------------------------------------------------------- : --------- --> -------------------------------------------- --> -
xy-winner = WINNER
xy-draw = DRAW

## The screens of the token games.

token-game = { $kind ->
    [single-card-game] SINGLE-CARD GAME
   *[double-card-game] DOUBLE-CARD GAME
} #{ $game }: { $one } and { $two }
token-commitment = commitment: { $commitment }
token-seed = seed of { $player }: { $seed }
token-no-seed = seed of { $player }: none
token-deal = DEAL #{ $deal }
token-hand = { $player } holds { $cards }
token-plays = { $player } plays
token-folds = { $player } folds
token-timed-out = { $player } folds: time is up
token-tied = the hands are equal, new cards are dealt
token-wins = { $player } wins { $tokens ->
    [one] { $tokens } token
   *[other] { $tokens } tokens
}
token-loses = { $player } loses { $tokens ->
    [one] { $tokens } token
   *[other] { $tokens } tokens
}
token-secret = revealed seed: { $seed }

## Lines on standard error.

error = error: { $text }
warning = warning: { $text }
note = note: { $text }
hint = hint: { $text }

## The command line.

called = This build is called as: war 4 small (see war --help)
nearly-command = `{ $word }` is read as the number of players
    .hint = if you mean the command, type `war { $command }`
unknown-option = unknown option `{ $option }`
    .hint = `{ $help }` lists the options; a value that starts with `-` goes after `--`
unknown-option-near = unknown option `{ $option }`
    .hint = did you mean `{ $near }`? `{ $help }` lists the options
unexpected-argument = unexpected argument `{ $argument }`
    .hint = `{ $help }` shows how to call the command
missing-value = option `{ $option }` needs a value
    .hint = `{ $help }` shows which
bad-value = `{ $value }` is not a valid value for `{ $option }`
    .hint = possible values: { $known }
bad-value-near = `{ $value }` is not a valid value for `{ $option }`
    .hint = did you mean `{ $near }`? possible values: { $known }
bad-number = `{ $value }` is not a valid value for `{ $option }`
    .hint = use a whole number from { $least } to { $most }
bad-address = `{ $value }` is not a valid address for `{ $option }`
    .hint = use an IP address and a port, like 127.0.0.1:8080
value-of-flag = option `{ $option }` takes no value, but `{ $value }` was given
    .hint = remove the value
missing-argument = missing argument: { $argument }
    .hint = `{ $help }` shows how to call the command
missing-command = missing command
    .hint = `{ $help }` lists the commands
option-twice = option `{ $option }` was given twice
    .hint = remove one of them
option-before-command = option `{ $option }` can't be used with the command `{ $command }`
    .hint = remove it, or put it after `{ $command }` if `{ $command }` has such an option
argument-not-utf8 = an argument is not valid UTF-8: `{ $argument }`
    .hint = type numbers, names and options in UTF-8
options-conflict = `{ $option }` can't be used together with `{ $other }`
    .hint = remove one of them
unknown-command = unknown command `{ $command }`
    .hint = `{ $help }` lists the commands
unknown-command-near = unknown command `{ $command }`
    .hint = did you mean `{ $near }`? `{ $help }` lists the commands
bad-command-line = the command line is not valid
    .hint = `{ $help }` shows how to call the command
option-of-play = `war { $command }` has no option `{ $option }`
    .hint = remove it; `war help { $command }` lists the options
option-after-command = option `{ $option }` must follow the command
    .hint = type `war { $command } { $option } …`
no-such-help = there is no help on `{ $word }`
    .hint = `war help` lists the commands; the topics are rules, scenarios, journals and environment
no-such-help-near = there is no help on `{ $word }`
    .hint = did you mean `{ $near }`?
pages-written = { $pages ->
    [one] { $pages } manual page
   *[other] { $pages } manual pages
} written to `{ $directory }`
unknown-language = unknown language `{ $lang }`
    .hint = known languages: { $known }
bad-seed = `{ $value }` is not a valid seed
    .hint = a seed is a whole number from 0 to 18446744073709551615
xy-seed = the seed is { $seed }
    .hint = `war xy { $seed }` plays the same game again
xy-bad-seed = `{ $value }` is no seed
    .hint = a seed of this edition is a whole number from -9223372036854775808 to 9223372036854775807
bad-turn = `{ $value }` is no turn
    .hint = a turn is a whole number; 0 is the dealing
bad-range = `--from` is after `--to`
    .hint = the turns are printed in the order in which they were played
bad-digest = `{ $value }` is no digest
    .hint = a digest is 32 hexadecimal digits in small letters, as printed when the game was recorded
journal-of-several = `--journal` records a single game, and scenario files may be several
    .hint = record them with `--journal-dir DIR`, or play one with `--scenario NAME --journal FILE`
journal-dir-of-one = `--journal-dir` names its journals after scenario files, and there are none
    .hint = record a dealt game with `--journal FILE`
durable-without-journal = `--durable` needs a journal to sync
    .hint = record the game with `--journal FILE`
duels-unknown-strategy = unknown strategy `{ $strategy }`: default is played
    .hint = strategies are default, shuffle and random

## Configuration and log.

config-unreadable = the configuration `{ $file }` can't be read: { $reason }
    .hint = mend the path, or leave `--config` and `WAR_CONFIG` out to play without a configuration
config-bad = { $file }:{ $line }:{ $column }: { $reason }
    .hint = the section [log] has the keys `level`, `format` and `directory`; the section [table] has `listen`, `store`, `bots`, `decide_seconds`, `connections`, `rate` and `origins`
log-failed = the audit log in `{ $directory }` can't be written: { $reason }
    .hint = the game goes on without it; another directory can be set in war.toml

## What the operating system says.

io-not-found = there is no such file or directory
io-permission = permission denied
io-exists = it exists already
io-directory = it is a directory
io-not-directory = a part of the path is no directory
io-full = no space left on the device
io-too-large = the file would be larger than is allowed
io-not-text = it is no UTF-8 text
io-address-in-use = the address is in use
io-read-only = the file system is read-only
io-other = { $reason }
output-failed = standard output can't be written: { $reason }
    .hint = make room, or send the output elsewhere
unreadable = `{ $file }` can't be read: { $reason }
    .hint = see that the path is right and that it may be read

## Scenarios.

scenarios-replace = { $files ->
    [one] a scenario file replaces the dealing
   *[other] { $files } scenario files replace the dealing
}
    .hint = to deal cards, move the ssc_*.json files away or name another directory with `--scenarios`
seed-without-effect = `--seed` has no effect: the scenario holds the cards
no-scenarios-directory = there is no scenarios directory `{ $directory }`
    .hint = name a directory that is there, or leave `--scenarios` out
no-scenarios-variable = `WAR_SCENARIOS` names `{ $directory }`, which is no directory
    .hint = the scenarios built into the program are used
no-such-scenario = there is no scenario `{ $name }`
    .hint = known: { $known }; a path has a slash or ends in `.json`
scenario-unreadable = it can't be read: { $reason }
    .hint = see that it is a file and that it may be read
scenario-bad-json = { $file }: bad JSON syntax: { $reason }
scenario-mangled = SpecialCodeFileMangledException: { $file }: { $reason }
scenario-syntax = line { $line }, column { $column }: { $reason }
    .hint = write one row of numbers a player, like [[9,10,11],[12,13,14]]; look for a missing comma or bracket
syntax-ends = the file ends too early
syntax-unexpected = unexpected `{ $found }`
syntax-utf8 = invalid UTF-8
scenario-empty = line 1, column 1: the file is empty
    .hint = write one row of numbers a player, like [[9,10,11],[12,13,14]]
scenario-bom = line 1, column 1: the file begins with a byte-order mark
    .hint = save it as UTF-8 without a byte-order mark
scenario-too-large = the file is larger than { $bytes } bytes
    .hint = a scenario has 24 or 52 cards; see that this is the right file
scenario-no-rows = expected a list of rows, found { $found }
    .hint = write one row of numbers a player, like [[9,10,11],[12,13,14]]
scenario-no-row = row { $row }: expected a list of whole numbers, found { $found }
    .hint = write the cards of each player in brackets, like [9,10,11]
scenario-no-number = row { $row }: expected a whole number, found { $found }
    .hint = write each card as a number from 2 to 14
scenario-value = row { $row }: expected a card from 2 to 14, found { $found }
    .hint = 11 is a valet, 12 a queen, 13 a king, 14 an ace
scenario-no-player = expected 1 to 5 players, found none
    .hint = write one row of cards a player
scenario-players = expected 1 to 5 players, found { $found }
    .hint = take rows away until 5 are left
scenario-bad = { $file }: { $reason }
scenario-players-few = expected 2 to 5 players, found { $found }
    .hint = write one row of cards a player
scenario-players-many = expected 2 to 5 players, found { $found }
    .hint = take rows away until 5 are left
scenario-no-card = there is no card
    .hint = write the cards of each player in brackets, like [[9,10,11],[12,13,14]]
scenario-too-many-any = expected 10,000 cards at most, found { $found }
    .hint = take cards away
scenario-value-any = row { $row }: expected a card from 1 to 14, found { $found }
    .hint = 11 is a valet, 12 a queen, 13 a king, 14 an ace
scenario-cards-any-rank = expected 2 to 255 cards, found { $found }
    .hint = add cards, or take some away
scenario-players-two = expected 2 players, found { $found }
    .hint = write two rows of cards; more players need the rule `--out-of-cards eoc`
scenario-values-many = expected 64 different values at most, found { $found }
    .hint = only the order of cards decides: give values that are near each other the same number
scenario-too-few = expected 24 or 52 cards, found { $found }: not enough cards for a deck
    .hint = add cards until there are 24
scenario-between = expected 24 or 52 cards, found { $found }: too many for a small deck, not enough for a large one
    .hint = take cards away until there are 24, or add some until there are 52
scenario-too-many = expected 24 or 52 cards, found { $found }: too many cards for a deck
    .hint = take cards away until there are 52

## Recording.

recorded = { $file }: { $events ->
    [one] { $events } event
   *[other] { $events } events
} recorded, final digest { $digest }
    .hint = `war replay { $file } --expect-digest { $digest }` proves that this is the game
journal-exists = { $code } the journal `{ $file }` exists already, and a journal is never overwritten
    .hint = name a new file
journal-not-created = { $code } the journal `{ $file }` can't be created: { $reason }
    .hint = see that its directory is there and may be written
journal-new-not-written = { $code } the new journal `{ $file }` can't be written: { $reason }
    .hint = make room, or name a file elsewhere; the old journal is as it was
import-not-written = { $code } the journal `{ $file }` can't be written: { $reason }
    .hint = make room, or name another directory with `--journal-dir`; what was written is removed
journal-not-written = { $code } the journal `{ $file }` can't be written in turn { $turn }: { $reason }
    .hint = the game was stopped; `war journal repair` ends what was recorded of it
journal-not-begun = { $code } the journal `{ $file }` can't be written in turn { $turn }: { $reason }
    .hint = the game was stopped, and nothing of it is recorded; make room, remove this file, and play again

## Importing tables.

import-refused = { $file }:{ $line }: { $reason }
    .hint = this table could not have been played; compare the line with where it was printed
import-too-long = { $file } is longer than 64 MiB
    .hint = no table is that long; see that this is the right file
import-no-header = expected the header of a table, found { $found }
import-empty = there is no table
import-no-row = expected a row of the table, found { $found }
import-no-round = expected a round, for the game is not over yet, found { $found }
import-no-pair = a pair of cards is cut short in { $found }
import-no-rank = expected a card from 01 to 13, found { $found }
import-after-end = a row follows the end of the game: { $found }
import-no-end = the table ends before the game does
import-ends-early = the war in this row goes on, and its cards are missing: { $found }
import-impossible-card = { $player } can't have { $card } there
import-other-row = expected `{ $expected }`, found `{ $found }`

## Verdicts.

verdict = { $verdict } { $file }: { $events ->
    [one] { $events } event
   *[other] { $events } events
}, { $turns ->
    [one] { $turns } turn
   *[other] { $turns } turns
}, { $outcome }, final digest { $digest }
verdict-fault = { $verdict } { $file }: { $events ->
    [one] { $events } event before this place is intact
   *[other] { $events } events before this place are intact
}
outcome-won = player{ $winner } won
outcome-drawn = drawn
outcome-endless = endless
outcome-folded = both players folded
outcome-stopped = stopped
outcome-cut-off = cut off and repaired
rendered-anew = rendered anew in another language or by another version: the console digest was not compared
no-such-turn = { $turns ->
    [one] the game has { $turns } turn
   *[other] the game has { $turns } turns
}
divergence =
    event { $seq }, line { $line }, turn { $turn }
    the journal says: { $journal }
    the rules say:    { $rules }
    hands by the journal: { $journal_hands }
    hands by the rules:   { $rules_hands }
rules-say-over = the game is over
impossible-event = (this event can't happen here)

## Journals.

journal-empty = the file is empty
    .hint = see that this is the right file
journal-bom = the file begins with a byte-order mark
    .hint = save it as UTF-8 without a byte-order mark
journal-utf16 = the file is no UTF-8 text
    .hint = save it as UTF-8
journal-not-json = this is no JSON
    .hint = see that this is the right file
journal-other-json = this is JSON, but no war-journal
    .hint = journals are made with `war 4 small --journal FILE`; a scenario is played with `war --scenario FILE`
journal-version = this is a journal of version { $version }, and this program knows version { $known }
    .hint = use the version of the program that recorded it
journal-unknown-rules = the rules `{ $rules }` with these parameters are unknown here
    .hint = use the version of the program that recorded it
journal-unknown-generator = the generator `{ $generator }` is unknown here
    .hint = use the version of the program that recorded it
journal-header-cut = the file ends inside the header
    .hint = nothing of the game is left
journal-cut-off = the file ends inside event { $events }
    .hint = `war journal repair` ends a journal that was cut off
journal-no-end = the file ends without an end record, after { $events ->
    [one] { $events } event
   *[other] { $events } events
}
    .hint = `war journal repair` ends a journal that was cut off
journal-syntax = this is no JSON
    .hint = the file was changed after it was recorded; take a copy that was not
journal-field = { $reason }
    .hint = the file was changed after it was recorded; take a copy that was not
field-missing = the field `{ $name }` is missing
field-unknown = the field `{ $name }` is unknown here
field-duplicate = the field `{ $name }` is there twice
field-unknown-value = the value `{ $name }` is unknown here
field-bad-value = { $name } has the wrong type or is no value for this field
field-address = this is no IP address with a port, like 127.0.0.1:8080
field-shape = a list stands where an object should, or the other way round
field-unfit = what stands here does not fit this field
field-no-name = this is no name: it has 1 to 32 characters that can be seen, and no white space at its ends
field-no-client-seed = this is no seed of a player: it has up to 64 bytes that can be seen
field-other = { $reason }
journal-too-long = a record is longer than 1 MB
    .hint = no event of a game is that long; the file was changed after it was recorded
journal-header-too-long = the header is longer than 2 MB
    .hint = no header of a game is that long; the file was changed after it was recorded
journal-too-deep = a record is nested deeper than 64 levels
    .hint = no event of a game is; the file was changed after it was recorded
journal-bad-seed = `{ $seed }` is no seed of the generator `{ $generator }`
    .hint = the file was changed after it was recorded; take a copy that was not
journal-bad-name = no scenario file can have the name `{ $name }`
    .hint = the file was changed after it was recorded; take a copy that was not
journal-unknown-language = the language `{ $lang }` is unknown
    .hint = the file was changed after it was recorded; take a copy that was not
journal-bad-correction = the corrections in the header were not needed, or lead to another game
    .hint = the file was changed after it was recorded; take a copy that was not
journal-sequence = expected event { $expected }, found event { $found }
    .hint = an event was removed, doubled or moved; take a copy that was not changed
journal-chain = the chain does not fit at event { $seq }
    .hint = this event, or the chain before it, was changed after it was recorded
journal-header-chain = the chain does not fit the header
    .hint = the header was changed after it was recorded
journal-end-chain = the chain does not fit the end record
    .hint = the end record was changed after it was recorded
journal-digest = the final digest is { $found }, expected { $expected }
    .hint = this is not the game that was recorded with that digest
journal-end = the end record has `{ $field }` { $found }, and the events make it { $expected }
    .hint = the end record was changed after it was recorded
journal-end-winner = the reason and the winner of the end record do not go together
    .hint = only a game that was won has a winner
journal-data-after-end = something follows the end of the journal
    .hint = remove what follows the last bracket
journal-diverges = event { $seq } in turn { $turn } is not what the rules say
    .hint = the game was not played by the rules from here on
journal-turn = event { $seq } has turn { $found }, and the events make it { $expected }
    .hint = the turn was changed after it was recorded
journal-state = the state after event { $seq } in turn { $turn } is { $found }, and the events make it { $expected }
    .hint = the state was changed after it was recorded
journal-console = the console digest is { $found } ({ $found_bytes } bytes), and the events print { $expected } ({ $expected_bytes } bytes)
    .hint = the end record was changed, or the game was printed by another program
journal-not-dealt = the first event deals no cards
    .hint = a game begins with `dealt`
journal-deal-players = cards are dealt to { $found ->
    [one] { $found } player
   *[other] { $found } players
}, and the header has { $expected }
    .hint = the header or the deal was changed after it was recorded
journal-rules-players = cards are dealt to { $found ->
    [one] { $found } player
   *[other] { $found } players
}, and these rules are for { $players }
    .hint = the header or the deal was changed after it was recorded
journal-generator = the generator does not deal these cards from this seed
    .hint = the seed or the deal was changed after it was recorded
journal-chance = the generator does not give this order of cards
    .hint = the seed or the order was changed after it was recorded
journal-deal-kind = these rules and this kind of deal do not go together
    .hint = a token game is dealt from a commitment, and no other game is
journal-commitment = the revealed seed is not the one that was committed to
    .hint = the seed was picked or changed after the commitment: whoever dealt could choose the cards
journal-not-started = the first event does not start a game
    .hint = a token game begins with `started`
journal-no-deck = the cards dealt are no deck for this game
    .hint = the header or the deal was changed after it was recorded

## The commands on journals.

show-header =
    journal:  { $file }
    engine:   { $engine }
    rules:    { $rules }
    players:  { $players }
    deck:     { $deck }
    cards:    { $deal }
    language: { $lang }
show-seed = shuffled from seed { $seed }
show-fixed = shuffled from seed { $seed }, { $cards ->
    [one] { $cards } card
   *[other] { $cards } cards
} fixed for player{ $player }
show-committed = dealt from a seed that was committed to
show-scenario = scenario `{ $name }`
show-imported = imported from a printed table
show-summary =
    events:   { $events }
    turns:    { $turns }
    wars:     { $wars }
    printed:  { $bytes } bytes
show-tokens-summary =
    events:   { $events }
    deals:    { $turns }
    printed:  { $bytes } bytes
diff-none = no difference
diff-header = the headers differ
diff-event = event { $seq } differs, turn { $turn }
diff-end = the end records differ
diff-side = { $file }: { $says }
repaired = { $file }: { $events ->
    [one] { $events } event up to turn { $turns } is now
   *[other] { $events } events up to turn { $turns } are now
} in { $new }, ending `cut_off`
repair-nothing = { $file } is not repaired: the recording was cut off before the first event
    .hint = nothing of the game is left
repair-renderer = { $file } is not repaired: another version of the program printed this game
    .hint = use the version of the program that recorded it
repair-no-file = { $file } can't be repaired where it is: it is read twice
    .hint = save it to a file first
standard-input-twice = standard input can't be both journals
    .hint = save one of them to a file
not-repaired = { $file } is not repaired: only a journal that was cut off can be
    .hint = a journal that is complete needs no repair, and one that was changed can't be trusted

## The card table.

bad-setting = `{ $name }` is { $value }; it must be { $least } to { $most }
    .hint = mend the section `[table]` of the configuration
bad-origin = `{ $origin }` is no origin
    .hint = name one as browsers do, like https://war.example
fewer-connections = there may be { $possible } connections, not { $asked }: this process may open no more files
    .hint = raise the limit (`ulimit -n`), or ask for fewer with `--connections`
no-table = this program was built without the card table
    .hint = `cargo run --release --features table -- serve` builds and opens it
table-open = the table is open: { $address }
table-store = everything is kept in { $store }, { $bots ->
    [0] no house players
    [one] { $bots } house player
   *[other] { $bots } house players
}, Ctrl-C closes the table
table-drains = the table closes: no game starts any more, those that run end by their deadline
    .hint = Ctrl-C again stops at once; nothing is lost, running games go on after the next start
table-closed = the table is closed
table-stopped = stopped at once; running games go on after the next start
store-unknown = `{ $store }` is no store
    .hint = `sqlite:FILE` keeps everything in a file
store-unusable = the store `{ $store }` can't be used: { $reason }
    .hint = check that the path is right and may be written
store-in-use = the store `{ $store }` is in use by another server
    .hint = stop the other server, or name another store with `--store`
store-foreign = `{ $store }` is no store of a card table
    .hint = it belongs to another program and was left as it is; name another file with `--store`
store-newer = `{ $store }` was made by a newer version of the program
    .hint = use that version, or name another file with `--store`; the file was left as it is
store-failed = the store failed: { $reason }
    .hint = nothing was acknowledged that is not saved; mend the disk and start again
listen-failed = can't listen at { $address }: { $reason }
    .hint = another program may listen there; `--listen 127.0.0.1:8081` takes another port
not-started = the program's threads can't be started: { $reason }
    .hint = free memory, or allow more processes and open files
no-such-game = no game of this number is over
foreign-origin = pages of this origin may not connect

## What the card table answers.

no-name = a name has 1 to 32 characters that can be seen
no-client-seed = a seed has up to 64 bytes that can be seen
no-object = a message is a JSON object, sent as text
no-request-id = an `id` has 1 to 64 visible ASCII characters
refused-bad-message = this is no request: { $reason }
refused-hello-first = `hello` comes first
refused-hello-again = `hello` was said already
refused-unknown-token = no player has this token
refused-id-reused = this `id` was used for another request
refused-waiting = you are waiting for an opponent
refused-playing = you are in a game
refused-not-waiting = you are not waiting for an opponent
refused-not-playing = you are in no game
refused-seeds-closed = the cards are dealt: it is too late for a seed
refused-seeded-already = you gave a seed already
refused-not-dealt = no cards are dealt yet
refused-decided-already = you decided already
refused-bad-after = there are not that many messages yet
refused-too-fast = too many messages in a short time
refused-too-many-connections = this player has too many connections
refused-draining = the table closes, no game starts any more

## The load on a card table.

load-opening = opening { $count ->
    [one] { $count } connection
   *[other] { $count } connections
}
load-playing = { $count ->
    [one] { $count } player plays
   *[other] { $count } players play
}
load-comparing = comparing { $count ->
    [one] { $count } balance
   *[other] { $count } balances
}
load-report =
    connected:          { $connected ->
        [one] { $connected } player
       *[other] { $connected } players
    }
    settled:            { $games ->
        [one] { $games } game
       *[other] { $games } games
    } in { $seconds } s, { $rate } a second
    decisions:          { $decisions }, acknowledged after { $p50 } ms (median), { $p95 } ms (95 %), { $p99 } ms (99 %), { $most } ms (longest)
    balances compared:  { $compared }
load-trouble = { $trouble } ({ $count } ×)
load-no-connection = no connection
load-lost = the connection was lost
load-no-answer = no answer within { $seconds } s
load-no-message = a message that is not in the protocol
load-sequence = a gap or a repeat in the sequence
load-balance = a balance that is not what the messages make it
load-commitment = a revealed seed that was not committed to
load-seed = a seed of the player's that is not the one he gave
load-cards = cards that do not follow from the seeds
load-unexpected = a message that nothing called for: { $message }
load-sum = the balances do not add up to what the players came with, less what the bank took
    .hint = players of another load may play beside these; otherwise the table has lost count

## Simulation: games of any rules.

sim-rules = rules:      { $players } players, { $deal }, { $face_down } face down, collected { $collect }, out of cards { $rule }{ $limit }
sim-limit = {", "}{ $turns ->
    [one] { $turns } turn
   *[other] { $turns } turns
} at most
sim-deal-shuffled = { $deck } deck
sim-deal-fixed = { $deck } deck with { $hand } for player{ $player }
sim-deal-given = hands of `{ $name }`
sim-games = games:      { $games } of seed { $seed }, numbers { $from } to { $to }
sim-no-games = games:      none of seed { $seed }
sim-won = player{ $player }:    wins { $share } %
sim-drawn = drawn:      { $share } %
sim-endless = endless:    { $share } %
sim-undecided = undecided:  { $share } %
sim-periods = periods:    mean { $mean }, { $min } to { $max } turns
sim-turns = turns:      mean { $mean }, standard deviation { $sd }
sim-quantiles = quantiles:  5 % { $p5 }, 50 % { $median }, 95 % { $p95 }, 99 % { $p99 } turns
sim-wars = wars:       mean { $mean } a game; by depth { $depths }
sim-none-finished = turns:      no game finished
sim-no-wars = wars:       none
sim-shortest = shortest:   { $turns ->
    [one] { $turns } turn
   *[other] { $turns } turns
}, --game { $seed }:{ $game }
sim-longest = longest:    { $turns ->
    [one] { $turns } turn
   *[other] { $turns } turns
}, --game { $seed }:{ $game }
sim-progress = { $played } of { $games } games, { $rate } games/s, { $left } left
sim-partial = interrupted: { $games ->
    [0] no game was over
    [one] these are the figures of the first game
   *[other] these are the figures of the first { $games } games
}
    .hint = JSON files and drawings say so, rows end with the last of these games; a part that was interrupted can't be merged
sim-bad-game = `{ $value }` is not a valid value for `{ $option }`
    .hint = write SEED:GAME, such as 1:341570
sim-bad-shard = `{ $value }` is not a valid value for `{ $option }`
    .hint = write I/N for part I of N, such as 3/8
sim-bad-hand = `{ $value }` is not a valid hand for `{ $option }`
    .hint = write PLAYER:CARD,CARD,…, such as 1:14,14; cards are 2 to 14 in the large deck, 9 to 14 in the small one, 1 to 13 in thirteen, and 1 to 64 at most
sim-bad-deck = `{ $value }` is not a valid deck for `{ $option }`
    .hint = decks: small, large, or RxS for R ranks and S suits like 13x4: 2 to 255 cards, 64 ranks at most
sim-combination = `--out-of-cards { $rule }` is not defined for { $players } players
    .hint = play with `--players 2`, or with `--out-of-cards eoc`
sim-rules-for-two = the rules `{ $rules }` are not defined for { $players } players: who runs out of cards, `{ $rule }`, is a rule for two
    .hint = play with `--players 2`, or add `--out-of-cards eoc`
sim-too-few-cards = { $cards ->
    [one] { $cards } card
   *[other] { $cards } cards
} can't be dealt to { $players ->
    [one] { $players } player
   *[other] { $players } players
}
    .hint = everybody needs a card: take fewer players or a larger deck
sim-fix-player = `--fix` names player { $player }, but only { $players } play
    .hint = name a player from 1 to { $players }
sim-fix-cards = the { $deck } deck has no such cards: `{ $value }`
    .hint = name cards of the deck, none more often than it has them: its ranks are { $lowest } to { $highest }
sim-empty-shard = shard { $shard } of { $games ->
    [one] { $games } game
   *[other] { $games } games
} has no game
    .hint = take no more shards than games
sim-unwritable = `{ $file }` can't be written: { $reason }
    .hint = see that it may be written, that its directory is there, and that the disk has room
sim-same-output = two outputs would go into `{ $file }`
    .hint = give each output a file of its own
sim-other-seed = `--seed { $seed }` and `--game { $game }` name two seeds
    .hint = leave `--seed` out: the game names its seed
sim-no-part = `{ $file }` is no part of a simulation
    .hint = parts are made with `war simulate --seed S --shard I/N --json FILE`, and must be as they were written
sim-part-version = `{ $file }` is a part of version { $version }, which this program does not know
    .hint = use the version of the program that has written it
sim-part-generator = the games of `{ $file }` were dealt by the generator `{ $generator }`, which this program does not have
    .hint = use the version of the program that has written it
sim-output-is-part = `{ $file }` is one of the parts, and would be written over
    .hint = give the result a name of its own
sim-no-svg = a drawing is SVG, and `{ $file }` is the name of another kind
    .hint = take a name that ends in `.svg`, and convert the drawing
sim-journal-of-none = `--journal` records a single game of a run, and none was chosen
    .hint = choose one with `--game S:I`
sim-other-rules = `{ $other }` was played by other rules than `{ $file }`: `{ $option }` differs
    .hint = join parts of the same rules
sim-merge-seed = `{ $other }` has another seed than `{ $file }`
    .hint = join parts of the same seed
sim-merge-games = `{ $other }` is a part of another number of games than `{ $file }`
    .hint = join parts of the same run: give each the same `--games`
sim-merge-partial = `{ $file }` was interrupted
    .hint = play that part again
sim-overlap = `{ $file }` and `{ $other }` overlap: both have game { $game }
    .hint = name each part once
sim-missing = games { $from } to { $to } are in no part
    .hint = name all parts of the run

## Enumeration: all deals of a deck.

enum-odd = { $cards } cards of the { $deck } deck can't be dealt in two equal hands
    .hint = take a deck with an even number of cards
enum-chance = rules that leave something to chance can't be enumerated: collected `{ $collect }`, out of cards `{ $rule }`
    .hint = play such rules with `war simulate`
enum-too-many = there are { $deals } deals, and { $most } are the most that are played
    .hint = take a smaller deck, or play some of the deals with `war simulate`
enum-rules = rules:    2 players, { $deck } deck, { $face_down } face down, collected { $collect }, out of cards { $rule }{ $limit }
    deals:    { $deals }
enum-seats = {"          "}both deals of each pair that swapping the players makes: these rules know the seats
enum-one-of-two = {"          "}one of two deals that differ by swapping the players: each player wins one of them
enum-played = played:   { $deals }
enum-partial = interrupted: these are the figures of { $deals } of { $all } deals
    .hint = they are no random ones: for a sample, play `war simulate`
enum-outcomes-of-either = outcomes: won { $won }, drawn { $drawn }, endless { $endless }, undecided { $undecided }
enum-outcomes = outcomes: player1 { $first }, player2 { $second }, drawn { $drawn }, endless { $endless }, undecided { $undecided }
enum-periods = periods:  { $min } to { $max } turns
enum-turns = turns:    { $sum } in { $games ->
    [one] { $games } finished game
   *[other] { $games } finished games
}, mean { $mean }, most { $most }
enum-pairs = pairs:    { $sum } in { $games ->
    [one] { $games } finished game
   *[other] { $games } finished games
}, mean { $mean }, most { $most }

## The drawing of a simulation.

plot-title = War: { $players } players, { $deal }, { $face_down } face down, { $collect }, { $rule }{ $limit }
plot-games = { $games ->
    [one] { $games } game
   *[other] { $games } games
} of seed { $seed }
plot-partial = interrupted: the first { $games } of { $all } games of seed { $seed }
plot-none-finished = no game finished
plot-turns = turns of finished games, { $width } a bar
plot-turns-but-longest = turns of finished games, { $width } a bar; the longest 1 % are left out
plot-share-of-games = share of finished games (%)
plot-mean = mean { $value }
plot-median = median { $value }
plot-p5 = 5 % quantile { $value }
plot-p95 = 95 % quantile { $value }
plot-winner = player who won, or end of the game
plot-drawn = drawn
plot-endless = endless
plot-undecided = undecided
plot-outcomes = share of all games (%)

## What others have published.

lit-row = { $source }
    {"  "}{ $command }
lit-figure = {"    "}{ $figure }: published { $published }, ours { $ours }: { $verdict }
lit-figure-of-ours = {"    "}{ $figure }: reference { $published }, now { $ours }: { $verdict }
lit-agrees = agrees
lit-differs = DIFFERS
lit-mean-turns = mean turns
lit-deviation = standard deviation of turns
lit-median = median of turns
lit-quantile = { $value } % quantile of turns
lit-longest = most turns
lit-mean-wars = wars a game
lit-mean-ties = wars a game, a war in a war counted again
lit-first-wins = player1 wins (%)
lit-endless = endless games (%)
lit-cycles = endless games
lit-period = period of endless games
lit-mean-pairs = mean pairs
lit-most-pairs = most pairs
lit-deals = deals
lit-summary = { $agreeing } of { $all } figures agree
lit-interrupted = interrupted: the rows above are whole
    .hint = the others were not played
