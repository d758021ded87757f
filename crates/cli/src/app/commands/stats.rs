use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::verdict::{conclude, not_opened, open};
use crate::cli::{Stats, check_drawing};
use crate::machine::input::is_standard;
use crate::machine::outputs::{Outputs, write_all};
use crate::machine::signals::Interruption;
use crate::wording::{drawing_titles, statistics_text};
use war::i18n::text;
use war::journal::{Judgement, RecordedRules, Verdict};
use war::projections::statistics::Statistics;
use war::replay::Replay;
use war_simulate::plot::draw_course;

/// Prints the figures of a recorded game that is verified, as far as it is intact, and draws the
/// chart of everyone's cards.
pub(crate) fn stats(options: &Stats, context: &mut Context) -> Result<Exit, Failure> {
    check_drawing(options.svg.as_deref()).map_err(Failure::usage)?;
    let (path, terminal) = (&options.file, &mut context.terminal);
    Interruption::of_readers(terminal.catalogue);
    let mut replay = match Replay::open(open(path, true)?, None) {
        Ok(replay) => replay,
        Err(error) => return Ok(conclude(path, &not_opened(error), terminal)),
    };
    let rules = replay.header().rules.clone();
    if options.svg.is_some() && matches!(rules, RecordedRules::Tokens(_)) {
        return Err(Failure::usage(text!(StatsNoChart)));
    }
    let mut statistics = Statistics::default();
    let found = replay.read_to_end(&mut statistics);
    let reading = replay.judged(found);
    // Its bar would stand where the figures do.
    drop(replay);
    let verdict = reading.as_ref().ok().map(Judgement::verdict);
    if let Some(Verdict::Verified | Verdict::Incomplete) = verdict {
        if !options.svg.as_deref().is_some_and(is_standard) {
            terminal.print(&statistics_text(&rules, &statistics, terminal.catalogue));
        }
        let [title, figures] = &drawing_titles(&rules, &statistics);
        let course = statistics.war.course();
        let drawing = || draw_course(course, [title, figures], terminal.catalogue);
        let output = Outputs::default().create(options.svg.as_deref())?;
        write_all([output], [&drawing])?;
    }
    Ok(conclude(path, &reading, terminal))
}
