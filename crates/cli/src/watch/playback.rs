use super::film::Film;
use std::time::Duration;
use war::projections::frames::Frame;

/// Shortest time between two pictures.
const MIN_FRAME_TIME: Duration = Duration::from_millis(33);

/// Longest time that one call of [`Playback::advance`] counts, unless a turn takes longer. Thus
/// playback does not skip turns after the program was suspended.
const MAX_STEP: Duration = Duration::from_millis(250);

/// Factor by which a turn with a war is shown longer than others, at speeds that people can follow.
const WAR_FACTOR: u32 = 2;

/// Turns skipped by Page Up and Page Down.
const PAGE_TURNS: usize = 10;

/// Playback of a film: the turn that is shown, the pace, and the overlay.
///
/// # Examples
///
/// See [the module](crate::watch).
#[derive(Debug, Clone)]
pub struct Playback {
    film: Film,
    /// Turn that is shown.
    turn: usize,
    pace: Pace,
    motion: Motion,
    /// True while more frames may come.
    is_growing: bool,
    overlay: Overlay,
}

/// Way in which the turn changes without input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Motion {
    /// Paused playback of one turn.
    Paused,
    /// Automatic playback, with the time for which this turn has been shown.
    Playing(Duration),
    /// Display of the newest turn.
    Live,
}

impl Playback {
    /// Plays a complete game from its beginning.
    #[must_use]
    pub const fn new(film: Film, pace: Pace) -> Self {
        Self {
            film,
            turn: 0,
            pace,
            motion: Motion::Playing(Duration::ZERO),
            is_growing: false,
            overlay: Overlay::None,
        }
    }

    /// Follows a game that is still being played.
    #[must_use]
    pub fn live(film: Film, pace: Pace) -> Self {
        let turn = film.last_turn();
        Self {
            turn,
            motion: Motion::Live,
            is_growing: true,
            ..Self::new(film, pace)
        }
    }

    /// Turn that is shown.
    #[must_use]
    pub const fn turn(&self) -> usize {
        self.turn
    }

    /// Time until the next turn is due; `None` if only input changes the turn.
    #[must_use]
    pub fn time_to_next_turn(&self) -> Option<Duration> {
        match self.motion {
            Motion::Playing(shown) => Some(
                self.turn_duration()
                    .saturating_sub(shown)
                    .max(MIN_FRAME_TIME),
            ),
            Motion::Paused | Motion::Live => None,
        }
    }

    /// Advances the playback by this much time.
    pub fn advance(&mut self, time: Duration) {
        let Motion::Playing(before) = self.motion else {
            return;
        };
        let mut shown = before + time.min(self.turn_duration().max(MAX_STEP));
        while self.turn < self.film.last_turn() && shown >= self.turn_duration() {
            shown -= self.turn_duration();
            self.turn += 1;
        }
        self.motion = match (self.turn < self.film.last_turn(), self.is_growing) {
            (true, _) => Motion::Playing(shown),
            (false, true) => Motion::Live,
            (false, false) => Motion::Paused,
        };
    }

    /// Handles an input; returns false to quit.
    pub fn handle(&mut self, input: PlaybackInput) -> bool {
        match input {
            PlaybackInput::Key(KeyPress::Char('q' | 'Q')) => return false,
            PlaybackInput::Key(key) => match self.overlay.handle(key) {
                Some(KeyEffect::Seek(turn)) => self.seek(turn),
                Some(KeyEffect::OverlayOnly) => {}
                None => self.press(key),
            },
            PlaybackInput::Frame(frame) => {
                self.film.push(*frame);
                if self.motion == Motion::Live {
                    self.turn = self.film.last_turn();
                }
            }
            PlaybackInput::EndOfGame => {
                self.is_growing = false;
                if self.motion == Motion::Live {
                    self.motion = Motion::Paused;
                }
            }
        }
        true
    }

    fn press(&mut self, key: KeyPress) {
        match key {
            KeyPress::Char(' ') => self.toggle(),
            KeyPress::Left => self.seek(self.turn.saturating_sub(1)),
            KeyPress::Right => self.seek(self.turn + 1),
            KeyPress::PageUp => self.seek(self.turn.saturating_sub(PAGE_TURNS)),
            KeyPress::PageDown => self.seek(self.turn + PAGE_TURNS),
            KeyPress::Home => self.seek(0),
            KeyPress::End => {
                self.seek(usize::MAX);
                if self.is_growing {
                    self.motion = Motion::Live;
                }
            }
            KeyPress::Char('n' | 'N') => {
                if let Some(turn) = self.film.next_war(self.turn) {
                    self.seek(turn);
                }
            }
            KeyPress::Char('+' | '=') => self.pace = self.pace.faster(),
            KeyPress::Char('-' | '_') => self.pace = self.pace.slower(),
            KeyPress::Char('/') => self.overlay = Overlay::TurnPrompt(String::new()),
            KeyPress::Char('?') => self.overlay = Overlay::Help,
            KeyPress::Char(_) | KeyPress::Enter | KeyPress::Backspace | KeyPress::Escape => {}
        }
    }

    /// Pauses at a turn, or at the last one if the film is shorter.
    fn seek(&mut self, turn: usize) {
        self.turn = turn.min(self.film.last_turn());
        self.motion = Motion::Paused;
    }

    fn toggle(&mut self) {
        if self.motion != Motion::Paused {
            self.motion = Motion::Paused;
            return;
        }
        if self.turn == self.film.last_turn() && !self.is_growing {
            self.turn = 0;
        }
        self.motion = Motion::Playing(Duration::ZERO);
    }

    /// Time for which the current turn is shown.
    fn turn_duration(&self) -> Duration {
        let pause = self.pace.turn_duration();
        if pause > MIN_FRAME_TIME && self.film.is_war(self.turn) {
            return pause * WAR_FACTOR;
        }
        pause
    }

    pub(super) const fn film(&self) -> &Film {
        &self.film
    }

    pub(super) const fn pace(&self) -> Pace {
        self.pace
    }

    pub(super) const fn motion(&self) -> Motion {
        self.motion
    }

    pub(super) const fn is_growing(&self) -> bool {
        self.is_growing
    }

    pub(super) const fn overlay(&self) -> &Overlay {
        &self.overlay
    }
}

/// Event that changes the playback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlaybackInput {
    /// Pressed key.
    Key(KeyPress),
    /// Next frame of the game, or a new version of the last frame.
    Frame(Box<Frame>),
    /// End of the game, after which no more frames come.
    EndOfGame,
}

/// Key that playback can handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyPress {
    /// Character.
    Char(char),
    /// Left arrow.
    Left,
    /// Right arrow.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// Enter.
    Enter,
    /// Backspace.
    Backspace,
    /// Escape.
    Escape,
}

/// Overlay on top of the game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Overlay {
    /// No overlay.
    #[default]
    None,
    /// Explanation of the keys.
    Help,
    /// Prompt for a turn, with the digits typed so far.
    TurnPrompt(String),
}

/// Effect of a key that an overlay handled.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum KeyEffect {
    /// Nothing, or a change of the overlay itself.
    OverlayOnly,
    /// Jump to this turn.
    Seek(usize),
}

impl Overlay {
    /// Maximum number of digits in a typed turn number.
    const MAX_DIGITS: usize = 9;

    /// Handles a key, if there is an overlay.
    pub(super) fn handle(&mut self, key: KeyPress) -> Option<KeyEffect> {
        let mut effect = KeyEffect::OverlayOnly;
        match self {
            Self::None => return None,
            Self::Help => *self = Self::None,
            Self::TurnPrompt(typed) => match key {
                KeyPress::Char(digit @ '0'..='9') if typed.len() < Self::MAX_DIGITS => {
                    typed.push(digit);
                }
                KeyPress::Backspace => {
                    typed.pop();
                }
                KeyPress::Enter => {
                    effect = typed
                        .parse()
                        .map_or(KeyEffect::OverlayOnly, KeyEffect::Seek);
                    *self = Self::None;
                }
                KeyPress::Escape => *self = Self::None,
                _ => {}
            },
        }
        Some(effect)
    }
}

/// Speed of playback.
///
/// # Examples
///
/// ```
/// use war_cli::watch::Pace;
///
/// let slow = Pace::ALL[0];
/// assert_eq!((slow.turns_per_second(), slow.turn_duration().as_secs()), (0.5, 2));
/// assert_eq!(Pace::default().turns_per_second(), 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pace(usize);

/// Speeds in turns per second.
const TURNS_PER_SECOND: [f64; 8] = [0.5, 1.0, 2.0, 4.0, 8.0, 20.0, 100.0, 1000.0];

impl Pace {
    /// All paces, the slowest first.
    pub const ALL: [Self; TURNS_PER_SECOND.len()] = {
        let mut all = [Self(0); TURNS_PER_SECOND.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = Self(index);
            index += 1;
        }
        all
    };

    /// Turns per second.
    #[must_use]
    pub fn turns_per_second(self) -> f64 {
        TURNS_PER_SECOND[self.0]
    }

    /// Time for which a turn is shown.
    #[must_use]
    pub fn turn_duration(self) -> Duration {
        Duration::from_secs_f64(self.turns_per_second().recip())
    }

    /// Next faster pace, or the fastest.
    pub(super) fn faster(self) -> Self {
        Self((self.0 + 1).min(TURNS_PER_SECOND.len() - 1))
    }

    /// Next slower pace, or the slowest.
    pub(super) const fn slower(self) -> Self {
        Self(self.0.saturating_sub(1))
    }
}

impl Default for Pace {
    /// One turn per second.
    fn default() -> Self {
        Self(1)
    }
}

#[cfg(test)]
mod tests {
    use super::{KeyPress, Motion, Pace, Playback, PlaybackInput};
    use crate::watch::film::{Film, GameInfo};
    use std::time::Duration;
    use war::cards::{Deck, Generator};
    use war::i18n::{Catalogue, Lang};
    use war::journal::Header;
    use war::projections::frames::{Frame, FrameContent, Turn};
    use war::recording::{NewGame, Recorder};
    use war::rules::CLASSIC;

    /// Turns of the test game that are wars.
    const WARS: [u32; 3] = [3, 7, 15];

    fn header() -> Header {
        let generator = Generator::ChaCha8 { seed: 1 };
        let opening = NewGame::shuffled(CLASSIC, Deck::Small, 2, generator).expect("a game");
        Recorder::new("test", opening, Lang::En).header().clone()
    }

    fn frame(turn: u32) -> Frame {
        let shown = Turn {
            is_war: WARS.contains(&turn),
            ..Turn::default()
        };
        Frame {
            turn,
            content: FrameContent::Turn(shown),
            text: String::new(),
        }
    }

    /// Film of a game that ends with this turn.
    fn film(last: u32) -> Film {
        let catalogue = Catalogue::built_in(Lang::En);
        Film::new(
            GameInfo::new(&header(), None, catalogue),
            (0..=last).map(frame),
        )
    }

    fn playback(last: u32) -> Playback {
        Playback::new(film(last), Pace::default())
    }

    /// Turn after pressing these keys.
    fn after(playback: &mut Playback, keys: &[KeyPress]) -> usize {
        for key in keys {
            assert!(playback.handle(PlaybackInput::Key(*key)), "{key:?} ends it");
        }
        playback.turn()
    }

    fn typed(keys: &str) -> Vec<KeyPress> {
        keys.chars().map(KeyPress::Char).collect()
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn turns_advance_at_the_pace_until_the_last_one() {
        let mut playback = playback(2);
        assert_eq!(playback.time_to_next_turn(), Some(SECOND));
        playback.advance(SECOND / 2);
        assert_eq!(
            (playback.turn(), playback.time_to_next_turn()),
            (0, Some(SECOND / 2))
        );
        playback.advance(SECOND / 2);
        assert_eq!(
            (playback.turn(), playback.time_to_next_turn()),
            (1, Some(SECOND))
        );
        playback.advance(SECOND);
        assert_eq!((playback.turn(), playback.time_to_next_turn()), (2, None));
        playback.advance(SECOND * 9);
        assert_eq!(playback.turn(), 2);
    }

    #[test]
    fn a_war_is_shown_longer_at_speeds_people_can_follow() {
        let mut slow = playback(9);
        slow.handle(PlaybackInput::Key(KeyPress::Char('n')));
        slow.handle(PlaybackInput::Key(KeyPress::Char(' ')));
        assert_eq!(
            (slow.turn(), slow.time_to_next_turn()),
            (3, Some(SECOND * 2))
        );
        let mut fast = Playback::new(film(9), Pace::ALL[7]);
        fast.advance(Duration::from_millis(5));
        assert_eq!(fast.turn(), 5);
    }

    #[test]
    fn fast_turns_advance_several_at_a_time_but_do_not_catch_up_after_a_stop() {
        let mut fast = Playback::new(film(5000), Pace::ALL[7]);
        // Pictures are at least 33 ms apart, even if turns follow each other faster.
        assert_eq!(fast.time_to_next_turn(), Some(Duration::from_millis(33)));
        fast.advance(Duration::from_millis(33));
        assert_eq!(fast.turn(), 33);
        fast.advance(Duration::from_secs(3600));
        assert_eq!(fast.turn(), 283);
        let mut slow = playback(9);
        slow.advance(Duration::from_secs(3600));
        assert_eq!(slow.turn(), 1);
    }

    #[test]
    fn steps_pause_and_stop_at_both_ends() {
        let mut playback = playback(15);
        assert_eq!(after(&mut playback, &[KeyPress::Left]), 0);
        assert_eq!(
            (playback.time_to_next_turn(), playback.motion()),
            (None, Motion::Paused)
        );
        assert_eq!(after(&mut playback, &[KeyPress::Right, KeyPress::Right]), 2);
        assert_eq!(after(&mut playback, &[KeyPress::Left]), 1);
        assert_eq!(after(&mut playback, &[KeyPress::PageDown]), 11);
        assert_eq!(after(&mut playback, &[KeyPress::PageDown]), 15);
        assert_eq!(after(&mut playback, &[KeyPress::Right]), 15);
        assert_eq!(after(&mut playback, &[KeyPress::PageUp]), 5);
        assert_eq!(after(&mut playback, &[KeyPress::PageUp]), 0);
        assert_eq!(after(&mut playback, &[KeyPress::End]), 15);
        assert_eq!(playback.motion(), Motion::Paused);
        assert_eq!(after(&mut playback, &[KeyPress::Home]), 0);
    }

    #[test]
    fn space_pauses_resumes_and_restarts() {
        let mut playback = playback(3);
        playback.advance(SECOND);
        assert_eq!(after(&mut playback, &[KeyPress::Char(' ')]), 1);
        playback.advance(SECOND * 5);
        assert_eq!((playback.turn(), playback.time_to_next_turn()), (1, None));
        after(&mut playback, &[KeyPress::Char(' ')]);
        playback.advance(SECOND);
        assert_eq!(playback.turn(), 2);
        // At the end, playback starts over.
        after(&mut playback, &[KeyPress::End, KeyPress::Char(' ')]);
        assert_eq!(
            (playback.turn(), playback.time_to_next_turn()),
            (0, Some(SECOND))
        );
    }

    #[test]
    fn n_goes_from_war_to_war_and_stops_at_the_last() {
        let mut playback = playback(20);
        for war in WARS {
            let war = war as usize;
            assert_eq!(after(&mut playback, &typed("n")), war);
        }
        assert_eq!(after(&mut playback, &typed("n")), 15);
    }

    #[test]
    fn plus_and_minus_change_the_speed_within_bounds() {
        let mut playback = playback(9);
        after(&mut playback, &typed("--------"));
        assert_eq!(playback.time_to_next_turn(), Some(SECOND * 2));
        after(&mut playback, &typed("+="));
        assert_eq!(playback.time_to_next_turn(), Some(SECOND / 2));
        after(&mut playback, &typed("+++++++++++++++"));
        assert!(playback.pace().turns_per_second() > 999.0);
    }

    #[test]
    fn the_prompt_goes_to_a_turn_and_ignores_other_keys() {
        let mut playback = playback(150);
        after(&mut playback, &typed("/1n2+"));
        assert_eq!((playback.turn(), playback.pace()), (0, Pace::default()));
        after(
            &mut playback,
            &[KeyPress::Backspace, KeyPress::Char('3'), KeyPress::Enter],
        );
        assert_eq!(playback.turn(), 13);
        // A turn beyond the end seeks the last one, and an empty prompt leaves the turn as it is.
        after(&mut playback, &typed("/9999999999999999"));
        assert_eq!(after(&mut playback, &[KeyPress::Enter]), 150);
        after(&mut playback, &[KeyPress::Char('/'), KeyPress::Enter]);
        after(
            &mut playback,
            &[KeyPress::Char('/'), KeyPress::Char('4'), KeyPress::Escape],
        );
        assert_eq!(after(&mut playback, &[KeyPress::Enter]), 150);
    }

    #[test]
    fn any_key_closes_the_help_and_q_always_quits() {
        let mut playback = playback(9);
        after(&mut playback, &typed("?n"));
        assert_eq!(playback.turn(), 0);
        assert_eq!(after(&mut playback, &typed("n")), 3);
        for before in ["", "?", "/12"] {
            after(&mut playback, &typed(before));
            assert!(
                !playback.handle(PlaybackInput::Key(KeyPress::Char('q'))),
                "{before:?}"
            );
        }
    }

    #[test]
    fn a_live_game_shows_the_newest_turn_until_the_user_goes_back() {
        let mut playback = Playback::live(film(4), Pace::default());
        let push = |playback: &mut Playback, turn| {
            playback.handle(PlaybackInput::Frame(Box::new(frame(turn))));
            playback.turn()
        };
        assert_eq!((playback.turn(), playback.time_to_next_turn()), (4, None));
        assert_eq!(push(&mut playback, 5), 5);
        // A new frame of the same turn replaces the old one.
        assert_eq!(push(&mut playback, 5), 5);
        assert_eq!(playback.film().last_turn(), 5);
        after(&mut playback, &[KeyPress::Left]);
        assert_eq!(push(&mut playback, 6), 4);
        // Once resumed, playback catches up with the newest turn.
        after(&mut playback, &typed(" "));
        playback.advance(SECOND);
        playback.advance(SECOND);
        assert_eq!((playback.turn(), playback.motion()), (6, Motion::Live));
        assert_eq!(push(&mut playback, 7), 7);
        after(&mut playback, &[KeyPress::Home, KeyPress::End]);
        assert_eq!(push(&mut playback, 8), 8);
        playback.handle(PlaybackInput::EndOfGame);
        assert_eq!(
            (playback.motion(), playback.is_growing()),
            (Motion::Paused, false)
        );
        after(&mut playback, &typed(" "));
        assert_eq!(playback.turn(), 0);
    }

    #[test]
    fn a_film_without_frames_is_handled() {
        let catalogue = Catalogue::built_in(Lang::En);
        let empty = Film::new(GameInfo::new(&header(), None, catalogue), []);
        let mut playback = Playback::live(empty, Pace::default());
        let keys = [
            KeyPress::Right,
            KeyPress::End,
            KeyPress::Char('n'),
            KeyPress::Char(' '),
        ];
        assert_eq!(after(&mut playback, &keys), 0);
        playback.advance(SECOND);
        playback.handle(PlaybackInput::Frame(Box::new(frame(0))));
        assert_eq!(playback.turn(), 0);
    }
}
