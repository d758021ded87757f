//! Drawings of games of every kind.

use crate::support::{dealt, project, reviewed};
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use ratatui::widgets::Widget;
use std::fs;
use war::cards::{Deck, Rank};
use war::engine::{Event, Projection, Table};
use war::i18n::{Catalogue, Lang};
use war::projections::frames::collect_frames;
use war::recording::{NewGame, Recorder};
use war::replay::Replay;
use war::rules::CLASSIC;
use war::tokens::{self, TokenEvent, TokenGame};
use war_cli::watch::{Film, GameInfo, KeyPress, Pace, Playback, PlaybackInput, PlaybackWidget};

/// State of watching a journal of the project.
fn playback(journal: &str, lang: Lang) -> Playback {
    let catalogue = Catalogue::built_in(lang);
    let bytes = fs::read(project().join("journals").join(journal)).expect("a journal");
    let mut seats = Seats::default();
    let replay = Replay::open(&bytes[..], None).expect("a header");
    let header = replay.header().clone();
    let (all, judged) = collect_frames(|frames| replay.verify(&mut (frames, &mut seats)));
    // Truncated journals are drawn, too.
    let _ = judged.expect("a file");
    let about = GameInfo::new(&header, seats.0.as_ref(), catalogue);
    Playback::new(Film::new(about, all), Pace::default())
}

/// Keeps the players of a token game.
#[derive(Default)]
struct Seats(Option<tokens::Seats>);

impl Projection<Table> for Seats {
    fn project(&mut self, _: &Event, _: &Table) {}
}

impl Projection<TokenGame> for Seats {
    fn project(&mut self, _: &TokenEvent, game: &TokenGame) {
        self.0 = game.seats().cloned();
    }
}

fn typed(playback: &mut Playback, keys: &[KeyPress]) {
    for key in keys {
        playback.handle(PlaybackInput::Key(*key));
    }
}

/// Picture on a terminal of this size, without colors.
fn picture(playback: &Playback, lang: Lang, (columns, rows): (u16, u16)) -> String {
    let catalogue = Catalogue::built_in(lang);
    let picture = PlaybackWidget {
        playback,
        catalogue,
        colors: false,
    };
    let backend = TestBackend::new(columns, rows);
    let mut terminal = ratatui::Terminal::new(backend).expect("a terminal");
    let drawn = terminal.draw(|frame| frame.render_widget(picture, frame.area()));
    drawn.expect("a picture");
    terminal.backend().to_string()
}

const SMALL: (u16, u16) = (80, 24);

/// Keys that go to a turn.
fn turn(number: u32) -> Vec<KeyPress> {
    let digits = number.to_string();
    let digits = digits.chars().map(KeyPress::Char);
    [KeyPress::Char('/')]
        .into_iter()
        .chain(digits)
        .chain([KeyPress::Enter])
        .collect()
}

#[test]
fn games_of_every_kind_are_drawn() {
    for (name, journal, keys) in [
        ("classic_deal", "classic_dealt_won.json", turn(0)),
        ("classic_war", "classic_dealt_won.json", turn(2)),
        ("classic_won", "classic_dealt_won.json", turn(19)),
        ("classic_one_player", "classic_one_player.json", turn(99)),
        (
            "classic_endless",
            "classic_scenario_endless.json",
            turn(999),
        ),
        ("classic_all_out", "classic_scenario_all_out.json", turn(99)),
        ("classic_cut_off", "classic_cut_off.json", turn(999)),
        ("duels_war", "duels_random.json", vec![KeyPress::Char('n')]),
        ("duels_shuffled", "duels_shuffle.json", turn(9)),
        ("xy_war", "xy_sample.json", vec![KeyPress::Char('n')]),
        ("xy_end", "xy_sample.json", vec![KeyPress::End]),
        ("custom_drawn", "custom_drawn.json", vec![KeyPress::End]),
        ("tokens_before", "single_card_2_showdown.json", turn(0)),
        ("tokens_tied", "double_card_2_tied.json", turn(1)),
        ("tokens_named", "double_card_tied.json", vec![KeyPress::End]),
        (
            "tokens_forfeited",
            "double_card_2_both_forfeited.json",
            vec![KeyPress::End],
        ),
    ] {
        for lang in [Lang::En, Lang::Pl] {
            let mut playback = playback(journal, lang);
            typed(&mut playback, &keys);
            let name = format!("watch_{name}_{}", lang.code());
            reviewed(&name, &picture(&playback, lang, SMALL));
        }
    }
}

#[test]
fn the_guide_shows_a_turn_as_drawn() {
    let guide = fs::read_to_string(project().join("docs/guides/watching.md")).expect("the guide");
    let mut playback = playback("classic_dealt_won.json", Lang::En);
    typed(&mut playback, &turn(2));
    let drawn = picture(&playback, Lang::En, SMALL);
    let drawn = drawn.lines().map(|line| line.trim_matches('"').trim_end());
    let drawn = drawn.collect::<Vec<_>>().join("\n");
    assert!(guide.contains(&format!("```text\n{drawn}\n```")), "{drawn}");
}

#[test]
fn by_the_first_rules_only_the_table_commits_to_a_seed() {
    for (journal, told) in [
        (
            "double_card_folded.json",
            "The table is committed to its seed.",
        ),
        (
            "double_card_2_tied.json",
            "Both players are committed to a seed",
        ),
    ] {
        let mut playback = playback(journal, Lang::En);
        typed(&mut playback, &turn(0));
        let drawn = picture(&playback, Lang::En, SMALL);
        assert!(drawn.contains(told), "{drawn}");
    }
}

#[test]
fn layers_are_drawn_over_the_game() {
    for lang in [Lang::En, Lang::Pl] {
        let mut playback = playback("classic_dealt_won.json", lang);
        typed(&mut playback, &[KeyPress::Char('?')]);
        let help = picture(&playback, lang, SMALL);
        reviewed(&format!("watch_help_{}", lang.code()), &help);
        typed(
            &mut playback,
            &[KeyPress::Escape, KeyPress::Char('/'), KeyPress::Char('1')],
        );
        let asked = picture(&playback, lang, SMALL);
        let last = asked.lines().last().expect("a row");
        assert!(last.contains(": 1_"), "{last}");
    }
}

#[test]
fn large_terminals_show_large_cards_and_small_ones_a_notice() {
    let mut playback = playback("classic_dealt_won.json", Lang::En);
    typed(&mut playback, &turn(2));
    reviewed("watch_large", &picture(&playback, Lang::En, (120, 40)));
    for size in [(79, 24), (80, 23), (20, 5), (1, 1)] {
        let text = picture(&playback, Lang::En, size);
        assert!(!text.contains("player1"), "{text}");
    }
    let text = picture(&playback, Lang::En, (79, 24));
    assert!(
        text.contains("has 79x24 characters, and `war watch` needs 80x24."),
        "{text}"
    );
}

/// Drawing of the state, with or without colors.
fn drawing(playback: &Playback, colors: bool) -> Buffer {
    let catalogue = Catalogue::built_in(Lang::En);
    let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
    let picture = PlaybackWidget {
        playback,
        catalogue,
        colors,
    };
    picture.render(buffer.area, &mut buffer);
    buffer
}

fn is_colored(playback: &Playback, colors: bool) -> bool {
    let buffer = drawing(playback, colors);
    let mut cells = buffer.content().iter();
    cells.any(|cell| [cell.fg, cell.bg] != [Color::Reset; 2])
}

#[test]
fn every_picture_is_complete_without_colors() {
    for journal in ["classic_dealt_won.json", "double_card_2_tied.json"] {
        let mut playback = playback(journal, Lang::En);
        typed(&mut playback, &[KeyPress::Char('n'), KeyPress::Char('?')]);
        assert!(!is_colored(&playback, false), "{journal}");
        assert!(is_colored(&playback, true), "{journal}");
    }
}

#[test]
fn every_turn_of_every_journal_can_be_drawn() {
    let mut drawn_turns = 0;
    for file in fs::read_dir(project().join("journals")).expect("the journals") {
        let path = file.expect("a file").path();
        if !path.is_file() {
            continue;
        }
        let name = path.file_name().expect("a name").to_string_lossy();
        let mut playback = playback(&name, Lang::Pl);
        let mut before = usize::MAX;
        typed(&mut playback, &[KeyPress::Home]);
        while playback.turn() != before {
            let text = picture(&playback, Lang::Pl, SMALL);
            assert_eq!(text.lines().count(), 24, "{name}");
            before = playback.turn();
            typed(&mut playback, &[KeyPress::Right]);
            drawn_turns += 1;
        }
    }
    assert!(drawn_turns > 500, "{drawn_turns} turns");
}

/// State of watching a game in which these hands were dealt.
fn played(hands: Vec<Vec<Rank>>) -> Playback {
    let opening = NewGame::from_scenario(CLASSIC, "made_up", hands, Box::new(())).expect("a game");
    let recorder = Recorder::new("test", opening, Lang::En);
    let catalogue = Catalogue::built_in(Lang::En);
    let about = GameInfo::new(recorder.header(), None, catalogue);
    let (all, played) = collect_frames(|frames| recorder.with_projection(frames).play());
    played.expect("memory takes every byte");
    Playback::new(Film::new(about, all), Pace::default())
}

#[test]
fn five_players_fit_on_the_smallest_terminal() {
    let mut playback = played(dealt(Deck::Large, 5, 3));
    typed(&mut playback, &[KeyPress::Char('n')]);
    let picture = picture(&playback, Lang::En, SMALL);
    reviewed("watch_five_players", &picture);
}

#[test]
fn an_overlong_war_shows_its_last_cards() {
    let suit = Deck::Large.cards();
    let hand: Vec<_> = suit.into_iter().step_by(2).collect();
    let mut playback = played(vec![hand.clone(), hand]);
    typed(&mut playback, &[KeyPress::Char('n')]);
    let picture = picture(&playback, Lang::En, SMALL);
    reviewed("watch_long_war", &picture);
}

#[test]
fn the_chart_shows_the_current_turn() {
    let mut playback = playback("classic_dealt_won.json", Lang::En);
    let mut columns = Vec::new();
    for key in [KeyPress::Home, KeyPress::End] {
        typed(&mut playback, &[key]);
        let buffer = drawing(&playback, true);
        let is_reversed = |cell| buffer[cell].modifier.contains(Modifier::REVERSED);
        // The first and the last row are reversed in every column.
        let height = |column: u16| (0..24).filter(|row| is_reversed((column, *row))).count();
        let reversed: Vec<_> = (0..80).filter(|column| height(*column) > 2).collect();
        assert_eq!(reversed.len(), 1, "{reversed:?}");
        columns.extend(reversed);
    }
    assert!(columns[0] + 60 < columns[1], "{columns:?}");
}
