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
duels-help =
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
    [daily] DAILY DUEL
    [single-card-game] SINGLE-CARD GAME
   *[double-card-game] DOUBLE-CARD GAME
} #{ $game }: { $one } and { $two }
token-commitment = commitment: { $commitment }
token-table-commitment = commitment of the table: { $commitment }
token-seed-hash = seed hash of player { $number }: { $hash }
token-seed = seed of { $player }: { $seed }
token-player = player { $number }
token-duel-player = the player
token-duel-house = the computer
token-opened = { $player } opens their seed: { $seed }
token-forfeited = { $player } folds: the seed was not opened in time
token-no-seed = seed of { $player }: none
token-deal = DEAL #{ $deal }
token-hand = { $player } holds { $cards }
token-plays = { $player } plays
token-folds = { $player } folds
token-timed-out = { $player } folds: time is up
token-tied = the hands are equal, new cards are dealt
token-duel-tied = the hands are equal, nobody wins
token-wins = { $player } wins { $tokens ->
    [one] { $tokens } token
   *[other] { $tokens } tokens
}
token-loses = { $player } loses { $tokens ->
    [one] { $tokens } token
   *[other] { $tokens } tokens
}
token-secret = revealed seed: { $seed }
token-table-seed = seed of the table: { $seed }

## Lines on standard error.

error = error: { $text }
warning = warning: { $text }
note = note: { $text }
hint = hint: { $text }

## The command line.

called =
    With this build, type: war PLAYERS DECK
    {"    "}war 4 small               deal 24 cards to 4 players
    {"    "}war 2 large --seed 42     deal 52 cards to 2 players, the same each time
    All options and commands: war --help
    { $last }
called-near = Did you mean: { $command }
called-others = Other commands: war duels, war xy, war replay, war view, war simulate
nearly-command = `{ $word }` was taken as the number of players
    .hint = did you mean `{ $command }`?
unknown-option = unknown option `{ $option }`
    .hint = `{ $help }` lists the options; put a value that begins with `-` after `--`
unknown-option-near = unknown option `{ $option }`
    .hint = did you mean `{ $near }`? `{ $help }` lists the options
unexpected-argument = unexpected argument `{ $argument }`
    .hint = `{ $help }` shows the usage
missing-value = option `{ $option }` needs a value
    .hint = `{ $help }` lists the values it takes
bad-value = `{ $value }` is not a valid value for `{ $option }`
    .hint = possible values: { $known }
bad-value-near = `{ $value }` is not a valid value for `{ $option }`
    .hint = did you mean `{ $near }`? possible values: { $known }
bad-number = `{ $value }` is not a valid value for `{ $option }`
    .hint = use a whole number from { $least } to { $most }
bad-address = `{ $value }` is not a valid address for `{ $option }`
    .hint = use a name or an IP address with a port, such as localhost:8080
value-of-flag = `{ $option }` doesn't take a value, but `{ $value }` was given
    .hint = remove the value
missing-argument = missing argument: { $argument }
    .hint = `{ $help }` shows the usage
missing-command = missing subcommand
    .hint = `{ $help }` lists the subcommands
option-twice = option `{ $option }` was given more than once
    .hint = give it only once
option-before-command = `{ $option }` can't be used with the subcommand `{ $command }`
    .hint = remove it, or put it after `{ $command }` if that subcommand takes it
argument-not-utf8 = an argument is not valid UTF-8: `{ $argument }`
    .hint = use UTF-8 for numbers, names and options
options-conflict = `{ $option }` can't be used together with `{ $other }`
    .hint = remove one of them
unknown-command = unknown subcommand `{ $command }`
    .hint = `{ $help }` lists the subcommands
unknown-command-near = unknown subcommand `{ $command }`
    .hint = did you mean `{ $near }`? `{ $help }` lists the subcommands
bad-command-line = the command line is not valid
    .hint = `{ $help }` shows the usage
option-of-play = `war { $command }` doesn't take the option `{ $option }`
    .hint = remove it; `war help { $command }` lists the options
option-after-command = option `{ $option }` goes after the subcommand
    .hint = type `war { $command } { $option } …`
no-such-help = there is no help on `{ $word }`
    .hint = `war --help` lists the subcommands; the topics are rules, scenarios, journals and environment
no-such-help-near = there is no help on `{ $word }`
    .hint = did you mean `{ $near }`?
pages-written = { $pages ->
    [one] { $pages } manual page
   *[other] { $pages } manual pages
} written to `{ $directory }`
unknown-language = unknown language `{ $lang }`
    .hint = available languages: { $known }
bad-seed = `{ $value }` is not a valid seed
    .hint = a seed is a whole number from 0 to 18446744073709551615
seed-drawn = the random seed is { $seed }
    .hint = add `--seed { $seed }` to play the same game again
xy-bad-seed = `{ $value }` is not a valid seed
    .hint = in this edition, a seed is a whole number from -9223372036854775808 to 9223372036854775807
bad-turn = `{ $value }` is not a valid turn
    .hint = a turn is a whole number; turn 0 is the deal
bad-range = `--from` is after `--to`
    .hint = give the earlier turn with `--from`
bad-digest = `{ $value }` is not a valid digest
    .hint = a digest is 32 hexadecimal digits, as printed when the game was recorded
bad-commitment = `{ $value }` is not a valid commitment
    .hint = a commitment is 64 hexadecimal digits, as the table shows them when a game starts
bad-game-number = `{ $value }` is not a valid number of a game
    .hint = it is a whole number, which the table shows when a game starts
bad-player-seed = `{ $value }` is not a valid seat with a seed
    .hint = give the seat, 1 or 2, a colon, and the 64 hexadecimal digits of the seed
journal-of-several = `--journal` records a single game, but there may be several scenario files
    .hint = use `--journal-dir DIR` to record them all, or `--scenario NAME --journal FILE` to record one
result-of-several = `--result` is for a single game, but there may be several scenario files
    .hint = use `--scenario NAME` to play one
journal-dir-of-one = `--journal-dir` names journals after scenario files, but there are none
    .hint = use `--journal FILE` to record a dealt game
durable-without-journal = `--durable` needs a journal
    .hint = add `--journal FILE`
option-without-journal = `{ $option }` needs a journal
    .hint = add `--journal FILE`
option-of-version-two = `{ $option }` needs version 2 of the journal's format
    .hint = add `--journal-version 2`
bad-meta = `{ $value }` is not a valid note
    .hint = use `--meta KEY=VALUE`, such as `--meta table=7`
refused-meta = invalid `--meta`: { $reason }
    .hint = a journal can hold up to 64 notes, 8192 bytes of JSON in all, each with a key of its own
duels-unknown-strategy = unknown strategy `{ $strategy }`: using default
    .hint = available strategies: default, shuffle and random

## Configuration and log.

config-unreadable = can't read the configuration file `{ $file }`: { $reason }
    .hint = correct the path, or leave out `--config` and `WAR_CONFIG` to play without a configuration
config-bad = { $file }:{ $line }:{ $column }: { $reason }
config-syntax = invalid TOML: { $reason }
    .hint = a section looks like `[log]` and a setting like `level = "info"`; each may occur only once
config-name = unknown setting or section `{ $name }`
    .hint = available settings: { $known }
config-value = { $reason }
    .hint = allowed values of `{ $key }`: { $known }
config-no-home = the log directory `{ $directory }` is in your home directory, but `HOME` is not set
    .hint = set `HOME`, or use an absolute path
allowed-whole = a whole number from { $least } to { $most }
allowed-directory = a path, which may begin with `~` or `$XDG_STATE_HOME`
allowed-address = a name or an IP address with a port, such as "localhost:8080"
allowed-address-or-off = a name or an IP address with a port, such as "localhost:9080", or "off"
allowed-text = text in quotes, such as "sqlite:table.db"
allowed-file = the path of a file, such as "table.key"; a file called `-` is "./-"
allowed-texts = a list of texts, such as ["https://war.example"]
config-section = { $reason }
    .hint = available settings: { $known }
log-failed = can't write the audit log in `{ $directory }`: { $reason }
    .hint = the game continues without it; you can set another directory in war.toml
followed-shorter = `{ $file }` became shorter while it was followed
    .hint = a journal only grows while it is recorded; replay the file as it is now
followed-replaced = `{ $file }` was removed or replaced while it was followed
    .hint = replay the file that has this name now
follow-interrupted = interrupted: the verdict is about what was read so far

## What the operating system says.

io-refused = connection refused
io-not-found = no such file or directory
io-permission = permission denied
io-exists = already exists
io-directory = is a directory
io-not-directory = part of the path is not a directory
io-full = no space left on the device
io-too-large = the file would exceed the size limit
io-not-text = not UTF-8 text
io-address-in-use = the address is already in use
io-closed = the reader has closed the pipe
io-read-only = the file system is read-only
io-no-locks = the file system no longer locks files: { $reason }
io-store-files = its file, or one that belongs to it (`-wal`, `-shm`), can't be opened: { $reason }
io-other = { $reason }
output-failed = can't write to standard output: { $reason }
    .hint = free some space, or redirect the output elsewhere
unreadable = can't read `{ $file }`: { $reason }
    .hint = check that it exists and is readable

## Text that is not UTF-8.

not-utf8 = { $file }:{ $line }:{ $column }: { $reason }
text-utf16 = the text is UTF-16, not UTF-8
    .hint = save it as UTF-8; Windows PowerShell's `>` writes UTF-16, but `… | Out-File -Encoding utf8 FILE` doesn't
text-not-utf8 = the text is not UTF-8
    .hint = save it as UTF-8; in PowerShell: `… | Out-File -Encoding utf8 FILE`
json-utf16 = the text is UTF-16, not UTF-8
    .hint = save it as UTF-8 without a byte-order mark; in PowerShell: `Get-Content FILE | Set-Content -Encoding ascii NEW`
json-not-utf8 = the text is not UTF-8
    .hint = save it as UTF-8 without a byte-order mark

## Scenarios.

scenarios-replace = { $files ->
    [one] playing a scenario file instead of dealing cards
   *[other] playing { $files } scenario files instead of dealing cards
}
    .hint = to deal cards, move the ssc_*.json files away or choose another directory with `--scenarios`
embedded-replace = { $files ->
    [one] playing a scenario that is built into the program instead of dealing cards
   *[other] playing { $files } scenarios that are built into the program instead of dealing cards
}
    .hint = to deal cards, choose a directory without scenarios with `--scenarios`
seed-without-effect = `--seed` has no effect: the scenario already sets the cards
no-scenarios-directory = can't find the scenarios directory `{ $directory }`
    .hint = use an existing directory, or leave out `--scenarios`
no-scenarios-variable = `WAR_SCENARIOS` is set to `{ $directory }`, which is not a directory
    .hint = using the built-in scenarios instead
no-such-scenario = unknown scenario `{ $name }`
    .hint = available: { $known }; a path contains a slash or ends in `.json`
scenario-unreadable = can't be read: { $reason }
    .hint = check that it is a file and is readable
scenario-bad-json = { $file }: invalid JSON: { $reason }
scenario-mangled = SpecialCodeFileMangledException: { $file }: { $reason }
scenario-syntax = line { $line }, column { $column }: { $reason }
    .hint = write one row of numbers per player, like [[9,10,11],[12,13,14]]; look for a missing comma or bracket
syntax-ends = unexpected end of file
syntax-unexpected = unexpected `{ $found }`
scenario-encoding = line { $line }, column { $column }: { $reason }
scenario-empty = line 1, column 1: the file is empty
    .hint = write one row of numbers per player, like [[9,10,11],[12,13,14]]
scenario-bom = line 1, column 1: the file starts with a byte-order mark
    .hint = save it as UTF-8 without a byte-order mark
scenario-too-large = the file is larger than { $bytes } bytes
    .hint = a scenario has 24 or 52 cards; check that this is the right file
scenario-no-rows = expected a list of rows, found { $found }
    .hint = write one row of numbers per player, like [[9,10,11],[12,13,14]]
scenario-no-row = row { $row }: expected a list of whole numbers, found { $found }
    .hint = write each player's cards in brackets, like [9,10,11]
scenario-no-number = row { $row }: expected a whole number, found { $found }
    .hint = write each card as a number from 2 to 14
scenario-value = row { $row }: expected a card from 2 to 14, found { $found }
    .hint = 11 is a jack, 12 a queen, 13 a king, 14 an ace
scenario-no-player = expected 1 to 5 players, found none
    .hint = write one row of cards per player
scenario-players = expected 1 to 5 players, found { $found }
    .hint = remove rows until 5 are left
scenario-bad = { $file }: { $reason }
scenario-players-few = expected 2 to 5 players, found { $found }
    .hint = write one row of cards per player
scenario-players-many = expected 2 to 5 players, found { $found }
    .hint = remove rows until 5 are left
scenario-no-card = there are no cards
    .hint = write each player's cards in brackets, like [[9,10,11],[12,13,14]]
scenario-too-many-any = expected at most 10,000 cards, found { $found }
    .hint = remove some cards
scenario-value-any = row { $row }: expected a card from 1 to 14, found { $found }
    .hint = 11 is a jack, 12 a queen, 13 a king, 14 an ace
scenario-cards-any-rank = expected 2 to 255 cards, found { $found }
    .hint = add or remove cards
scenario-players-two = expected 2 players, found { $found }
    .hint = write two rows of cards, or use `--out-of-cards eoc` for more players
scenario-values-many = expected at most 64 different values, found { $found }
    .hint = only the order of the values matters: give some neighboring values the same number
scenario-too-few = expected 24 or 52 cards, found { $found }: not enough cards for a deck
    .hint = add cards until there are 24
scenario-between = expected 24 or 52 cards, found { $found }: too many for a small deck, not enough for a large one
    .hint = remove cards until there are 24, or add cards until there are 52
scenario-too-many = expected 24 or 52 cards, found { $found }: too many cards for a deck
    .hint = remove cards until there are 52

## Recording.

recorded = { $file }: { $events ->
    [one] { $events } event
   *[other] { $events } events
} recorded, final digest { $digest }
recorded-hint = `{ $command }` checks that it is this game
game-interrupted = { $file }: interrupted in turn { $turn }; { $events ->
    [one] { $events } event
   *[other] { $events } events
} recorded, final digest { $digest }
    .hint = the journal is complete up to this turn and ends with `cut_off`
games-not-begun = interrupted: { $games ->
    [one] { $games } scenario was not played
   *[other] { $games } scenarios were not played
}
journal-not-ended = { $file }: interrupted in turn { $turn }, but nobody read the journal, so its end is missing
    .hint = save what was read to a file, and use `war journal repair` to end it
journal-stream-failed = { $code } can't write the journal to standard output in turn { $turn }: { $reason }
    .hint = the game was stopped; if what was written before is in a file, `war journal repair` ends it
journal-and-result = `--journal -` and `--result` both need standard output
    .hint = record the game in a file
durable-stream = `--durable` needs a file, and standard output is not one
    .hint = redirect standard output to a file, or leave out `--durable`
journal-exists = { $code } the journal `{ $file }` already exists, and journals are never overwritten
    .hint = choose a new file name
journal-exists-in-directory = { $code } the journal `{ $file }` already exists, and journals are never overwritten
    .hint = choose another directory with `--journal-dir`, or move this file away
journal-not-created = { $code } can't create the journal `{ $file }`: { $reason }
    .hint = check that its directory exists and is writable
journal-new-not-written = { $code } can't write the new journal `{ $file }`: { $reason }
    .hint = free some space, or choose a file elsewhere; the old journal is unchanged
import-not-written = { $code } can't write the journal `{ $file }`: { $reason }
    .hint = free some space, or choose another directory with `--journal-dir`; the incomplete journal was removed
journal-not-written = { $code } can't write the journal `{ $file }` in turn { $turn }: { $reason }
    .hint = the game was stopped; use `war journal repair` to keep what was recorded
journal-not-begun = { $code } can't write the journal `{ $file }` in turn { $turn }: { $reason }
    .hint = the game was stopped and nothing was recorded; free some space, remove this file, and play again

## Importing tables.

import-refused = { $file }:{ $line }: { $reason }
    .hint = no game can be played this way; compare the line with the original table
import-too-long = { $file } is larger than 64 MiB
    .hint = tables are never that long; check that this is the right file
import-no-header = expected the header of a table, found { $found }
import-empty = no table found
import-no-row = expected a row of the table, found { $found }
import-no-round = expected another round because the game is not over, found { $found }
import-no-pair = incomplete pair of cards in { $found }
import-no-rank = expected a card from 01 to 13, found { $found }
import-after-end = unexpected row after the end of the game: { $found }
import-no-end = the table ends before the game is over
import-ends-early = the war in this row continues, but its cards are missing: { $found }
import-impossible-card = { $player } can't have { $card } here
import-other-row = expected `{ $expected }`, found `{ $found }`

## Verdicts.

verdict = { $verdict } { $file }: { $events ->
    [one] { $events } event
   *[other] { $events } events
}, { $turns ->
    [one] { $turns } turn
   *[other] { $turns } turns
}, { $outcome }, { $proof }, final digest { $digest }
proof-seed = cards from seed { $seed }
proof-fixed = cards from seed { $seed }, one hand chosen
proof-commitment = dealt as committed
proof-undealt = no cards dealt
proof-scenario = cards taken from the journal (scenario)
proof-import = cards taken from the journal (import)
verdict-fault = { $verdict } { $file }: { $events ->
    [one] { $events } event before this point is intact
   *[other] { $events } events before this point are intact
}
verdict-unreadable = UNREADABLE { $file }
outcome-won = player{ $winner } won
outcome-drawn = drawn
outcome-endless = endless
outcome-folded = both players folded
outcome-stopped = stopped
outcome-cut-off = cut off
rendered-anew = recorded in another language or without screens: the console digest was not compared
no-such-turn = there is no turn { $turn }: the last turn is { $last }
divergence =
    event { $seq }, line { $line }, turn { $turn }
    recorded event: { $journal }
    expected event: { $rules }
    recorded hands: { $journal_hands }
    expected hands: { $rules_hands }
rules-allow-none = none, as the game is over or waits for something else
impossible-event = (this event can't happen here)

## Journals.

journal-empty = the file is empty
    .hint = nothing was recorded; check that this is the right file, and that the disk isn't full
journal-bom = the file starts with a byte-order mark
    .hint = save it as UTF-8 without a byte-order mark
journal-not-json = the file is not JSON
    .hint = check that this is the right file
journal-other-json = the file is JSON, but not a journal
    .hint = record a journal with `war 4 small --journal FILE`; play a scenario with `war --scenario FILE`
journal-no-beginning = the beginning of the journal is missing
    .hint = use the whole file; to follow one that grows: `tail -n +1 -f FILE | war replay -`
journal-version = this journal has version { $version }, but this program supports versions up to { $known }
    .hint = use the version of the program that recorded it
journal-unknown-rules = the rules `{ $rules }` with these parameters are not supported
    .hint = use the version of the program that recorded it
journal-own-rules = the rules `{ $rules }` belong to another program
    .hint = use the program that recorded it
journal-unknown-generator = unknown generator `{ $generator }`
    .hint = use the version of the program that recorded it
journal-header-cut = the file ends inside the header
    .hint = nothing of the game can be recovered
journal-cut-off = the file ends inside event { $events }
    .hint = use `war journal repair` to recover the game up to this point
journal-no-end = the file ends after { $events ->
    [one] { $events } event
   *[other] { $events } events
}, without an end record
    .hint = use `war journal repair` to recover the game up to this point
journal-syntax = invalid JSON
    .hint = the file was changed after it was recorded; use an unmodified copy
journal-salvage = `war journal repair --salvage` keeps the events before it
journal-meta = invalid `meta`: { $reason }
    .hint = the file was changed after it was recorded; use an unmodified copy
meta-empty-key = a key is empty
meta-duplicate = duplicate key `{ $key }`
meta-unordered = the key `{ $key }` is out of order; keys are sorted by their bytes
meta-too-many = more than { $most } entries
meta-too-long = more than { $longest } bytes of JSON
journal-field = { $reason }
    .hint = the file was changed after it was recorded; use an unmodified copy
field-missing = missing field `{ $name }`
field-unknown = unknown field `{ $name }`
field-duplicate = duplicate field `{ $name }`
field-unknown-value = unknown value `{ $name }`
field-bad-value = { $name } is not a valid value for this field
field-shape = expected an object but found a list, or the other way round
field-unfit = this value doesn't fit the field
field-form = the event is written in another form than the first one, full or compact
field-line = each line must hold exactly one whole record
field-no-name = invalid name: it must have 1 to 32 visible characters and no spaces at either end
field-no-client-seed = invalid seed of a player: it can have up to 64 bytes of visible text
field-no-numbers = invalid players: they must be two different whole numbers from 1 to { $highest }
field-other = { $reason }
journal-too-long = a record is longer than 1 MB
    .hint = no event is that long; the file was changed after it was recorded
journal-header-too-long = the header is longer than 2 MB
    .hint = no header is that long; the file was changed after it was recorded
journal-too-deep = a record is nested deeper than 64 levels
    .hint = no event is nested that deep; the file was changed after it was recorded
journal-bad-seed = `{ $seed }` is not a valid seed for the generator `{ $generator }`
    .hint = the file was changed after it was recorded; use an unmodified copy
journal-bad-name = a scenario file can't be named `{ $name }`
    .hint = the file was changed after it was recorded; use an unmodified copy
journal-unknown-language = unknown language `{ $lang }`
    .hint = use the version of the program that recorded it
journal-unknown-renderer = unknown renderer { $renderer }
    .hint = use the version of the program that recorded it
journal-newer = { $reason }, written by a newer version of the program
    .hint = use the version of the program that recorded it
journal-not-canonical = the file is not canonical: its fields were sorted
    .hint = a tool such as `jq -S` did this; use the original, or a copy made with `jq .`
journal-bad-correction = the corrections in the header were not needed or lead to a different game
    .hint = the file was changed after it was recorded; use an unmodified copy
journal-sequence = expected event { $expected }, found event { $found }
    .hint = an event was removed, duplicated or moved; use an unmodified copy
journal-chain = the hash chain doesn't match at event { $seq }
    .hint = this event, or the chain before it, was changed after it was recorded
journal-header-chain = the hash chain doesn't match the header
    .hint = the header was changed after it was recorded
journal-end-chain = the hash chain doesn't match the end record
    .hint = the end record was changed after it was recorded
journal-compact-chain = the hash chain doesn't match the end record
    .hint = the end record, or any line before it, was changed after it was recorded; use an unmodified copy
journal-digest = the final digest is { $found }, expected { $expected }
    .hint = the journal is intact, but it is not the one with that digest
journal-no-tokens = this is not a token game
    .hint = only token games have a commitment, a number and seeds of players
journal-other-commitment = the commitment of the table is { $found }, expected { $expected }
    .hint = the journal is intact, but it is not that of the game you expected
journal-other-game = this is game { $found }, expected game { $expected }
    .hint = the journal is intact, but it is not that of the game you expected
journal-other-seed = the seed opened at seat { $seat } is { $found }, expected { $expected }
    .hint = the journal is intact, but it is not that of the game you expected
journal-no-seed = no seed was opened at seat { $seat }, expected { $expected }
    .hint = the journal is intact, but it is not that of the game you expected
journal-text-seeds = the players gave texts as seeds, expected 64 hexadecimal digits
    .hint = this game has version 1 of its rules: compare the texts with what the replay prints
journal-end = the end record has `{ $field }` { $found }, but the events give { $expected }
    .hint = the end record was changed after it was recorded
journal-end-winner = the reason and the winner in the end record contradict each other
    .hint = only a game that was won has a winner
journal-upgraded-from = the journal says it was upgraded from { $found }, but the events give { $expected }
    .hint = use `war journal upgrade` on the original journal again
journal-data-after-end = unexpected data after the end of the journal
    .hint = remove everything after the end record
journal-diverges = event { $seq } in turn { $turn } doesn't follow the rules
    .hint = from here on, the game was not played by the rules
journal-turn = event { $seq } has turn { $found }, but the events give { $expected }
    .hint = the turn was changed after it was recorded
journal-state = the state after event { $seq } in turn { $turn } is { $found }, but the events give { $expected }
    .hint = the state was changed after it was recorded
journal-console = the console digest is { $found } ({ $found_bytes } bytes), but the events print { $expected } ({ $expected_bytes } bytes)
    .hint = the end record was changed, or another program printed the game
journal-not-dealt = the first event doesn't deal cards
    .hint = a game starts with `dealt`
journal-deal-players = cards are dealt to { $found ->
    [one] { $found } player
   *[other] { $found } players
}, but the header has { $expected }
    .hint = the header or the deal was changed after it was recorded
journal-rules-players = cards are dealt to { $found ->
    [one] { $found } player
   *[other] { $found } players
}, but these rules are for { $players }
    .hint = the header or the deal was changed after it was recorded
journal-generator = the generator doesn't deal these cards from this seed
    .hint = the seed or the deal was changed after it was recorded
journal-chance = the generator doesn't produce this order of cards
    .hint = the seed or the order was changed after it was recorded
journal-impossible = event { $seq } in turn { $turn } records a draw that can't happen
    .hint = the player doesn't hold this card at this place, or other cards were put in order
journal-deal-kind = these rules don't allow this deal
    .hint = the rules, the deal or its generator was changed after it was recorded
journal-commitment = the revealed seed doesn't match the commitment
    .hint = the seed was chosen or changed after the commitment, so the dealer could have picked the cards
journal-opened-seed = the seed opened at seat { $seat } doesn't match the seed hash given before
    .hint = the seed was exchanged after both players were committed to theirs, so somebody could have picked the cards
journal-not-started = the first event doesn't start a game
    .hint = a token game starts with `started`, or with `committed` from version 2 of its rules on
journal-no-deck = the cards dealt are not a deck for this game
    .hint = the header or the deal was changed after it was recorded

## The commands on journals.

interrupted = interrupted
not-made = interrupted: `{ $file }` was not made
    .hint = run the command again to make it
replay-interrupted = interrupted: { $events ->
    [0] nothing of { $file } was verified
    [one] only the first event of { $file } was verified
   *[other] only the first { $events } events of { $file } were verified
}
show-header =
    journal:  { $file }
    engine:   { $engine }
    rules:    { $rules }
    players:  { $players }
    deck:     { $deck }
    cards:    { $deal }
    language: { $lang }
show-seed = shuffled with seed { $seed }
show-fixed = shuffled with seed { $seed }, { $cards ->
    [one] { $cards } card
   *[other] { $cards } cards
} fixed for player{ $player }
show-committed = dealt from a committed seed
show-scenario = scenario `{ $name }`
show-imported = imported from a printed table
show-full = format:   version 2
show-compact = format:   version 2, compact
show-upgraded = upgraded: from { $digest }
show-note = note:     { $key } = { $value }
show-summary =
    events:   { $events }
    turns:    { $turns }
    wars:     { $wars }
    printed:  { $bytes } bytes
show-tokens-summary =
    events:   { $events }
    deals:    { $turns }
    printed:  { $bytes } bytes
diff-none = no differences
diff-header = the headers differ
diff-event = event { $seq } in turn { $turn } differs
diff-end = the end records differ
diff-side = { $file }: { $says }
diff-same-game = the games are the same, event by event
diff-screen =
    { "" }
    { $file }, turn { $turn }:
diff-no-screen = (no screen: the game was over by then)
diff-not-by-rules = (what follows is not by the rules: `war replay` says more)
stats-war =
    rules:         { $rules }
    turns:         { $turns }
    wars:          { $wars }
    longest war:   { $longest }
    largest pile:  { $largest }
    lead changes:  { $changes }
stats-none = none
stats-longest = { $cards ->
    [one] { $cards } face-up card each
   *[other] { $cards } face-up cards each
}, in turn { $turn }
stats-largest = { $cards ->
    [one] { $cards } card
   *[other] { $cards } cards
}, taken by player{ $player } in turn { $turn }
stats-tokens =
    rules:  { $rules }
    deals:  { $deals }
    ties:   { $ties }
stats-player = player
stats-dealt = dealt
stats-most = most cards
stats-most-in = in turn
stats-held = at the end
stats-turns-won = turns won
stats-wars-won = wars won
stats-out-in = out in turn
stats-played = played
stats-folded = folded
stats-timed-out = out of time
stats-won-tokens = tokens
stats-chart = Cards of each player over the turns (* stands for several players):
stats-no-chart = a chart shows cards over turns, but a token game has none to draw
    .hint = leave out `--plot`, or write the figures to a file that is not an SVG
stats-plot-title = War: the cards of { $players ->
    [one] { $players } player
   *[other] { $players } players
}, { $rules }
stats-plot-figures = turns: { $turns }, wars: { $wars }, lead changes: { $changes }
stats-plot-player = player{ $player }
stats-plot-turns = turn
stats-plot-cards = cards in hand
repaired = { $file }: { $events ->
    [one] { $events } event up to turn { $turns }
   *[other] { $events } events up to turn { $turns }
} saved to { $new }, which ends with `cut_off`
repaired-whole = { $file }: { $events ->
    [one] { $events } event up to turn { $turns }
   *[other] { $events } events up to turn { $turns }
} saved to { $new }, with the end record of the whole game
repair-dropped = dropped: { $bytes ->
    [one] { $bytes } byte
   *[other] { $bytes } bytes
} from line { $line }, column { $column }
upgraded = { $file }: { $events ->
    [one] { $events } event
   *[other] { $events } events
} saved to { $new } in version 2, final digest { $digest }
    .hint = keep the old journal if it was signed or its digest was published
upgrade-no-file = { $file } can't be upgraded: it has to be read twice
    .hint = save it to a file first
upgrade-nothing = { $file } has version 2 already
    .hint = only a journal of version 1 can be upgraded
upgrade-changed = { $file } changed while it was read
    .hint = try again when nothing writes to it
not-upgraded = { $file } was not upgraded: only a journal that ends and verifies can be
    .hint = `war journal repair` completes a recording that was cut off
repair-nothing = { $file } can't be repaired: the recording was cut off before the first event
    .hint = nothing of the game can be recovered
repair-no-file = { $file } can't be repaired: it has to be read twice
    .hint = save it to a file first
standard-input-twice = standard input (`-`) can be read only once
    .hint = save one of the inputs to a file
not-standard-file = `{ $option }` needs a file and can't be `-` (standard input or output)
    .hint = choose a file name; a file called `-` is `./-`
not-standard-directory = `{ $option }` needs a directory and can't be `-` (standard input or output)
    .hint = choose a directory; a directory called `-` is `./-`
not-repaired = { $file } was not repaired: only a journal that was cut off can be
    .hint = a complete journal needs no repair; `--salvage` keeps the events before any damage

## Signatures and keys.

verdict-signed = { $line }, signed with key { $key }
signed = { $file }: signed with key { $key }
not-signed = { $file } was not signed: only a journal that is VERIFIED is
    .hint = record the game again, or see `war journal check` for what is wrong
sign-changing = `{ $file }` changed while it was read
    .hint = wait until nothing writes to it, and try again
signature-exists = the signature `{ $file }` already exists, and signatures are never overwritten
    .hint = move it away to sign the journal again
signature-beside = `{ $file }` says that it is a signature with key { $key }, which was not checked: `--public-key FILE` checks it with the signer's public key
not-signature = `{ $file }` is not a signature in minisign's format
    .hint = use the file that `war journal sign` or `minisign -S` wrote
signature-legacy = `{ $file }` is a signature of minisign's legacy kind, which is not supported
    .hint = sign the journal again with a current minisign, without `-l`
signature-other-key = the detached signature was made with another key, { $found }
    .hint = the journal is intact, but somebody else signed it; use the public key that belongs to the signature if you trust it
signature-wrong = the detached signature doesn't match the file
    .hint = the journal is intact, but it is not the one that was signed, or the signature was changed
key-password = Password of the key:{" "}
key-no-password = the key `{ $file }` is protected by a password, but the terminal can't ask for it: { $reason }
    .hint = run this command in a terminal, or use a key without a password (`minisign -G -W`)
key-wrong-password = this is not the password of the key `{ $file }`
    .hint = try again
key-not-secret = `{ $file }` is not a secret key in minisign's format
    .hint = `minisign -G` makes a pair of keys; the secret key is the file whose name ends in `.key`
key-not-of-table = the table's key `{ $file }` is not a secret key in minisign's format
    .hint = put the key back from your copy, or name its file with `--key`; `war serve` makes a new key where there is no file
table-key-empty = the file of the table's key, `{ $file }`, is empty
    .hint = put the key back from your copy; or remove the file, and `war serve` makes a new key there
table-key-unreadable = the table's key `{ $file }` can't be read: { $reason }
    .hint = name the file of the key with `--key`; `war serve` makes a new key where there is no file
key-not-made = the table's key `{ $file }` can't be created: { $reason }
    .hint = create its directory, or choose another file with `--key`
key-shared = other users can read the table's key `{ $file }` (mode { $mode })
    .hint = anyone with the key can sign as the table: make a new one if someone may have copied it, otherwise `chmod 600` this file
key-protected = the table's key `{ $file }` is protected by a password, and nobody is there to type it when the table starts
    .hint = use a key without a password, which `minisign -G -W` makes
key-not-public = `{ $file }` is not a public key in minisign's format
    .hint = use the file whose name ends in `.pub`, or the key itself, 56 characters that begin with `RW`

## Exports.

export-no-parquet = this program was built without Parquet
    .hint = use `--format csv` or `ndjson`, or build it with `cargo install --path crates/cli --features parquet`
export-refused = `{ $file }` was not written: every journal must be VERIFIED or INCOMPLETE
    .hint = leave out the journals with other verdicts; `--output -` prints the events before a fault

## Pages that show a game.

view-refused = no page of `{ $file }` was made: the journal must be VERIFIED or INCOMPLETE
    .hint = `war journal repair --salvage` keeps what is intact of a damaged journal
view-opening = opening the page in the browser: { $address }
view-not-served = can't serve the page on 127.0.0.1: { $reason }
    .hint = `war view --output FILE` writes the page to a file
view-no-browser = no browser could be opened
    .hint = name one in the variable BROWSER, or write the page to a file with `war view --output FILE`
view-not-fetched = no browser asked for the page within { $seconds } seconds
    .hint = `war view --output FILE` writes the page to a file
browser-quotes = the browser `{ $command }` was not started: its quotes don't match
browser-not-started = can't start the browser `{ $command }`: { $reason }
browser-failed = the browser `{ $command }` ended with exit code { $code }
output-is-journal = `{ $file }` is a journal to read and would be overwritten
    .hint = choose another file
view-over-journal = the page would be written over the journal `{ $file }`

## Games in the terminal.

no-watch = this program was built without `war watch`
    .hint = to build it with it: `cargo run --release --features watch -- watch`
watch-what = `war watch` needs a journal, or PLAYERS and DECK, or `--scenario`
    .hint = `war watch game.json`, `war watch 4 small`, or `war watch --scenario example`
watch-follows-file = `--follow` needs the journal of a game that is being recorded
    .hint = name its file, such as `war watch --follow game.json`
watch-seed-of-file = `--seed` needs PLAYERS and DECK: a journal already has its cards
    .hint = leave out `--seed`
watch-no-terminal = `war watch` needs a terminal to draw on and to read keys from
    .hint = `war replay FILE` prints a recorded game anywhere, and `war watch --plain` prints any game turn by turn
watch-failed = the terminal can't be used: { $reason }
    .hint = `war watch --plain` prints the game instead of drawing it
watch-refused = `{ $file }` can't be watched: the journal must be VERIFIED or INCOMPLETE
    .hint = `war journal repair --salvage` keeps what is intact of a damaged journal
watch-too-small = This terminal has { $size } characters, and `war watch` needs { $least }. Make the window larger, or press q and use `--plain`.
watch-player = player{ $number }
watch-title = { $rules }, { $players ->
    [one] { $players } player
   *[other] { $players } players
}, { $cards ->
    [one] { $cards } card
   *[other] { $cards } cards
}
watch-seed = seed { $seed }
watch-at-turn = turn { $turn } of { $last }
watch-at-deal = deal { $deal } of { $last }
watch-playing = playing, { $speed }/s
watch-paused = paused, { $speed }/s
watch-live = live
watch-dealt = The deal.
watch-turn = Turn { $turn }.
watch-war = Turn { $turn }: war!
watch-before-deal = Before the deal.
watch-deal = Deal { $deal }.
watch-deal-tied = Deal { $deal }: a tie.
watch-dealt-cards = { $cards ->
    [one] { $cards } card is dealt.
   *[other] { $cards } cards are dealt.
}
watch-takes = { $cards ->
    [one] { $player } takes { $cards } card.
   *[other] { $player } takes { $cards } cards.
}
watch-nobody-takes = Nobody wins the turn, and everybody takes cards.
watch-out = { $player } is out of cards.
watch-leads = { $player } takes the lead.
watch-shuffled = All hands are shuffled.
watch-cut-off = The recording ends here.
watch-waits = Waiting for more.
watch-won = { $player } wins the game.
watch-endless = The hands are as they were in turn { $turn }: the game would never end.
watch-drawn = The game is drawn.
watch-stopped = The game is stopped, and nobody wins.
watch-stopped-won = The game is stopped, and { $player } wins.
watch-committed = Both players are committed to a seed, and so is the table.
watch-table-committed = The table is committed to its seed.
watch-again = The hands are equal: new cards are dealt.
watch-plays = { $player } plays.
watch-folds = { $player } folds.
watch-late = { $player } runs out of time and folds.
watch-forfeits = { $player } does not open their seed in time and forfeits the game.
watch-did-win = wins the game
watch-did-run-out = out of cards
watch-did-take = { $cards ->
    [one] takes { $cards } card
   *[other] takes { $cards } cards
}
watch-did-play = plays
watch-did-fold = folds
watch-did-late = folds, out of time
watch-did-forfeit = forfeits
watch-more-players = { $players ->
    [one] and { $players } more player
   *[other] and { $players } more players
}
watch-question = Go to turn: { $typed }
watch-keys = space play  ← → step  + - speed  n next war  / turn  ? all keys  q quit
watch-keys-playing = space pause  ← → step  + - speed  n next war  / turn  ? all keys  q quit
watch-help = Keys
watch-key-space = space
watch-help-play = play or pause
watch-help-step = one turn back or forward
watch-help-page = ten turns back or forward
watch-help-ends = the deal, the last turn
watch-help-war = the next war or tie
watch-help-speed = faster, slower
watch-help-turn = type a turn, then Enter
watch-help-help = these keys; any key closes them
watch-help-quit = quit
watch-help-wars = a war
watch-help-leads = another player takes the lead
watch-help-outs = a player runs out of cards
watch-help-here = the turn that you see
watch-help-court = J, Q, K and A are 11 to 14 on the screens of the game.

## The card table.

bad-setting = `{ $name }` is { $value }, but it must be from { $least } to { $most }
    .hint = correct the section `[table]` of the configuration
bad-origin = `{ $origin }` is not a valid origin
    .hint = write it as browsers do, such as https://war.example
bad-host = `{ $host }` is not a valid host name
    .hint = use the name in the address of the page, without a port, such as war.example
bad-header = `{ $header }` is not a valid name of a header
    .hint = use the header in which your proxy says who connects, such as X-Forwarded-For
fewer-connections = only { $possible } connections are possible, not { $asked }: this process can't open more files
    .hint = raise the limit (`ulimit -n`), or use fewer with `--connections`
no-table = this program was built without the card table
    .hint = to build and open it: `cargo run --release --features table -- serve`
table-open = the table is open: { $address }
table-store = everything is stored in { $store }, { $bots ->
    [0] no house players
    [one] { $bots } house player
   *[other] { $bots } house players
}, press Ctrl-C to close the table
table-admin = health and metrics: { $address }
table-no-admin = health and metrics are off
table-key = the table's key: `{ $file }`
table-key-made = made a key for the table: `{ $file }`; keep a copy of it
node-open = this node is at { $address }, and serves the table together with all others
node-ends = closing this node: the others continue its games
table-drains = closing the table: no new games start, and games in progress end by their deadline
    .hint = press Ctrl-C again to stop at once; nothing is lost, and games in progress continue after the next start
table-closed = the table is closed
table-stopped = stopped; games in progress continue after the next start
store-unknown = the store is neither `sqlite:FILE` nor the address of a database; it isn't shown, as it may contain a password
    .hint = use `sqlite:FILE` to keep everything in a file, or `postgres://USER@HOST/DATABASE` for several nodes
store-password-visible = other users of this machine can see the password of the database in the list of processes
    .hint = put the store in `WAR_TABLE_STORE`, and leave it out of the command
store-unusable = can't use the store `{ $store }`: { $reason }
    .hint = check that the path is correct and writable
store-in-use = the store `{ $store }` is already used by a server, by another `war table`, or by another program
    .hint = end that one first, which means all nodes of a database; or choose another store
store-no-locks = can't use the store `{ $store }`: its file system can't lock files, or can't share memory between programs: { $reason }
    .hint = put the store on a local disk; many network drives and shared folders can't hold one
store-foreign = `{ $store }` is not the store of a card table
    .hint = it belongs to another program and was left unchanged; choose another file with `--store`
store-missing = there is no card table in `{ $store }`: the file is empty
    .hint = check the path, or put a backup there
store-unsound = what is stored in `{ $store }` can't be used: { $reason }
    .hint = restore a backup, and run `war table restored`; nothing was changed
store-in-the-way = `{ $file }` is in the way: a new store has this name until all is in it
    .hint = move it away, or choose another place for the store; nothing was changed
store-newer = `{ $store }` was created by a newer version of the program
    .hint = use that version, or choose another file with `--store`; this file was left unchanged
store-no-file = no name of a file follows `sqlite:` in the store; it isn't shown, as it may contain a password
    .hint = use `sqlite:FILE`; for a file of this name, `sqlite:./NAME`
store-was-open = other users could read the store `{ $store }`, which holds the seeds of running games; now only you can
store-gone = the store `{ $store }` was deleted, moved or replaced while the table was open
    .hint = nothing was confirmed since; put the file back, or restore a backup, and start the table again
player-listed = { $player } { $name }: { $sign }{ $tokens ->
    [one] { $tokens } token
   *[other] { $tokens } tokens
}, { $state }
player-free = free
player-waiting = waiting for { $game }
player-playing = playing game { $game }
player-of-the-house = of the house
player-banned = banned
player-banned-playing = banned, their game { $game } ends without them
player-forgotten = forgotten
player-adjusted = player { $player } ({ $name }) now has { $sign }{ $tokens ->
    [one] { $tokens } token
   *[other] { $tokens } tokens
}
player-renamed = player { $player } is now called { $name }, and can't change it
player-now-banned = player { $player } ({ $name }) is banned
player-readmitted = player { $player } ({ $name }) may come again
player-now-forgotten = player { $player } is forgotten: name, token and messages are gone
order-unknown-player = there is no player { $player }
    .hint = `war table players` lists all players
order-of-the-house = player { $player } belongs to the house, which is the computer
order-forgotten = player { $player } was forgotten
order-banned-already = player { $player } is banned already
    .hint = `war table ban { $player } --lift` lets them come again
order-not-banned = player { $player } is not banned
order-too-many-tokens = so many tokens can't be given to player { $player } or taken from them
bad-tokens = `{ $value }` is not a number of tokens to give or take
    .hint = use a whole number up to { $most }, with `-` before it to take tokens
bad-reason = a reason must have 1 to { $longest } characters on one line
bad-name = `{ $value }` can't be the name of a player: { $reason }
operator-off = the table takes no requests from operators: its address for them is `off`
    .hint = start it with `war serve --admin ADDRESS`
operator-wrong-key = the table at `{ $address }` has another key than `{ $file }`
    .hint = check the address, or name the file of its key with `--key`, as `war serve` prints it
operator-unreachable = no table answers at `{ $address }`: { $reason }
    .hint = check that it is open, and name the address that it prints for health and metrics with `--admin`
operator-no-table = what answers at `{ $address }` is not a card table of this version
    .hint = name the address that the table prints for health and metrics with `--admin`, and use the program that serves it
operator-silent = the table at `{ $address }` can't answer now: { $reason }
    .hint = see its `/health` for the reason, and try again later
operator-not-served = no node serves that part of the table now: nothing was done
    .hint = try again in a few seconds; if that does not help, check `/health` of the nodes
operator-unavailable = the table can't answer now, but it may have done what you asked for: { $reason }
    .hint = check `/health`, and with `war table players` what was done, before you try again
table-key-missing = there is no key of a table at `{ $file }`
    .hint = run this where the table runs, or name its key with `--key`
store-fault-event = event { $number } can't be read
store-fault-ledger = the ledger has no entry for event { $number }, or a different one
store-fault-balance = the balance of player { $player } does not follow from the ledger
store-fault-messages = messages to player { $player } are missing or have the wrong number
store-fault-journal = the journal of game { $game } does not verify, or is not the one that players hold
store-fault-game = the players' record of game { $game } is missing, or differs from the game
store-fault-record = the figures of player { $player }'s games, or the balances after them, do not add up
store-fault-rating = the place of player { $player } in the ladder does not follow from the games (0 is the house)
store-fault-leaf = leaf { $number } of the log, or one soon after it, is missing or changed
store-verified = VERIFIED: { $events ->
    [one] { $events } event
   *[other] { $events } events
}, { $players ->
    [one] { $players } player
   *[other] { $players } players
}, { $games ->
    [one] { $games } journal
   *[other] { $games } journals
} and { $leaves ->
    [one] { $leaves } leaf
   *[other] { $leaves } leaves
} of the log
store-damaged = DAMAGED: { $faults ->
    [one] { $faults } fault
   *[other] { $faults } faults
} in the store
messages-removed = removed { $messages ->
    [one] { $messages } message that was
   *[other] { $messages } messages that were
} older than { $days ->
    [one] { $days } day
   *[other] { $days } days
}
bad-days = `{ $value }` is not a number of days
    .hint = use `30d` for 30 days; from `1d` to `36500d`
database-malformed = the address of the database can't be read; it isn't shown, as it may contain a password
    .hint = write `postgres://USER:PASSWORD@HOST:PORT/DATABASE`; in the user and the password, write `%` as `%25`, `/` as `%2F`, `:` as `%3A`, `?` as `%3F` and `@` as `%40`
database-without-host = the address of the database names no host
    .hint = name one, as in `postgres://localhost/war`, or the directory of a socket, as in `postgres://%2Frun%2Fpostgresql/war`
database-tls-mode = the `sslmode` in the address of the database is not one that PostgreSQL has
    .hint = use `disable`, `allow`, `prefer`, `require`, `verify-ca` or `verify-full`
database-tls-contradiction = the options for TLS in the address of the database don't go together
    .hint = `sslcert` and `sslkey` need each other, `sslrootcert=system` needs `sslmode=verify-full`, and `sslnegotiation=direct` needs at least `sslmode=require`
database-no-tls = the database `{ $store }` offers no TLS, so others on the way could read and change what is sent
    .hint = switch on `ssl` in PostgreSQL; or, if you trust everybody on the way, add `sslmode=disable` to the address
database-untrusted = can't trust the database `{ $store }`: { $reason }
    .hint = its certificate must name the host (`subjectAltName`) and come from an authority that this system trusts; for a private authority, add `sslrootcert=FILE` with the authority's certificate to the address
database-tls-file = can't use TLS with the database `{ $store }`: { $reason }
    .hint = check the files in the address (`sslrootcert`, `sslcert`, `sslkey`) and the certificates that this system trusts
database-unsafe-login = the database `{ $store }` asks for a login by `{ $method }`; the password was not sent
    .hint = use `scram-sha-256`, which never sends the password: set it in `pg_hba.conf` and in `password_encryption`, and then set the password again; or use a client certificate (`sslcert`, `sslkey`)
database-way-clear = with `sslmode={ $mode }`, others on the way to the database `{ $store }` can read and change what is sent, secret seeds included
    .hint = switch on `ssl` in PostgreSQL, and leave out `sslmode`
database-way-unverified = with `sslmode={ $mode }`, another server can pose as the database `{ $store }`, and read and change what is sent
    .hint = leave out `sslmode`; for a private authority, add `sslrootcert=FILE` with the authority's certificate to the address
database-unreachable = can't reach the database `{ $store }`: { $reason }
    .hint = check the host and the port, and that PostgreSQL is running there and takes more connections
database-refused = the database `{ $store }` refused access: { $reason }
    .hint = check the user, the password and the name of the database; its tables are in the schema `war`, which the user who makes it owns (`GRANT CREATE ON DATABASE`)
database-full = there is no space left for the database `{ $store }`: { $reason }
    .hint = free some space on its server, and try again; nothing was changed
database-setting = the database `{ $store }` has `{ $setting } = { $found }`, and a table needs `{ $needed }`
    .hint = change it on the server, for the database or for the user; if the server is a standby, use its primary
database-pooled = a connection pooler in front of the database `{ $store }` shares its connections among clients, and a table needs its own
    .hint = use the address of PostgreSQL itself, or set the pooler to session pooling (`pool_mode = session` in PgBouncer)
database-few-connections = the database `{ $store }` allows { $allowed } connections, but the table needs { $needed }: 7 for each of its nodes ({ $nodes }), and one for each of its rooms ({ $rooms }); without them, some rooms may be closed to players
    .hint = raise { $limit ->
        [server] `max_connections` of PostgreSQL
        [user] the `CONNECTION LIMIT` of the user
       *[database] the `CONNECTION LIMIT` of the database
    }
database-no-connections = the database `{ $store }` allows { $allowed } connections, but a node needs at least { $needed }
    .hint = raise { $limit ->
        [server] `max_connections` of PostgreSQL
        [user] the `CONNECTION LIMIT` of the user
       *[database] the `CONNECTION LIMIT` of the database
    }
database-needs-key = which key does the table in the database `{ $store }` sign with?
    .hint = give the file with `--key`: all nodes of a table have the same one
rooms-need-database = only a table in a database has several rooms, and `{ $store }` is a file
    .hint = leave out `--rooms`
database-other-key = `{ $file }` is not the key of the table in the database `{ $store }`
    .hint = copy the key's file from another node of the table
database-rooms = the store in the database `{ $store }` has { $found ->
    [one] { $found } room
   *[other] { $found } rooms
}, not { $asked }
    .hint = the number of rooms is chosen when a store is made, and stays
database-missing = there is no card table in the database `{ $store }`
    .hint = check the name of the database; the first `war serve` makes the table
database-older = the card table in the database `{ $store }` is one of an older version
    .hint = use that version; the first `war serve` of this version brings the table up to date
database-foreign = the schema `war` of the database `{ $store }` is not the store of a card table
    .hint = it belongs to another program and was left unchanged; choose another database with `--store`
database-newer = the store in the database `{ $store }` was created by a newer version of the program
    .hint = use that version, or choose another database with `--store`; this one was left unchanged
database-replaced = the database `{ $store }` has another table now: a backup was restored while this node was running
    .hint = start the node again
database-unusable = can't use the database `{ $store }`: { $reason }
    .hint = check PostgreSQL's log on its server
backup-made = copied the store { $store } to { $file }: { $bytes ->
    [one] { $bytes } byte
   *[other] { $bytes } bytes
}
backup-of-database = can't copy the database `{ $store }`
    .hint = back it up with the tools of PostgreSQL, such as `pg_dump`; only a store in a file is copied here
backup-exists = `{ $file }` already exists, and a backup never replaces a file
    .hint = choose another name
backup-unwritable = can't write the backup `{ $file }`: { $reason }
    .hint = check the directory and the disk; nothing was changed
store-leaving = the table in `{ $store }` is moving to `{ $to }`
    .hint = the move was interrupted at its very end: finish it with the same `war table move`
store-moved = the table in `{ $store }` was moved to `{ $to }`
    .hint = serve it there; only its former state is left here
store-unconfirmed = `{ $store }` was copied or restored, and may lack games that were played since
    .hint = to go on without them, run `{ $restored }`; if nobody played since, run `{ $confirmed }`
store-unbalanced = the table in `{ $store }` can't be moved: a balance is not what the ledger says
    .hint = restore a backup; nothing was changed
store-other-key = `{ $file }` is not the key of the table in `{ $store }`
    .hint = give the key that the table had before it was moved, with `--key`
table-moved = moved the table from { $from } to { $to }: { $players ->
    [one] { $players } player
   *[other] { $players } players
}, { $running ->
    [0] no games in progress
    [one] { $running } game in progress
   *[other] { $running } games in progress
}; serve it there, with the same key
table-moved-before = the table from { $from } had already arrived at { $to }; serve it there, with the same key
copy-confirmed = the table in { $store } goes on as it was
table-restored = the table in { $store } goes on as table { $table }, from { $former } with { $leaves ->
    [one] { $leaves } leaf
   *[other] { $leaves } leaves
}: { $players ->
    [one] { $players } player
   *[other] { $players } players
} will hear of it, { $void ->
    [0] no games
    [one] { $void } game
   *[other] { $void } games
} in progress became void
move-same-kind = a table moves from a file to a database, or from a database to a file
    .hint = copy a file with `war table backup`, and a database with the tools of PostgreSQL
move-occupied = there is already something at `{ $store }`
    .hint = choose an empty database, or a file that does not exist; nothing was changed
move-interrupted = interrupted: the table is still in `{ $store }`
    .hint = start the move again
move-differs = what arrived at `{ $store }` is not what was sent
    .hint = check the disk and the memory of both machines; the table is where it was
move-unfinished = the table has left `{ $from }`, but whether it arrived at `{ $to }` is unknown: { $reason }
    .hint = start the same move again, before you do anything else
store-failed = the store failed: { $reason }
    .hint = nothing unsaved was confirmed; check the disk and start the table again
listen-failed = can't listen on { $address }: { $reason }
    .hint = another program may be using the port; try `--listen 127.0.0.1:8081`
peer-listen-failed = can't listen on { $address } for other nodes: { $reason }
    .hint = choose another address with `--peer-listen`
peers-need-database = `{ $option }` is for nodes that share a database, but the store is `{ $store }`
    .hint = leave it out, or keep the table in a database: `--store postgres://...`
advertise-wildcard = other nodes can't connect to `{ $address }`, which stands for all addresses of this machine
    .hint = say which one they reach, such as `--advertise 10.0.0.1:7000`
advertise-taken = another node of this table, `{ $node }`, answers at { $address }, the address of this node
    .hint = give each node an address of its own with `--peer-listen` and `--advertise`, or end the other node first
advertise-taken-by-older = another node of this table, of an earlier version, answers at { $address }, the address of this node
    .hint = give each node an address of its own with `--peer-listen` and `--advertise`, or end the other node first
advertise-alone = `--advertise { $address }` has no effect without `--peer-listen`
    .hint = say where to listen for other nodes as well, such as `--peer-listen 0.0.0.0:7000`
admin-failed = can't listen on { $address } for health and metrics: { $reason }
    .hint = choose another address with `--admin`, or use `--admin off`
not-resolved = can't find `{ $address }`: { $reason }
    .hint = check the name, or use an IP address
not-started = can't start the program's threads: { $reason }
    .hint = free some memory, or allow more processes and open files
preview-title = War: the card table
preview-about = A game of cards for two, for tokens. Play in the browser, without an account.
preview-friend = { $name } wants to play War with you
no-such-game = no finished game has this number
no-such-duel = there is no daily duel of this day, or its seed has not been opened yet
no-host = a request must have one `Host` header with a valid name
foreign-host = the table is not known by this name; its operator can add it with `--host`
too-many-requests = too many requests from your address; try again later
foreign-origin = pages from this origin may not connect

## The log of the card table.

log-checkpoint = `checkpoint` is not a checkpoint of a card table's log
    .hint = use the address of the log itself, such as https://war.example/log
log-other-key = the checkpoint was not signed with this key
    .hint = if the key is the right one, this is not the table's log
log-signature = the checkpoint was changed: its signature doesn't match
    .hint = nothing in this log can be trusted; read it again, from the table itself
log-other-table = this log belongs to another table: the earlier checkpoint is of `{ $earlier }`, the log is of `{ $found }`
    .hint = use a checkpoint of this table
log-shorter = the log had { $earlier ->
    [one] { $earlier } leaf
   *[other] { $earlier } leaves
}, and now has { $found }: the end was removed
    .hint = keep both checkpoints: they prove it
log-forked = the beginning of the log is not the one that you saw, with { $earlier ->
    [one] { $earlier } leaf
   *[other] { $earlier } leaves
}: the table has shown two histories
    .hint = keep both checkpoints: they prove it
log-missing = `{ $path }` is missing
    .hint = check that the address or the directory is that of a whole log
log-length = `{ $path }` doesn't have the right length: something was removed or added
    .hint = read the log again; if it stays so, the table doesn't show what it signed
log-leaf-hash = leaf { $leaf } is not the one in the tree: it was changed, removed or moved
    .hint = read the log again; if it stays so, the table doesn't show what it signed
log-tile = `{ $path }` doesn't match the leaves below it
    .hint = read the log again; if it stays so, the table doesn't show what it signed
log-root = the tree of { $size ->
    [one] { $size } leaf
   *[other] { $size } leaves
} is not the one that was signed: something was changed, removed or moved
    .hint = read the log again; if it stays so, the table doesn't show what it signed
log-leaf = leaf { $leaf } is not a leaf of a card table's log
    .hint = only the table's own program should write to its log
log-unknown-leaf = leaf { $leaf } begins with `{ $line }`, which this program doesn't know
    .hint = use a newer version of the program
log-started-twice = leaf { $leaf } begins game { $game } again: leaf { $before } began it
    .hint = the table has used one number for two games; keep a copy of the log
log-ended-twice = leaf { $leaf } ends game { $game } again: leaf { $before } ended it
    .hint = the table has given one game two results; keep a copy of the log
log-no-start = leaf { $leaf } ends game { $game }, which never began
    .hint = the table has made a result without a game; keep a copy of the log
log-late-day = leaf { $leaf } commits to the seed of { $day }, which had begun by then
log-other-day = leaf { $leaf } commits to another seed of { $day } than leaf { $before }
log-no-end = game { $game }, which began in leaf { $leaf }, has not ended for { $hours ->
    [one] { $hours } hour
   *[other] { $hours } hours
}
    .hint = the table has hidden its end, or was closed all that time: read the log again when it has been open for a while
log-more = and { $faults ->
    [one] { $faults } more fault
   *[other] { $faults } more faults
}
log-verified = VERIFIED { $log }: { $leaves ->
    [one] { $leaves } leaf
   *[other] { $leaves } leaves
}, { $games ->
    [one] { $games } game
   *[other] { $games } games
}, { $running ->
    [0] all ended
    [one] { $running } not ended
   *[other] { $running } not ended
}, signed with key { $key }
    SHA-256 of the key: { $fingerprint }
log-contains = It contains the earlier log with { $leaves ->
    [one] { $leaves } leaf.
   *[other] { $leaves } leaves.
}
log-faulty = { $verdict } { $log }: { $leaves ->
    [one] { $leaves } leaf was read
   *[other] { $leaves } leaves were read
}
log-no-key = `{ $log }` doesn't have the key of its table
    .hint = give the key with `--key`; the table shows it under `/log/key`
log-untrusted = can't trust `{ $address }`: the certificate of the server was refused ({ $reason })
    .hint = if a private authority issued it, name a file with the authority's certificate in `SSL_CERT_FILE`
log-unreachable = can't read `{ $address }`: { $reason }
    .hint = check the address, and that the table, or a server with a copy of its log, answers there
log-no-tls = can't read `{ $address }`: the server didn't answer in TLS as it should ({ $reason })
    .hint = check the address: where there is no TLS, it begins with `http://`
log-no-certificates = `{ $file }`, which `SSL_CERT_FILE` names, has no certificate in PEM
    .hint = name a file with the certificate of the authority that issued the server's
log-bad-earlier = `{ $file }` is not a checkpoint that was signed with key { $key }
    .hint = use a checkpoint of this table as the page saved it, or give the table's key with `--key`

## What the card table answers.

name-length = a name must have 1 to { $longest } characters, without spaces at either end
name-unseen = every character of a name must be visible
name-not-nfc = a name must be in Unicode's normal form NFC, where an accent and its letter are one character
name-leading-mark = a combining mark, such as an accent, must follow a character of the same word; a name must not begin with one
name-no-letter = a name must have at least one letter or digit
name-of-the-house = this name looks like `House 1`: such names belong to the house, which is the computer
no-object = a message must be a JSON object, sent as text
no-request-id = an `id` must have 1 to 64 visible ASCII characters
refused-bad-message = invalid request: { $reason }
refused-old-protocol = this client speaks another version of the protocol: update it, or reload the page
refused-hello-first = `hello` must come first
refused-hello-again = `hello` was already sent
refused-id-reused = this `id` was already used for another request
refused-waiting = you are already waiting for an opponent
refused-playing = you are already in a game
refused-not-waiting = you are not waiting for an opponent in this game
refused-not-playing = you are not in a game
refused-not-invited = nobody is waiting for this game with this invitation: ask for a new one
refused-inviter-away = the person who invited you is not connected now: try again in a moment
refused-no-rematch = you can't play this game again with the same opponent
refused-no-link = this link no longer works: ask for a new one
refused-too-many-links = you have { $most } links: revoke one first
refused-house-closed = the house does not play at this table
refused-stale-seed = this seed is for another game than the one you are in
refused-wrong-seed = this is not the seed that you committed to
refused-seeds-closed = it is too late for a seed
refused-seeded-already = you have already opened your seed
refused-stale-decision = this decision is on other cards than those on the table
refused-too-late = this decision came too late
refused-decided-already = you have already decided
refused-bad-after = there are not that many messages yet
refused-too-fast = too many requests in a short time; try again later
refused-too-many-connections = this player has too many connections
refused-banned = you are banned from this table
refused-forgotten = this account was deleted, and its key no longer works
refused-draining = the table is closing, and no new games start
refused-unavailable = the table can't do this now; try again soon

## The load on a card table.

load-opening = opening { $count ->
    [one] { $count } connection
   *[other] { $count } connections
}
load-playing = { $count ->
    [one] { $count } player playing
   *[other] { $count } players playing
}
load-comparing = comparing { $count ->
    [one] { $count } balance
   *[other] { $count } balances
}
load-auditing = looking for { $count ->
    [one] { $count } game
   *[other] { $count } games
} in the table's log
load-report =
    connected:          { $connected ->
        [one] { $connected } player
       *[other] { $connected } players
    }
    settled:            { $games ->
        [one] { $games } game
       *[other] { $games } games
    } in { $seconds } s, { $rate } per second
    decisions:          { $decisions }, confirmed within { $p50 } ms (median), { $p95 } ms (95%), { $p99 } ms (99%), { $most } ms (longest)
    compared:           { $compared ->
        [one] the balance of { $compared } player
       *[other] the balances of { $compared } players
    } and { $results ->
        [one] the results of { $results } game
       *[other] the results of { $results } games
    }
load-too-many = the table admits { $admitted } players of one address at once, and this test has { $players }
    .hint = use fewer `--players` and `--idle`, or open the table with `war serve --new-players { $players } --connections-per-address { $players }`
load-slowed = on average, each player waited { $seconds } s for the limits of the table; to test it faster, open it with a higher `--rate`
load-out-of-requests = { $players ->
    [one] { $players } player
   *[other] { $players } players
} stopped early, at the table's limit of requests that a player may send in an hour; a test with more players goes on longer
load-late = { $moves ->
    [one] { $moves } move
   *[other] { $moves } moves
} came after the deadline, and counted as folding
load-not-compared = the { $players ->
    [one] balance of { $players } player was
   *[other] balances of { $players } players were
} not compared, because they could not finish or come back
load-trouble = { $trouble } ({ $count } ×)
load-no-connection = no connection: { $reason }
load-too-fast = the table limits requests and new players of one address, and others may have used them up: wait a minute, or open it with a higher `--rate` and `--new-players`
load-lost = the connection was lost: { $reason }
load-no-answer = no answer within { $seconds } s
load-no-message = a message that is not part of the protocol
load-unexpected = an unexpected message: { $message }
load-refused = the table refused a request: `{ $code }`
load-results-differ = the two players of a game received different results
load-no-journal = the table has no journal of game { $game }, which is over
load-shown = these messages show it:
    { $messages }
load-unread = the table's log or a journal can't be read: { $reason }
load-not-verified = NOT VERIFIED: don't trust this table, or something between you and it changes its messages

## How a card table shows that it doesn't play fair.

unfair-sequence = a message was missing or came twice
unfair-player = the table took a player for another one
unfair-table = this is not the same table as before
unfair-key = the table's key is not the one from before
unfair-not-chosen = a game that the player did not choose
unfair-own-hash = a game began with a hash that is not that of the player's own seed
unfair-old-game = a game has the number of an earlier one
unfair-old-commitment = the table used a commitment again, and its seed was already known
unfair-unsigned = the start of a game was not signed
unfair-signature = the signature under the start of a game doesn't match
unfair-other-game = a message was about a game that is not the one being played
unfair-without-seed = cards were dealt without the player's own seed
unfair-deal = a deal that can't be part of its game
unfair-decision = a player's decision was changed
unfair-timed-out = a decision that was sent in time was counted as late
unfair-commitment = the table's seed doesn't match its commitment
unfair-seed-dropped = a player's own seed was left out
unfair-seed-swapped = a player's own seed was swapped for another one
unfair-opponent-seed = the opponent's seed doesn't match its hash
unfair-hashes = the seed hashes in a result differ from those at the start of its game
unfair-forfeit = a player opened their seed in time, and was said to have forfeited
unfair-forfeits = a result says that somebody forfeited, and its seeds or cards say otherwise
unfair-deals = cards were dealt more or fewer times than the result says
unfair-cards = the cards don't follow from the seeds
unfair-no-tie = new cards were dealt without a tie
unfair-tie = a tie was settled without new cards
unfair-shown = a result shows cards that were not dealt
unfair-outcome = a result names the wrong winner
unfair-stakes = a result pays something other than the stakes
unfair-unended = a result doesn't say how the game's journal ends
unfair-balance = a balance doesn't match the results
unlogged-start = the log doesn't have the beginning of game { $game }
unlogged-end = the log doesn't have the end of game { $game }
unlogged-other-start = the log has a different beginning of game { $game } from the one its players saw
unlogged-other-end = the log has a different end of game { $game } from the one its players saw
unlogged-journal = the journal of game { $game } is not that of the game its players played

## Simulation: games of any rules.

sim-rules = rules:      { $players } players, { $deal }, { $face_down } face down, collect { $collect }, out of cards { $rule }{ $rest }
sim-piles = {", "}piles { $piles }
sim-limit = {", "}at most { $turns ->
    [one] { $turns } turn
   *[other] { $turns } turns
}
sim-deal-shuffled = { $deck } deck
sim-deal-fixed = { $deck } deck with { $hand } for player{ $player }
sim-deal-given = hands from `{ $name }`
sim-games = games:      { $games } with seed { $seed }, numbers { $from } to { $to }
sim-no-games = games:      none with seed { $seed }
sim-kernel = kernel:     { $kernel }
sim-kernel-and-general = kernel:     { $kernel }; general played { $games ->
    [one] { $games } long game
   *[other] { $games } long games
}
sim-won = player{ $player }:    wins { $share }%
sim-drawn = drawn:      { $share }%
sim-endless = endless:    { $share }%
sim-endless-unproven = endless:    can't be proven by these rules
sim-undecided = undecided:  { $share }%
sim-periods = periods:    mean { $mean }, { $min } to { $max } turns
sim-turns = turns:      mean { $mean }, standard deviation { $sd }
sim-turns-of-finished = turns:      mean { $mean }, standard deviation { $sd }, of the { $games ->
    [one] { $games } game that ended
   *[other] { $games } games that ended
}
sim-quantiles = quantiles:  5% { $p5 }, 50% { $median }, 95% { $p95 }, 99% { $p99 } turns
sim-wars = wars:       mean { $mean } per game; by depth { $depths }
sim-ties = ties:       mean { $all } per game, of which { $played_on } were played on
sim-pairs = pairs:      mean { $mean } per game: turns, and ties played on
sim-none-finished = turns:      no games finished
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
sim-many-endless = note:       many games are endless by `--collect { $collect }`; as War is played at home, all end: `--rules household`
sim-partial = interrupted: { $games ->
    [0] no games finished
    [one] results of the first game only
   *[other] results of the first { $games } games only
}
    .hint = JSON files and plots say so, and rows stop at the last of these games; an interrupted part can't be merged
sim-bad-game = `{ $value }` is not a valid value for `{ $option }`
    .hint = use SEED:GAME, such as 1:341570
sim-bad-shard = `{ $value }` is not a valid value for `{ $option }`
    .hint = use I/N for part I of N, such as 3/8, or auto in a Slurm job array
slurm-missing = `--shard auto` takes the part from a Slurm job array, but `{ $variable }` isn't set
    .hint = submit the job with `sbatch --array=1-N`, or name the part with `--shard I/N`
slurm-number = `{ $value }` is not a valid value for `{ $variable }`
    .hint = Slurm sets a whole number there: leave it as it is, or name the part with `--shard I/N`
slurm-single = `--shard auto` takes the part from a Slurm job array, but this one has a single task, { $task }
    .hint = to play one part again, name it: `--shard { $task }/N`; to play the whole run, leave out `--shard`
slurm-uneven = `--shard auto` can't count task { $task } in a Slurm job array of { $tasks } tasks from { $first } to { $last } in steps of { $step }
    .hint = use an array without gaps, such as `--array=1-100`, or name the part with `--shard I/N`
sim-bad-hand = `{ $value }` is not a valid hand for `{ $option }`
    .hint = use PLAYER:CARD,CARD,…, such as 1:14,14; cards are 2 to 14 in the large deck, 9 to 14 in the small one, 1 to 13 in thirteen, and 1 to 64 in others
sim-bad-deck = `{ $value }` is not a valid deck for `{ $option }`
    .hint = use small, large, or RxS for R ranks and S suits, such as 13x4: 2 to 255 cards, at most 64 ranks
sim-combination = `--out-of-cards { $rule }` doesn't work with { $players } players
    .hint = use `--players 2` or `--out-of-cards eoc`
sim-orders = `--collect { $collect }` has { $orders } orders, but { $players } play
    .hint = use one order for all, or one for each player with commas between
sim-rules-for-two = the rules `{ $rules }` don't work with { $players } players: `--out-of-cards { $rule }` is for two
    .hint = use `--players 2`, or add `--out-of-cards eoc`
sim-too-few-cards = { $cards ->
    [one] { $cards } card
   *[other] { $cards } cards
} can't be dealt to { $players ->
    [one] { $players } player
   *[other] { $players } players
}
    .hint = every player needs a card: use fewer players or a larger deck
sim-fix-player = `--fix` names player { $player }, but there are only { $players } players
    .hint = choose a player from 1 to { $players }
sim-fix-cards = the { $deck } deck doesn't have these cards: `{ $value }`
    .hint = choose ranks from { $lowest } to { $highest }, each at most as often as the deck has it
sim-empty-shard = shard { $shard } of { $games ->
    [one] { $games } game
   *[other] { $games } games
} is empty
    .hint = use at most as many shards as there are games
sim-unwritable = can't write `{ $file }`: { $reason }
    .hint = check that its directory exists, that it is writable, and that there is space left
device-not-written = can't write `{ $file }`: Windows reserves this name for a device
    .hint = choose another name; an ending such as `.txt` does not help
sim-same-output = two outputs would be written to `{ $file }`
    .hint = give each output its own file
sim-other-seed = `--seed { $seed }` and `--game { $game }` give two different seeds
    .hint = leave out `--seed`: the seed is part of `--game`
sim-no-part = `{ $file }` is not part of a simulation
    .hint = create parts with `war simulate --seed S --shard I/N --json FILE`, and don't modify them
sim-part-version = `{ $file }` is a part of version { $version }, which this program doesn't support
    .hint = use the version of the program that wrote it
sim-part-generator = the games in `{ $file }` were dealt by the generator `{ $generator }`, which this program doesn't have
    .hint = use the version of the program that wrote it
sim-no-parts = there are no parts in the directory `{ $directory }`
    .hint = the names of parts in a directory end in `.json`
sim-output-is-part = `{ $file }` is one of the parts and would be overwritten
    .hint = write the result to another file
sim-no-svg = plots are written as SVG, but `{ $file }` has another extension
    .hint = use a name that ends in `.svg`, then convert the plot
sim-journal-of-none = `--journal` records a single game, but none was chosen
    .hint = choose one with `--game S:I`
sim-result-of-none = `--result` is for a single game, but none was chosen
    .hint = choose one with `--game S:I`
sim-other-rules = `{ $other }` was played by different rules from `{ $file }`: `{ $option }` differs
    .hint = merge only parts with the same rules
sim-merge-seed = `{ $other }` has a different seed from `{ $file }`
    .hint = merge only parts with the same seed
sim-merge-games = `{ $other }` and `{ $file }` are parts of runs with different numbers of games
    .hint = merge only parts of the same run, made with the same `--games`
sim-paused = interrupted: { $games } of { $all } games are played
    .hint = run the same command again to go on
sim-resume-rules = the run in `{ $file }` has different rules: `{ $option }` differs
    .hint = use the rules it was begun with, or another file
sim-resume-seed = the run in `{ $file }` has another seed: { $seed }
    .hint = leave out `--seed`, or use another file
sim-resume-games = the run in `{ $file }` has other games: { $from } to { $to } of { $of }
    .hint = use the `--games` and the `--shard` it was begun with, or another file
sim-rows-need-file = `{ $file }` can't take the rows of a run that may be interrupted
    .hint = give a file for `--csv-games`, or leave out `--resume { $state }`
sim-rows-missing = `{ $file }` doesn't have the rows of all the games that were played
    .hint = use the `--csv-games` the run was begun with, or begin again: remove `{ $state }`
sim-rows-other-columns = `{ $file }` has other columns
    .hint = use the `--columns` the run was begun with
sim-rows-in-use = `{ $file }` is in use: the run goes on in another process
    .hint = wait until it ends
sim-overlap = `{ $file }` and `{ $other }` overlap: both contain game { $game }
    .hint = give each part only once
sim-missing = games { $from } to { $to } are missing from the parts
    .hint = give all the parts of the run; one that was interrupted goes on with `--resume FILE`

## Enumeration: all deals of a deck.

enum-chance = rules that depend on chance can't be enumerated: `--collect { $collect }`, `--out-of-cards { $rule }`{ $piles }
    .hint = use `war simulate` for such rules
enum-too-many = there are { $deals } deals, but at most { $most } can be enumerated
    .hint = use a smaller deck, or play a sample of the deals with `war simulate`
enum-rules = rules:    2 players, { $deck } deck, { $face_down } face down, collect { $collect }, out of cards { $rule }{ $rest }
    deals:    { $deals }
enum-seats = {"          "}both deals of each pair that differ only by swapping the players: these rules depend on the seats
enum-unequal = {"          "}player1 gets { $first } cards and player2 gets { $second }
enum-one-of-two = {"          "}one deal of each pair that differ only by swapping the players: each player wins one of the two
enum-single = kernel:   every deal separately
enum-merged = kernel:   { $kernel }; deals that are the same game after the first pass over both hands are played once
enum-shard = shard:    parts { $from } to { $to } of { $of }
enum-few-periods = periods:  { $periods }
enum-period = { $period ->
    [one] { $period } turn
   *[other] { $period } turns
} ({ $deals ->
    [one] { $deals } deal
   *[other] { $deals } deals
})
enum-most-turns = longest:  { $turns ->
    [one] { $turns } turn
   *[other] { $turns } turns
}, { $pairs ->
    [one] { $pairs } pair
   *[other] { $pairs } pairs
}: player1 { $first }; player2 { $second }
enum-most-pairs = {"          "}{ $turns ->
    [one] { $turns } turn
   *[other] { $turns } turns
}, { $pairs ->
    [one] { $pairs } pair
   *[other] { $pairs } pairs
}: player1 { $first }; player2 { $second }
enum-paused = interrupted: { $deals } of { $all } deals are played
    .hint = run the same command again to go on
enum-forecast = this would take about { $time } on { $jobs ->
    [one] { $jobs } core
   *[other] { $jobs } cores
}
    .hint = go on with `--yes`; with `--resume FILE` you can interrupt it, and `--shard` plays part of it
enum-hours = { $hours } hours
enum-days = { $days ->
    [one] { $days } day
   *[other] { $days } days
}
enum-years = { $years ->
    [one] { $years } year
   *[other] { $years } years
}
enum-empty-shard = shard { $shard } of { $parts ->
    [one] { $parts } part
   *[other] { $parts } parts
} is empty
    .hint = use at most as many shards as there are parts
enum-no-part = `{ $file }` is not part of an enumeration, or was changed after it was written
    .hint = use an unmodified file that `war enumerate` wrote with `--json` or `--resume`
enum-resume-rules = the enumeration in `{ $file }` has different rules: `{ $option }` differs
    .hint = use the rules it was begun with, or another file
enum-resume-parts = the enumeration in `{ $file }` has other parts: { $from } to { $to } of { $of }
    .hint = use the `--shard` it was begun with, or another file
enum-merge-parts = `{ $other }` and `{ $file }` are parts of different enumerations
    .hint = merge only parts of the same enumeration, written by the same version of the program
enum-merge-partial = `{ $file }` was interrupted
    .hint = play the rest of it with the command that wrote it, and this file after `--resume`
enum-overlap = `{ $file }` and `{ $other }` overlap: both contain part { $part }
    .hint = give each shard only once
enum-missing = parts { $from } to { $to } are missing
    .hint = give all the shards of the enumeration
enum-played = played:   { $deals }
enum-partial = interrupted: results of { $deals } of { $all } deals
    .hint = these deals are not a random sample; for one, use `war simulate`
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

plot-title = War: { $players } players, { $deal }, { $face_down } face down, { $collect }, { $rule }{ $rest }
plot-games = { $games ->
    [one] { $games } game
   *[other] { $games } games
} of seed { $seed }
plot-partial = interrupted: the first { $games } of { $all } games of seed { $seed }
plot-none-finished = no games finished
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
lit-counted = { $source }
    {"  "}all deals, counted without playing them
lit-figure = {"    "}{ $figure }: published { $published }, ours { $ours }: { $verdict }
lit-figure-of-ours = {"    "}{ $figure }: reference { $published }, now { $ours }: { $verdict }
lit-agrees = agrees
lit-differs = DIFFERS
lit-mean-turns = mean turns
lit-deviation = standard deviation of turns
lit-median = median of turns
lit-mean-rounds = mean number of cards put by each player
lit-rounds-deviation = standard deviation of the cards put by each player
lit-median-rounds = median of the cards put by each player
lit-quantile = { $value }% quantile of turns
lit-longest = most turns
lit-mean-wars = wars per game
lit-mean-ties = wars per game, counting wars within wars
lit-mean-played-on = wars per game, counting wars within wars that at least two players could play on
lit-finished = finished games (%)
lit-mean-turns-per-square = mean turns divided by { $cards }²
lit-first-wins = player1 wins (%)
lit-endless = endless games (%)
lit-cycles = endless games
lit-period = period of endless games
lit-mean-pairs = mean pairs
lit-most-pairs = most pairs
lit-deals = deals
lit-sweeps = deals per 10¹² in which player1 takes every card at once, without a war
lit-summary = { $agreeing } of { $all } figures agree
lit-interrupted = interrupted: the rows above are complete
    .hint = the others were not played
