//! An enumeration and its figures, as a table for people.

use war::i18n::{Catalogue, Count, Text, text};
use war_simulate::plot::rest_text;
use war_simulate::simulate::{
    Enumerated, Enumeration, Exact, GameSetup, Longest, MOST_DEALS, Method, NotEnumerable,
};

/// Why a deck can't be enumerated.
pub(crate) fn not_enumerable_text(
    error: &NotEnumerable,
    rules: &GameSetup,
    catalogue: &Catalogue,
) -> Text {
    match error {
        NotEnumerable::Orders(orders) => text!(
            SimOrders,
            collect = rules.parameters.collect.to_string(),
            orders = usize::from(*orders),
            players = 2_usize
        ),
        NotEnumerable::Chance => text!(
            EnumChance,
            collect = rules.parameters.collect.to_string(),
            rule = rules.parameters.out_of_cards.name(),
            piles = match rules.parameters.piles.name_of_two() {
                None => String::new(),
                Some(piles) => format!(", `--piles {piles}`"),
            }
        ),
        NotEnumerable::TooMany(deals) => text!(
            EnumTooMany,
            deals = catalogue.count(deals),
            most = Count(MOST_DEALS)
        ),
    }
}

/// What is enumerated, and which part of it.
pub(crate) fn enumeration_lines(
    enumeration: &Enumeration,
    played: &Enumerated,
    catalogue: &Catalogue,
) -> Vec<Text> {
    let rules = enumeration.parameters();
    let mut lines = vec![text!(
        EnumRules,
        deck = enumeration.deck().name(),
        face_down = rules.face_down.to_string(),
        collect = rules.collect.to_string(),
        rule = rules.out_of_cards.name(),
        rest = rest_text(
            rules.piles.name_of_two(),
            enumeration.most_turns(),
            catalogue
        ),
        deals = Count(enumeration.deals())
    )];
    let size = enumeration.deck().size();
    lines.push(if enumeration.swaps() {
        text!(EnumOneOfTwo)
    } else if size.is_multiple_of(2) {
        text!(EnumSeats)
    } else {
        let (first, second) = (size.div_ceil(2), size / 2);
        text!(
            EnumUnequal,
            first = first.to_string(),
            second = second.to_string()
        )
    });
    if !played.is_of_all_parts() {
        lines.push(text!(
            EnumShard,
            from = Count(played.parts.start),
            to = Count(played.parts.end.saturating_sub(1)),
            of = Count(played.of)
        ));
    }
    lines
}

/// What plays the deals.
pub(crate) fn method_line(enumeration: &Enumeration) -> Text {
    match enumeration.method() {
        Method::Single => text!(EnumSingle),
        Method::Portable => text!(EnumMerged, kernel = "portable"),
        Method::Avx2 => text!(EnumMerged, kernel = "avx2"),
        Method::Avx512 => text!(EnumMerged, kernel = "avx512"),
    }
}

/// The figures.
#[expect(
    clippy::cast_precision_loss,
    reason = "a figure has fewer digits than a float"
)]
pub(crate) fn exact_lines(played: &Enumerated, swaps: bool, catalogue: &Catalogue) -> Vec<Text> {
    let exact = &played.exact;
    let mut lines = Vec::new();
    if !played.is_complete() || !played.is_of_all_parts() {
        lines.push(text!(EnumPlayed, deals = Count(exact.deals)));
    }
    lines.push(outcomes(exact, swaps));
    lines.extend(periods(exact, catalogue));
    let finished = exact.finished_games();
    let mean = |sum: u64| catalogue.decimal(sum as f64 / finished as f64, 6);
    let (Some(turns), Some(pairs)) = (&exact.most_turns, &exact.most_pairs) else {
        return lines;
    };
    lines.push(text!(
        EnumTurns,
        sum = Count(exact.sum_of_turns()),
        games = Count(finished),
        mean = mean(exact.sum_of_turns()),
        most = Count(turns.turns.into())
    ));
    lines.push(text!(
        EnumPairs,
        sum = Count(exact.pairs),
        games = Count(finished),
        mean = mean(exact.pairs),
        most = Count(pairs.pairs)
    ));
    let [first, second] = hands(turns);
    lines.push(text!(
        EnumMostTurns,
        turns = Count(turns.turns.into()),
        pairs = Count(turns.pairs),
        first = first,
        second = second
    ));
    if pairs != turns {
        let [first, second] = hands(pairs);
        lines.push(text!(
            EnumMostPairs,
            turns = Count(pairs.turns.into()),
            pairs = Count(pairs.pairs),
            first = first,
            second = second
        ));
    }
    lines
}

/// The hands of a game, top card first.
fn hands(game: &Longest) -> [String; 2] {
    let cards = |hand: &Vec<_>| {
        let cards: Vec<_> = hand.iter().map(ToString::to_string).collect();
        cards.join(" ")
    };
    [cards(&game.hands[0]), cards(&game.hands[1])]
}

/// How many different periods are listed.
const LISTED: usize = 12;

/// The periods of endless games: each of them where they are few.
fn periods(exact: &Exact, catalogue: &Catalogue) -> Option<Text> {
    let periods: Vec<_> = exact.periods.iter().collect();
    let (&(min, _), &(max, _)) = (periods.first()?, periods.last()?);
    if periods.len() > LISTED {
        return Some(text!(
            EnumPeriods,
            min = Count(min.into()),
            max = Count(max.into())
        ));
    }
    let periods = periods.into_iter().map(|(period, deals)| {
        let text = text!(
            EnumPeriod,
            period = Count(period.into()),
            deals = Count(deals)
        );
        catalogue.text(&text)
    });
    let periods: Vec<_> = periods.collect();
    Some(text!(EnumFewPeriods, periods = periods.join(", ")))
}

/// How the games ended: won by either player where only one of two swapped deals is played.
fn outcomes(exact: &Exact, swaps: bool) -> Text {
    let [first, second] = exact.won;
    let drawn = Count(exact.drawn);
    let endless = Count(exact.endless);
    let undecided = Count(exact.undecided);
    if swaps {
        let won = Count(first + second);
        text!(
            EnumOutcomesOfEither,
            won = won,
            drawn = drawn,
            endless = endless,
            undecided = undecided
        )
    } else {
        text!(
            EnumOutcomes,
            first = Count(first),
            second = Count(second),
            drawn = drawn,
            endless = endless,
            undecided = undecided
        )
    }
}

/// About how long something takes that takes so many hours.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a time is positive, and one beyond all numbers is long enough"
)]
pub(crate) fn time_text(hours: f64, catalogue: &Catalogue) -> Text {
    const DAY: f64 = 24.0;
    const YEAR: f64 = 365.25 * DAY;
    match hours {
        hours if hours < 4.0 * DAY => text!(EnumHours, hours = catalogue.decimal(hours, 1)),
        hours if hours < 2.0 * YEAR => text!(EnumDays, days = Count((hours / DAY) as u64)),
        hours => text!(EnumYears, years = Count((hours / YEAR) as u64)),
    }
}
