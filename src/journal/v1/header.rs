use super::super::{Deal, Header, Hex};
use super::{FORMAT, VERSION};
use crate::cards::{self, Generator, UnknownGenerator};
use crate::i18n::Lang;
use crate::rules::{self, VARIANTS, Variant, setup};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::journal) struct HeaderRecord {
    format: String,
    version: u32,
    engine: String,
    rules: Rules,
    players: u8,
    deck: Deck,
    deal: DealRecord,
    console: Console,
    #[serde(skip_serializing)]
    pub(in crate::journal) chain: Hex<16>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    id: String,
    face_down: u8,
    collect: String,
    out_of_cards: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Deck {
    Small,
    Large,
    Thirteen,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum DealRecord {
    Shuffled { generator: String, seed: String },
    Scenario { name: String },
    Imported {},
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Console {
    renderer: u32,
    lang: String,
    corrections: Vec<Correction>,
}

/// What was typed wrong; what it became follows from it.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Correction {
    Both { players: String, deck: String },
    PlayersOutOfRange { provided: String },
    PlayersUnparseable { provided: String },
    PlayersMissing {},
    DeckMissing {},
    DeckUnrecognized { provided: String },
}

/// Why a header that reads well cannot be understood.
pub(in crate::journal) enum Unliftable {
    /// These rules are not known here.
    UnknownRules(String),
    /// This generator is not known here.
    UnknownGenerator(String),
    /// The seed is no unsigned 64-bit decimal number.
    BadSeed(String),
    /// This language is not known here.
    UnknownLanguage(String),
    /// Corrections that were not needed, or that lead to another game.
    BadCorrection,
}

impl HeaderRecord {
    pub(in crate::journal) fn new(header: &Header) -> Self {
        let parameters = header.rules.parameters;
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            engine: header.engine.clone(),
            rules: Rules {
                id: header.rules.id.to_owned(),
                face_down: parameters.face_down,
                collect: collect_name(parameters.collect).to_owned(),
                out_of_cards: out_of_cards_name(parameters.out_of_cards).to_owned(),
            },
            players: header.players,
            deck: match header.deck {
                cards::Deck::Small => Deck::Small,
                cards::Deck::Large => Deck::Large,
                cards::Deck::Thirteen => Deck::Thirteen,
            },
            deal: match &header.deal {
                Deal::Shuffled { generator } => DealRecord::Shuffled {
                    generator: generator.name().to_owned(),
                    seed: generator.seed(),
                },
                Deal::Scenario { name } => DealRecord::Scenario { name: name.clone() },
                Deal::Imported => DealRecord::Imported {},
            },
            console: Console {
                renderer: header.renderer,
                lang: header.lang.code().to_owned(),
                corrections: header.corrections.iter().map(Correction::new).collect(),
            },
            chain: Hex::ZERO,
        }
    }

    pub(in crate::journal) fn lift(self) -> Result<Header, Unliftable> {
        let rules = self.rules.lift()?;
        let header = Header {
            engine: self.engine,
            rules,
            players: self.players,
            deck: match self.deck {
                Deck::Small => cards::Deck::Small,
                Deck::Large => cards::Deck::Large,
                Deck::Thirteen => cards::Deck::Thirteen,
            },
            deal: self.deal.lift()?,
            renderer: self.console.renderer,
            lang: match Lang::from_code(&self.console.lang) {
                Some(lang) => lang,
                None => return Err(Unliftable::UnknownLanguage(self.console.lang)),
            },
            corrections: Correction::lift(&self.console.corrections, rules.players)?,
        };
        if fits(&header) {
            Ok(header)
        } else {
            Err(Unliftable::BadCorrection)
        }
    }
}

/// Whether a game dealt with these corrections is the one that they lead to.
fn fits(header: &Header) -> bool {
    if matches!(header.deal, Deal::Scenario { .. }) {
        return true;
    }
    header
        .corrections
        .iter()
        .all(|correction| match correction {
            setup::Correction::Both { .. } => {
                (header.players, header.deck) == (2, cards::Deck::Small)
            }
            setup::Correction::PlayersOutOfRange { set_to, .. } => header.players == *set_to,
            setup::Correction::PlayersMissing | setup::Correction::PlayersUnparseable { .. } => {
                header.players == 2
            }
            setup::Correction::DeckMissing | setup::Correction::DeckUnrecognized { .. } => {
                header.deck == cards::Deck::Small
            }
        })
}

impl DealRecord {
    fn lift(self) -> Result<Deal, Unliftable> {
        match self {
            Self::Shuffled { generator, seed } => match Generator::named(&generator, &seed) {
                Ok(generator) => Ok(Deal::Shuffled { generator }),
                Err(UnknownGenerator::Name) => Err(Unliftable::UnknownGenerator(generator)),
                Err(UnknownGenerator::Seed) => Err(Unliftable::BadSeed(seed)),
            },
            Self::Scenario { name } => Ok(Deal::Scenario { name }),
            Self::Imported {} => Ok(Deal::Imported),
        }
    }
}

impl Rules {
    fn lift(self) -> Result<Variant, Unliftable> {
        let known = VARIANTS.iter().find(|variant| {
            let parameters = variant.parameters;
            self.id == variant.id
                && self.face_down == parameters.face_down
                && self.collect == collect_name(parameters.collect)
                && self.out_of_cards == out_of_cards_name(parameters.out_of_cards)
        });
        known.copied().ok_or(Unliftable::UnknownRules(self.id))
    }
}

const fn collect_name(collect: rules::Collect) -> &'static str {
    match collect {
        rules::Collect::Seat => "seat",
        rules::Collect::Shuffled => "shuffled",
    }
}

const fn out_of_cards_name(out_of_cards: rules::OutOfCards) -> &'static str {
    match out_of_cards {
        rules::OutOfCards::EndOfCards => "eoc",
        rules::OutOfCards::Shrink => "shrink",
    }
}

impl Correction {
    fn new(correction: &setup::Correction) -> Self {
        match correction.clone() {
            setup::Correction::Both { players, deck } => Self::Both { players, deck },
            setup::Correction::PlayersOutOfRange { provided, .. } => {
                Self::PlayersOutOfRange { provided }
            }
            setup::Correction::PlayersUnparseable { provided } => {
                Self::PlayersUnparseable { provided }
            }
            setup::Correction::PlayersMissing => Self::PlayersMissing {},
            setup::Correction::DeckMissing => Self::DeckMissing {},
            setup::Correction::DeckUnrecognized { provided } => Self::DeckUnrecognized { provided },
        }
    }

    /// What was corrected: all of it had to be, and nothing else.
    fn lift(
        corrections: &[Self],
        (fewest, most): (u8, u8),
    ) -> Result<Vec<setup::Correction>, Unliftable> {
        let (mut players, mut deck) = (Some("2"), Some(cards::Deck::Small.name()));
        for correction in corrections {
            match correction {
                Self::Both {
                    players: typed,
                    deck: typed_deck,
                } => {
                    players = Some(typed.as_str());
                    deck = Some(typed_deck.as_str());
                }
                Self::PlayersOutOfRange { provided } | Self::PlayersUnparseable { provided } => {
                    players = Some(provided);
                }
                Self::PlayersMissing {} => players = None,
                Self::DeckMissing {} => deck = None,
                Self::DeckUnrecognized { provided } => deck = Some(provided),
            }
        }
        let lifted = setup::Setup::from_options(players, deck, fewest..=most).corrections;
        if lifted.iter().map(Self::new).eq(corrections.iter().cloned()) {
            Ok(lifted)
        } else {
            Err(Unliftable::BadCorrection)
        }
    }
}
