use super::{Motion, Watching};
use crate::watch::about::About;
use crate::watch::film::Film;
use crate::watch::input::{Input, Key};
use crate::watch::pace::Pace;
use std::time::Duration;
use war::cards::{Deck, Generator};
use war::i18n::{Catalogue, Lang};
use war::journal::Header;
use war::projections::frames::{Frame, Shown, Turn};
use war::recording::{Opening, Recorder};
use war::rules::CLASSIC;

/// The turns of the made-up game that come to a war.
const WARS: [u32; 3] = [3, 7, 15];

fn header() -> Header {
    let generator = Generator::ChaCha8 { seed: 1 };
    let opening = Opening::shuffled(CLASSIC, Deck::Small, 2, generator).expect("a game");
    Recorder::new("test", opening, Lang::En).header().clone()
}

fn frame(turn: u32) -> Frame {
    let shown = Turn {
        is_war: WARS.contains(&turn),
        ..Turn::default()
    };
    Frame {
        turn,
        shown: Shown::Turn(shown),
        text: String::new(),
    }
}

/// A film of a game that has this last turn.
fn film(last: u32) -> Film {
    let catalogue = Catalogue::built_in(Lang::En);
    Film::of(About::of(&header(), None, catalogue), (0..=last).map(frame))
}

fn watching(last: u32) -> Watching {
    Watching::new(film(last), Pace::default())
}

/// The turn after these keys, one after the other.
fn after(watching: &mut Watching, keys: &[Key]) -> usize {
    for key in keys {
        assert!(watching.take(Input::Key(*key)), "{key:?} ends it");
    }
    watching.turn()
}

fn typed(keys: &str) -> Vec<Key> {
    keys.chars().map(Key::Char).collect()
}

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn a_turn_follows_the_other_at_its_pace_and_the_last_one_stays() {
    let mut watching = watching(2);
    assert_eq!(watching.due(), Some(SECOND));
    watching.pass(SECOND / 2);
    assert_eq!((watching.turn(), watching.due()), (0, Some(SECOND / 2)));
    watching.pass(SECOND / 2);
    assert_eq!((watching.turn(), watching.due()), (1, Some(SECOND)));
    watching.pass(SECOND);
    assert_eq!((watching.turn(), watching.due()), (2, None));
    watching.pass(SECOND * 9);
    assert_eq!(watching.turn(), 2);
}

#[test]
fn a_war_is_shown_longer_where_people_can_follow() {
    let mut slow = watching(9);
    slow.take(Input::Key(Key::Char('n')));
    slow.take(Input::Key(Key::Char(' ')));
    assert_eq!((slow.turn(), slow.due()), (3, Some(SECOND * 2)));
    let mut fast = Watching::new(film(9), Pace::ALL[7]);
    fast.pass(Duration::from_millis(5));
    assert_eq!(fast.turn(), 5);
}

#[test]
fn fast_turns_come_several_at_a_time_but_never_all_after_a_stop() {
    let mut fast = Watching::new(film(5000), Pace::ALL[7]);
    // Pictures that nobody could see are not drawn.
    assert_eq!(fast.due(), Some(Duration::from_millis(33)));
    fast.pass(Duration::from_millis(33));
    assert_eq!(fast.turn(), 33);
    fast.pass(Duration::from_secs(3600));
    assert_eq!(fast.turn(), 283);
    let mut slow = watching(9);
    slow.pass(Duration::from_secs(3600));
    assert_eq!(slow.turn(), 1);
}

#[test]
fn steps_stop_at_both_ends_and_pause() {
    let mut watching = watching(15);
    assert_eq!(after(&mut watching, &[Key::Left]), 0);
    assert_eq!((watching.due(), watching.motion()), (None, Motion::Paused));
    assert_eq!(after(&mut watching, &[Key::Right, Key::Right]), 2);
    assert_eq!(after(&mut watching, &[Key::Left]), 1);
    assert_eq!(after(&mut watching, &[Key::PageDown]), 11);
    assert_eq!(after(&mut watching, &[Key::PageDown]), 15);
    assert_eq!(after(&mut watching, &[Key::Right]), 15);
    assert_eq!(after(&mut watching, &[Key::PageUp]), 5);
    assert_eq!(after(&mut watching, &[Key::PageUp]), 0);
    assert_eq!(after(&mut watching, &[Key::End]), 15);
    assert_eq!(watching.motion(), Motion::Paused);
    assert_eq!(after(&mut watching, &[Key::Home]), 0);
}

#[test]
fn space_pauses_goes_on_and_begins_again() {
    let mut watching = watching(3);
    watching.pass(SECOND);
    assert_eq!(after(&mut watching, &[Key::Char(' ')]), 1);
    watching.pass(SECOND * 5);
    assert_eq!((watching.turn(), watching.due()), (1, None));
    after(&mut watching, &[Key::Char(' ')]);
    watching.pass(SECOND);
    assert_eq!(watching.turn(), 2);
    // At the end there is nothing to go on with.
    after(&mut watching, &[Key::End, Key::Char(' ')]);
    assert_eq!((watching.turn(), watching.due()), (0, Some(SECOND)));
}

#[test]
fn n_goes_from_war_to_war_and_stays_at_the_last() {
    let mut watching = watching(20);
    for war in WARS {
        let war = war as usize;
        assert_eq!(after(&mut watching, &typed("n")), war);
    }
    assert_eq!(after(&mut watching, &typed("n")), 15);
}

#[test]
fn plus_and_minus_change_the_speed_within_its_bounds() {
    let mut watching = watching(9);
    after(&mut watching, &typed("--------"));
    assert_eq!(watching.due(), Some(SECOND * 2));
    after(&mut watching, &typed("+="));
    assert_eq!(watching.due(), Some(SECOND / 2));
    after(&mut watching, &typed("+++++++++++++++"));
    assert!(watching.pace().per_second() > 999.0);
}

#[test]
fn a_typed_turn_is_gone_to_and_other_keys_mean_nothing_meanwhile() {
    let mut watching = watching(150);
    after(&mut watching, &typed("/1n2+"));
    assert_eq!((watching.turn(), watching.pace()), (0, Pace::default()));
    after(&mut watching, &[Key::Backspace, Key::Char('3'), Key::Enter]);
    assert_eq!(watching.turn(), 13);
    // Beyond the end is the end, and nothing typed goes nowhere.
    after(&mut watching, &typed("/9999999999999999"));
    assert_eq!(after(&mut watching, &[Key::Enter]), 150);
    after(&mut watching, &[Key::Char('/'), Key::Enter]);
    after(
        &mut watching,
        &[Key::Char('/'), Key::Char('4'), Key::Escape],
    );
    assert_eq!(after(&mut watching, &[Key::Enter]), 150);
}

#[test]
fn any_key_closes_the_help_and_q_ends_all() {
    let mut watching = watching(9);
    after(&mut watching, &typed("?n"));
    assert_eq!(watching.turn(), 0);
    assert_eq!(after(&mut watching, &typed("n")), 3);
    for before in ["", "?", "/12"] {
        after(&mut watching, &typed(before));
        assert!(!watching.take(Input::Key(Key::Char('q'))), "{before:?}");
    }
}

#[test]
fn a_game_that_goes_on_shows_what_is_new_until_somebody_looks_back() {
    let mut watching = Watching::live(film(4), Pace::default());
    let come = |watching: &mut Watching, turn| {
        watching.take(Input::Frame(Box::new(frame(turn))));
        watching.turn()
    };
    assert_eq!((watching.turn(), watching.due()), (4, None));
    assert_eq!(come(&mut watching, 5), 5);
    // The same turn again, as more of it is known.
    assert_eq!(come(&mut watching, 5), 5);
    assert_eq!(watching.film().last(), 5);
    after(&mut watching, &[Key::Left]);
    assert_eq!(come(&mut watching, 6), 4);
    // Played on, it catches up.
    after(&mut watching, &typed(" "));
    watching.pass(SECOND);
    watching.pass(SECOND);
    assert_eq!((watching.turn(), watching.motion()), (6, Motion::Live));
    assert_eq!(come(&mut watching, 7), 7);
    after(&mut watching, &[Key::Home, Key::End]);
    assert_eq!(come(&mut watching, 8), 8);
    watching.take(Input::Over);
    assert_eq!(
        (watching.motion(), watching.grows()),
        (Motion::Paused, false)
    );
    after(&mut watching, &typed(" "));
    assert_eq!(watching.turn(), 0);
}

#[test]
fn nothing_is_there_before_the_first_turn_and_nothing_breaks() {
    let catalogue = Catalogue::built_in(Lang::En);
    let empty = Film::of(About::of(&header(), None, catalogue), []);
    let mut watching = Watching::live(empty, Pace::default());
    let keys = [Key::Right, Key::End, Key::Char('n'), Key::Char(' ')];
    assert_eq!(after(&mut watching, &keys), 0);
    watching.pass(SECOND);
    watching.take(Input::Frame(Box::new(frame(0))));
    assert_eq!(watching.turn(), 0);
}
