//! `--result`: what is printed of a single game in place of its screens.

use clap::ValueEnum;

/// The form in which the result of a game is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResultFormat {
    Json,
}

/// What the long help says of `--result`.
pub(crate) const RESULT_HELP: &str = "\
Print the result as JSON instead of the screens

Works for a single game. Standard output is then one line, a JSON object with these fields:

  format, version  \"war-result\", 1
  engine           program that played the game
  rules            name and version of the rules, such as \"classic/1\"
  deck             \"small\", \"large\", \"thirteen\" or a shape such as \"13x4\"
  dealt            \"shuffled\", \"fixed\", \"scenario\", \"imported\" or \"committed\"
  generator, seed  what shuffled the cards, and its seed as text; else null
  scenario         name of the scenario; else null
  players          for each player: player (from 1) and cards (held at the end);
                   in a token game: player, name or number (the public
                   number), and tokens (won or lost)
  outcome          \"won\", \"endless\", \"drawn\", \"stopped\", \"folded\" or \"cut_off\"
  winner           number of the winner; else null
  turns            turns played (battles, rounds, or deals of a token game)
  repeats_from     turn from which an endless game repeats; else null
  wars             turns with a war; null in a token game
  longest_war      most face-up cards of one player in a war, 0 without one
  events           events of the game; of a journal with a fault, those before it
  lang             language of the screens
  console          bytes and blake3 (hash) of what the screens print
  digest           final digest of the game's journal, recorded or not
  journal          file with the game's journal; else null
  verdict          what a journal that was read is: \"VERIFIED\", \"INCOMPLETE\",
                   \"DAMAGED\", \"DIVERGED\", \"UNEXPECTED\", \"UNSUPPORTED\", or
                   \"UNREADABLE\" if the file can't be read; null for a live game
  code             code of the fault, such as \"WJ202\"; null without one
  line, column     where the fault is in the file, from 1; null without one
  message          the fault in words; null without one
  proof            what is proven of the cards: \"seed\" (dealt from the seed),
                   \"commitment\" (dealt as committed before the game) or
                   \"journal\" (they are what the journal says); else null

If a journal can't be read to its end, the fields of the game that are not known are null.";

/// What the long help of `war journal check` says of `--result`.
pub(crate) const RESULTS_HELP: &str = "\
Print a JSON object for each file instead of the verdict

Standard output is then one line for each file, an object like that of `war replay --result json`. \
`war help replay` lists its fields; verdict, code, line, column, message and proof are among them.";
