//! `war help`: explains commands and topics.

use crate::arguments::parsing::{find_command, find_nearest_name, visible_commands};
use HelpBlock::{Code, List, Text as Words};
use clap::Command;
use clap::builder::StyledStr;
use war::i18n::{Text, text};

pub(crate) const HELP_EXAMPLES: &str = "\
Examples:
  war help simulate                    explain `war simulate`
  war help journal check               explain `war journal check`
  war help rules                       explain the rules of every edition";

/// Block of a topic.
pub(super) enum HelpBlock {
    /// Paragraph, already wrapped.
    Text(&'static str),
    /// Terms and their explanations.
    List(&'static [(&'static str, &'static str)]),
    /// Preformatted lines.
    Code(&'static str),
}

/// Help text that is not about a single command.
pub(super) struct HelpTopic {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) blocks: &'static [HelpBlock],
}

pub(super) const HELP_TOPICS: [HelpTopic; 4] = [
    HelpTopic {
        name: "rules",
        title: "Rules of the three editions, and those you can choose",
        blocks: RULES,
    },
    HelpTopic {
        name: "scenarios",
        title: "Games that start from given hands",
        blocks: SCENARIOS,
    },
    HelpTopic {
        name: "journals",
        title: "Recorded games, and how they are verified",
        blocks: JOURNALS,
    },
    HelpTopic {
        name: "environment",
        title: "Variables and files",
        blocks: &[
            Words("Variables; one that is empty counts as not set:"),
            List(ENVIRONMENT_VARIABLES),
            Words("Files:"),
            List(PROGRAM_FILES),
        ],
    },
];

/// Environment variables that the program reads.
pub(super) const ENVIRONMENT_VARIABLES: &[(&str, &str)] = &[
    (
        "WAR_LANG",
        "Language of screens and messages: en, pl, or a locale such as pl_PL.UTF-8. `--lang` \
         overrides it.",
    ),
    ("WAR_CONFIG", "Configuration file. `--config` overrides it."),
    (
        "WAR_SCENARIOS",
        "Directory to look for scenarios in. `--scenarios` overrides it.",
    ),
    (
        "BROWSER",
        "Browsers for `war view`, separated by colons; the first one that works opens the page. \
         Each is a command, with %s for the address.",
    ),
    #[cfg(feature = "table")]
    (
        "WAR_TABLE_*",
        "Settings of `war serve`: WAR_TABLE_LISTEN, WAR_TABLE_ADMIN, WAR_TABLE_STORE, \
         WAR_TABLE_KEY, WAR_TABLE_ROOMS, WAR_TABLE_PEER_LISTEN, WAR_TABLE_ADVERTISE, \
         WAR_TABLE_BOTS, WAR_TABLE_HOUSE_AFTER, WAR_TABLE_DECIDE_SECONDS, WAR_TABLE_CONNECTIONS, \
         WAR_TABLE_CONNECTIONS_PER_ADDRESS, \
         WAR_TABLE_RATE, WAR_TABLE_NEW_PLAYERS, WAR_TABLE_HOSTS, WAR_TABLE_ORIGINS, \
         WAR_TABLE_TRUST_PROXY and WAR_TABLE_LOG. Its options override them. `war table backup` \
         and `war table restored` take WAR_TABLE_STORE too, and `war table move` WAR_TABLE_KEY.",
    ),
    #[cfg(feature = "table")]
    (
        "SSL_CERT_FILE",
        "Certificates of the authorities that `war log verify` trusts, in PEM, in place of \
         Mozilla's, and connections to a database in place of the system's.",
    ),
    (
        "SLURM_ARRAY_TASK_*",
        "Which task of a Slurm job array this is, for `--shard auto`: SLURM_ARRAY_TASK_ID, \
         SLURM_ARRAY_TASK_MIN, SLURM_ARRAY_TASK_MAX, SLURM_ARRAY_TASK_STEP and \
         SLURM_ARRAY_TASK_COUNT. Slurm sets them.",
    ),
    (
        "NO_COLOR",
        "Nothing is colored, unless `--color always` is given.",
    ),
    (
        "CLICOLOR_FORCE",
        "Help, verdicts and errors are colored even if the output is not a terminal. \
         `--color never` and NO_COLOR override it.",
    ),
];

/// Files that the program looks for.
pub(super) const PROGRAM_FILES: &[(&str, &str)] = &[
    (
        "./war.toml",
        "Configuration of the audit log and the card table.",
    ),
    (
        "$XDG_CONFIG_HOME/war/war.toml",
        "Your own configuration, else ~/.config/war/war.toml. It applies where the other \
         file sets nothing.",
    ),
    (
        "./scenarios",
        "Scenarios to play: ssc_*.json for the classic edition, war_*.json for duels.",
    ),
    (
        "./logs",
        "Audit logs, one for each game, unless `--no-log` is given. The configuration can name \
         another directory, and how many logs to keep.",
    ),
];

/// Exit codes and their meanings.
pub(super) const EXIT_CODES: &[(&str, &str)] = &[
    ("0", "The game was played, or the journal is VERIFIED."),
    (
        "1",
        "A scenario, a table or a part of a simulation is bad, two journals differ, or a \
         journal is DAMAGED, DIVERGED or UNEXPECTED.",
    ),
    ("2", "The command line or the configuration is wrong."),
    (
        "3",
        "A journal is INCOMPLETE, or the games were interrupted by Ctrl-C.",
    ),
    ("4", "Reading or writing failed."),
    ("5", "A journal is UNSUPPORTED."),
    ("130", "Interrupted a second time."),
];

const RULES: &[HelpBlock] = &[
    Words(
        "\
The cards are shuffled and dealt one at a time. In every turn, each player puts
the top card of their hand face up, and the highest card wins all cards of the
turn. They go under the winner's hand. A player who has all cards wins the game.",
    ),
    Words(
        "\
If the highest cards are equal, there is a war: those players put cards face
down and one more face up, until one of the new cards is the highest. The
editions differ:",
    ),
    List(&[
        (
            "classic",
            "`war PLAYERS DECK`. 1 to 5 players, 24 cards (9 to 14) or 52 (2 to 14), one card \
             face down. Players who run out of cards in a war drop out (End of Cards). A game \
             whose hands repeat is endless, and stops.",
        ),
        (
            "duels",
            "`war duels`. As classic with 2 to 5 players. A game stops after 10 battles a card.",
        ),
        (
            "xy",
            "`war xy`. 2 players, 52 cards from 1 to 13, three cards face down. A war shrinks to \
             the cards that both have. Won cards are shuffled.",
        ),
        (
            "bataille",
            "`war simulate --rules bataille`. 2 players, no cards face down. A player who runs \
             out of cards in a war loses.",
        ),
        (
            "household",
            "`war simulate --rules household`. 2 players, 52 cards, three cards face down. Won cards \
             go on a second pile, which is shuffled when the hand is used up, also in a war. A \
             player who has neither loses.",
        ),
    ]),
    Words(
        "\
14 is an ace, 13 a king, 12 a queen, 11 a jack. In simulations you can change
each rule: `war help simulate` lists what you can choose.",
    ),
];

const SCENARIOS: &[HelpBlock] = &[
    Words(
        "\
A scenario is a JSON file with a row of cards for each player, the top card
first:",
    ),
    Code("[[14, 9, 12], [13, 9, 10]]"),
    Words(
        "\
The classic edition plays ssc_*.json, 24 cards from 9 to 14 or 52 from 2 to 14
for 1 to 5 players. The duels edition plays war_*.json, any cards from 1 to 14
for 2 to 5 players.",
    ),
    Words(
        "\
`--scenario X` plays one scenario, by its path or by its name in any letter
case. Names are looked up in the scenarios directory, then among those that come
with the program:",
    ),
    Code("war --scenario example\nwar duels --scenario three_players"),
    Words(
        "\
Files in ./scenarios, or in the directory of `--scenarios` or `WAR_SCENARIOS`,
replace the dealing: all of them are played, in the order of their names.
Invalid files are reported and skipped, and the exit code is 1.",
    ),
];

const JOURNALS: &[HelpBlock] = &[
    Words(
        "\
A journal is a JSON file with every event of a game. Each event carries a hash
of all before it, so every change is found. `--journal FILE` records a game (`-`
is standard output), and `--durable` syncs each event to disk before you see it:",
    ),
    Code("war 4 small --journal game.json"),
    Words(
        "\
`war replay` prints the game again and plays the rules along. With `--follow`, it
does so while the game is recorded:",
    ),
    Code("war replay game.json"),
    List(&[
        (
            "VERIFIED",
            "The journal is intact and follows the rules. The verdict also says what is proven \
             of the cards.",
        ),
        (
            "INCOMPLETE",
            "The recording was cut off. `war journal repair` completes it.",
        ),
        ("DAMAGED", "The file was changed after it was recorded."),
        (
            "DIVERGED",
            "The file is intact, but the game does not follow the rules.",
        ),
        (
            "UNEXPECTED",
            "The journal is VERIFIED, but it is not the one that you demanded with `--expect-digest` \
             or another option of this kind, or not signed with the key demanded.",
        ),
        (
            "UNSUPPORTED",
            "The journal is of another version, or has rules unknown here.",
        ),
    ]),
    Words(
        "\
`war journal check` verifies many journals, `show` summarizes one, `diff` finds
where two of them differ, and `war import xy` makes them from printed tables.
`sign` and `verify` show who recorded them, and `export` makes tables of them.",
    ),
];

/// Renders the help of a command, a topic or the whole program.
///
/// The error suggests a similar name, if there is one.
pub(crate) fn render_help(root: &mut Command, words: &[String]) -> Result<StyledStr, Text> {
    root.build();
    if let [word] = words
        && let Some(topic) = HELP_TOPICS
            .iter()
            .find(|t| t.name.eq_ignore_ascii_case(word))
    {
        return Ok(topic_text(topic).into());
    }
    if let Some(command) = find_command(root, words) {
        return Ok(command.clone().render_long_help());
    }
    let known = (0..words.len()).rev().find_map(|count| {
        let command = find_command(root, &words[..count])?;
        Some((command, &words[count]))
    });
    let (command, word) = known.expect("no word names the program");
    let topics = HELP_TOPICS.iter().filter(|_| words.len() == 1);
    let names = visible_commands(command).map(Command::get_name);
    let near = find_nearest_name(word, names.chain(topics.map(|topic| topic.name)));
    Err(match near {
        Some(near) => text!(NoSuchHelpNear, word = word.as_str(), near = near),
        None => text!(NoSuchHelp, word = word.as_str()),
    })
}

/// Renders a topic as plain text.
fn topic_text(topic: &HelpTopic) -> String {
    let mut out = format!("{}\n", topic.title);
    for block in topic.blocks {
        out.push('\n');
        match block {
            Words(words) => out.extend([words, "\n"]),
            Code(code) => {
                let lines = code.lines().map(|line| format!("  {line}\n"));
                out.extend(lines);
            }
            List(entries) => {
                for (name, meaning) in *entries {
                    out.extend(["  ", name, "\n"]);
                    out.push_str(&indent(meaning));
                }
            }
        }
    }
    out
}

/// Wraps and indents the explanation of a term, in lines of at most 80 columns.
fn indent(words: &str) -> String {
    const INDENT: &str = "      ";
    let mut out = INDENT.to_owned();
    let mut column = INDENT.len();
    for (index, word) in words.split(' ').enumerate() {
        let width = word.chars().count() + 1;
        if index > 0 && column + width > 80 {
            out.push('\n');
            out.push_str(INDENT);
            column = INDENT.len();
        } else if index > 0 {
            out.push(' ');
        }
        out.push_str(word);
        column += width;
    }
    out.push('\n');
    out
}
