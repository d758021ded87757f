//! Catalogue messages for the engine's errors.

use crate::i18n::{Text, text};
use crate::import::LineError;
use crate::journal::{
    FileError, GameError, GameMismatch, HeaderError, Meta, MetaError, Problem, RecordError,
};
use crate::scenario::{ContentError, ScenarioError, SyntaxError, UnexpectedInput};
use crate::support::encoding::EncodingError;
use crate::support::sanitize::truncate_text;
use crate::tokens::{Seats, TextError};

impl From<&Problem> for Text {
    fn from(problem: &Problem) -> Self {
        match problem {
            Problem::File(error) => (*error).into(),
            Problem::Header(error) => error.into(),
            Problem::Record(error) => error.into(),
            Problem::Game(error) => error.into(),
            Problem::Unexpected(error) => (*error).into(),
        }
    }
}

impl From<FileError> for Text {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Empty => text!(JournalEmpty),
            FileError::ByteOrderMark => text!(JournalBom),
            FileError::Utf16 => text!(JsonUtf16),
            FileError::NotJson => text!(JournalNotJson),
            FileError::OtherJson => text!(JournalOtherJson),
            FileError::NoBeginning { .. } => text!(JournalNoBeginning),
        }
    }
}

/// Error for text in another encoding.
impl From<&EncodingError> for Text {
    fn from(error: &EncodingError) -> Self {
        if error.is_utf16 {
            text!(TextUtf16)
        } else {
            text!(TextNotUtf8)
        }
    }
}

impl EncodingError {
    /// Message about JSON, which may not start with a byte-order mark.
    #[must_use]
    pub fn json_text(&self) -> Text {
        if self.is_utf16 {
            text!(JsonUtf16)
        } else {
            text!(JsonNotUtf8)
        }
    }
}

impl From<&HeaderError> for Text {
    fn from(error: &HeaderError) -> Self {
        match error {
            HeaderError::Version { version, known } => text!(
                JournalVersion,
                version = version.as_str(),
                known = known.to_string()
            ),
            HeaderError::UnknownRules(rules) => text!(JournalUnknownRules, rules = shorten(rules)),
            HeaderError::ForeignRules(rules) => text!(JournalOwnRules, rules = shorten(rules)),
            HeaderError::UnknownGenerator(name) => {
                text!(JournalUnknownGenerator, generator = shorten(name))
            }
            HeaderError::BadSeed { generator, seed } => text!(
                JournalBadSeed,
                generator = generator.as_str(),
                seed = shorten(seed)
            ),
            HeaderError::BadName(name) => text!(JournalBadName, name = shorten(name)),
            HeaderError::UnknownLanguage(lang) => {
                text!(JournalUnknownLanguage, lang = shorten(lang))
            }
            HeaderError::UnknownRenderer(renderer) => {
                text!(JournalUnknownRenderer, renderer = renderer.to_string())
            }
            HeaderError::BadDeal => text!(JournalDealKind),
            HeaderError::BadCorrection => text!(JournalBadCorrection),
            HeaderError::Meta(error) => text!(JournalMeta, reason = Self::from(error)),
            HeaderError::CutOff => text!(JournalHeaderCut),
        }
    }
}

impl From<&MetaError> for Text {
    fn from(error: &MetaError) -> Self {
        match error {
            MetaError::EmptyKey => text!(MetaEmptyKey),
            MetaError::Duplicate(key) => text!(MetaDuplicate, key = shorten(key)),
            MetaError::Unordered(key) => text!(MetaUnordered, key = shorten(key)),
            MetaError::TooMany => text!(MetaTooMany, most = Meta::MAX_ENTRIES),
            MetaError::TooLong => text!(MetaTooLong, longest = Meta::MAX_BYTES),
        }
    }
}

impl From<&RecordError> for Text {
    fn from(error: &RecordError) -> Self {
        let field = |reason: Self| text!(JournalField, reason = reason);
        match error {
            RecordError::Syntax => text!(JournalSyntax),
            RecordError::Field(error) => field(error.into()),
            RecordError::Text(TextError::Name) => field(text!(FieldNoName)),
            RecordError::Text(TextError::ClientSeed) => field(text!(FieldNoClientSeed)),
            RecordError::PlayerNumbers => field(text!(
                FieldNoNumbers,
                highest = Seats::HIGHEST_NUMBER.to_string()
            )),
            RecordError::NewerVersion(error) => text!(JournalNewer, reason = Self::from(error)),
            RecordError::NotCanonical => text!(JournalNotCanonical),
            RecordError::ListForObject => field(text!(FieldShape)),
            RecordError::WrongType => field(text!(FieldUnfit)),
            RecordError::NotOneRecord => field(text!(FieldLine)),
            RecordError::MixedForms => field(text!(FieldForm)),
            RecordError::TooLong => text!(JournalTooLong),
            RecordError::HeaderTooLong => text!(JournalHeaderTooLong),
            RecordError::TooDeep => text!(JournalTooDeep),
            RecordError::CutOff { events } => text!(JournalCutOff, events = *events),
            RecordError::NoEnd { events } => text!(JournalNoEnd, events = *events),
            RecordError::Sequence { expected, found } => text!(
                JournalSequence,
                expected = expected.to_string(),
                found = found.to_string()
            ),
            RecordError::Chain { seq } => text!(JournalChain, seq = seq.to_string()),
            RecordError::HeaderChain => text!(JournalHeaderChain),
            RecordError::EndChain => text!(JournalEndChain),
            RecordError::CompactChain => text!(JournalCompactChain),
            RecordError::Digest { expected, found } => text!(
                JournalDigest,
                expected = expected.to_string(),
                found = found.to_string()
            ),
            RecordError::OtherKey(found) => text!(SignatureOtherKey, found = found.as_str()),
            RecordError::Signature => text!(SignatureWrong),
            RecordError::EndWinner => text!(JournalEndWinner),
            RecordError::UpgradedFrom { found, expected } => text!(
                JournalUpgradedFrom,
                found = found.to_string(),
                expected = expected.to_string()
            ),
            RecordError::DataAfterEnd => text!(JournalDataAfterEnd),
        }
    }
}

impl From<&GameError> for Text {
    fn from(error: &GameError) -> Self {
        match error {
            GameError::Event { seq, turn } => {
                text!(JournalDiverges, seq = seq.to_string(), turn = *turn)
            }
            GameError::Turn {
                seq,
                found,
                expected,
            } => text!(
                JournalTurn,
                seq = seq.to_string(),
                found = *found,
                expected = *expected
            ),
            GameError::State {
                seq,
                turn,
                found,
                expected,
            } => text!(
                JournalState,
                seq = seq.to_string(),
                turn = *turn,
                found = found.to_string(),
                expected = expected.to_string()
            ),
            GameError::End {
                field,
                found,
                expected,
            } => text!(
                JournalEnd,
                field = *field,
                found = found.as_str(),
                expected = expected.as_str()
            ),
            GameError::Console {
                found,
                found_bytes,
                expected,
                expected_bytes,
            } => text!(
                JournalConsole,
                found = found.to_string(),
                found_bytes = found_bytes.to_string(),
                expected = expected.to_string(),
                expected_bytes = expected_bytes.to_string()
            ),
            GameError::NotDealt => text!(JournalNotDealt),
            GameError::NotStarted => text!(JournalNotStarted),
            GameError::Players { found, expected } => text!(
                JournalDealPlayers,
                found = *found,
                expected = usize::from(*expected)
            ),
            GameError::PlayersOfRules {
                found,
                fewest,
                most,
            } => text!(
                JournalRulesPlayers,
                found = *found,
                players = range(*fewest, *most)
            ),
            GameError::NotDeck => text!(JournalNoDeck),
            GameError::Generator => text!(JournalGenerator),
            GameError::Chance => text!(JournalChance),
            GameError::Impossible { seq, turn } => {
                text!(JournalImpossible, seq = seq.to_string(), turn = *turn)
            }
            GameError::Commitment => text!(JournalCommitment),
            GameError::OpenedSeed(seat) => text!(JournalOpenedSeed, seat = seat.to_string()),
        }
    }
}

impl From<GameMismatch> for Text {
    fn from(error: GameMismatch) -> Self {
        match error {
            GameMismatch::War => text!(JournalNoTokens),
            GameMismatch::Commitment { expected, found } => text!(
                JournalOtherCommitment,
                expected = expected.to_string(),
                found = found.to_string()
            ),
            GameMismatch::Game { expected, found } => text!(
                JournalOtherGame,
                expected = expected.to_string(),
                found = found.to_string()
            ),
            GameMismatch::Seed {
                seat,
                expected,
                found,
            } => text!(
                JournalOtherSeed,
                seat = seat.to_string(),
                expected = expected.to_string(),
                found = found.to_string()
            ),
            GameMismatch::NoSeed { seat, expected } => text!(
                JournalNoSeed,
                seat = seat.to_string(),
                expected = expected.to_string()
            ),
            GameMismatch::Texts => text!(JournalTextSeeds),
        }
    }
}

fn range(fewest: u8, most: u8) -> String {
    if fewest == most {
        most.to_string()
    } else {
        format!("{fewest}–{most}")
    }
}

/// Truncates a value for a message.
fn shorten(found: &str) -> String {
    const LONGEST: usize = 80;
    truncate_text(found, LONGEST)
}

impl From<&ScenarioError> for Text {
    fn from(error: &ScenarioError) -> Self {
        match error {
            ScenarioError::Syntax(error) => error.into(),
            ScenarioError::Content(error) => error.into(),
        }
    }
}

impl From<&SyntaxError> for Text {
    fn from(error: &SyntaxError) -> Self {
        match error {
            SyntaxError::Empty => text!(ScenarioEmpty),
            SyntaxError::ByteOrderMark => text!(ScenarioBom),
            SyntaxError::Encoding(error) => text!(
                ScenarioEncoding,
                line = error.line,
                column = error.column,
                reason = error.json_text()
            ),
            SyntaxError::At {
                line,
                column,
                found,
            } => {
                let reason = match found {
                    UnexpectedInput::End => text!(SyntaxEnds),
                    UnexpectedInput::Character(found) => {
                        text!(SyntaxUnexpected, found = found.as_str())
                    }
                };
                text!(
                    ScenarioSyntax,
                    line = *line,
                    column = *column,
                    reason = reason
                )
            }
        }
    }
}

impl From<&ContentError> for Text {
    fn from(error: &ContentError) -> Self {
        match error {
            ContentError::NotRows { found } => text!(ScenarioNoRows, found = found.as_str()),
            ContentError::NotRow { row, found } => {
                text!(ScenarioNoRow, row = *row, found = found.as_str())
            }
            ContentError::NotNumber { row, found } => {
                text!(ScenarioNoNumber, row = *row, found = found.as_str())
            }
            ContentError::Value { row, lowest, found } => match lowest {
                1 => text!(ScenarioValueAny, row = *row, found = found.as_str()),
                _ => text!(ScenarioValue, row = *row, found = found.as_str()),
            },
            ContentError::Players {
                found,
                fewest,
                most,
            } => player_count_text(*found, *fewest, *most),
            ContentError::NoCard => text!(ScenarioNoCard),
            ContentError::Cards { found } => text!(ScenarioCardsAnyRank, found = *found),
            ContentError::TooManyCards { found } => text!(ScenarioTooManyAny, found = *found),
            ContentError::NotDeck { found } => match found {
                ..=23 => text!(ScenarioTooFew, found = *found),
                24..=51 => text!(ScenarioBetween, found = *found),
                _ => text!(ScenarioTooMany, found = *found),
            },
            ContentError::Values { found } => text!(ScenarioValuesMany, found = *found),
        }
    }
}

/// Message for a wrong number of players, with a hint that depends on the allowed numbers.
fn player_count_text(found: usize, fewest: u8, most: u8) -> Text {
    match (fewest, most) {
        (2, 2) => text!(ScenarioPlayersTwo, found = found),
        (1, _) if found == 0 => text!(ScenarioNoPlayer),
        (1, _) => text!(ScenarioPlayers, found = found),
        _ if found < usize::from(fewest) => text!(ScenarioPlayersFew, found = found),
        _ => text!(ScenarioPlayersMany, found = found),
    }
}

impl From<&LineError> for Text {
    fn from(error: &LineError) -> Self {
        match error {
            LineError::NoTable => text!(ImportEmpty),
            LineError::NotHeader { found } => text!(ImportNoHeader, found = found.as_str()),
            LineError::NotRow { found } => text!(ImportNoRow, found = found.as_str()),
            LineError::GameNotOver { found } => text!(ImportNoRound, found = found.as_str()),
            LineError::IncompletePair { found } => text!(ImportNoPair, found = found.as_str()),
            LineError::UnknownCard { found } => text!(ImportNoRank, found = found.as_str()),
            LineError::AfterEnd { found } => text!(ImportAfterEnd, found = found.as_str()),
            LineError::NoEnd => text!(ImportNoEnd),
            LineError::EndsEarly { found } => text!(ImportEndsEarly, found = found.as_str()),
            LineError::ImpossibleCard { player, card } => {
                text!(
                    ImportImpossibleCard,
                    player = *player,
                    card = card.to_string()
                )
            }
            LineError::OtherRow { expected, found } => text!(
                ImportOtherRow,
                expected = expected.as_str(),
                found = found.as_str()
            ),
        }
    }
}
