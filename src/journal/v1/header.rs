use super::super::{self as journal, Committed, Deal, Header};
use super::{FORMAT, VERSION};
use crate::cards::{self, Generator, UnknownGenerator};
use crate::hex::Hex;
use crate::i18n::Lang;
use crate::rules::{self, VARIANTS, Variant, setup};
use crate::tokens::{self, Kind};
use serde::{Deserialize, Deserializer, Serialize};

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

/// The rules: those of War with their parameters, token games by their name alone.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RulesFields", untagged)]
enum Rules {
    War {
        id: String,
        face_down: u8,
        collect: String,
        out_of_cards: String,
    },
    Tokens {
        id: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFields {
    id: String,
    #[serde(default, deserialize_with = "present")]
    face_down: Option<u8>,
    #[serde(default, deserialize_with = "present")]
    collect: Option<String>,
    #[serde(default, deserialize_with = "present")]
    out_of_cards: Option<String>,
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
    Shuffled {
        generator: String,
        seed: String,
    },
    Scenario {
        name: String,
    },
    Imported {},
    Committed {
        generator: String,
        game: u64,
        commitment: Hex<32>,
        seed: Hex<32>,
    },
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
    /// These rules do not go with this deal.
    BadDeal,
    /// Corrections that were not needed, or that lead to another game.
    BadCorrection,
}

impl HeaderRecord {
    pub(in crate::journal) fn new(header: &Header) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            engine: header.engine.clone(),
            rules: Rules::new(&header.rules),
            players: header.players,
            deck: match header.deck {
                cards::Deck::Small => Deck::Small,
                cards::Deck::Large => Deck::Large,
                cards::Deck::Thirteen => Deck::Thirteen,
            },
            deal: match (&header.deal, &header.rules) {
                (Deal::Shuffled { generator }, _) => DealRecord::Shuffled {
                    generator: generator.name().to_owned(),
                    seed: generator.seed(),
                },
                (Deal::Scenario { name }, _) => DealRecord::Scenario { name: name.clone() },
                (Deal::Imported, _) => DealRecord::Imported {},
                (Deal::Committed, journal::Rules::War(_)) => {
                    unreachable!("only token games are dealt from a commitment")
                }
                (Deal::Committed, journal::Rules::Tokens(committed)) => DealRecord::Committed {
                    generator: tokens::SHUFFLE.to_owned(),
                    game: committed.game,
                    commitment: committed.commitment,
                    seed: committed.secret.reveal(),
                },
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
        let rules = self.rules.lift(&self.deal)?;
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
            corrections: Correction::lift(&self.console.corrections, rules.players())?,
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
            Self::Committed { generator, .. } if generator != tokens::SHUFFLE => {
                Err(Unliftable::UnknownGenerator(generator))
            }
            Self::Committed { .. } => Ok(Deal::Committed),
        }
    }
}

impl Rules {
    fn new(rules: &journal::Rules) -> Self {
        match rules {
            journal::Rules::War(Variant { id, parameters, .. }) => Self::War {
                id: (*id).to_owned(),
                face_down: parameters.face_down,
                collect: collect_name(parameters.collect).to_owned(),
                out_of_cards: out_of_cards_name(parameters.out_of_cards).to_owned(),
            },
            journal::Rules::Tokens(committed) => Self::Tokens {
                id: committed.kind.id().to_owned(),
            },
        }
    }

    /// The rules; those of a token game with what its deal says of it.
    fn lift(self, deal: &DealRecord) -> Result<journal::Rules, Unliftable> {
        let is_committed = matches!(deal, DealRecord::Committed { .. });
        match (&self, deal) {
            (
                Self::Tokens { id },
                &DealRecord::Committed {
                    game,
                    commitment,
                    seed,
                    ..
                },
            ) => {
                let known = Kind::ALL.into_iter().find(|kind| kind.id() == id);
                let kind = known.ok_or_else(|| Unliftable::UnknownRules(id.clone()))?;
                Ok(journal::Rules::Tokens(Committed {
                    kind,
                    game,
                    commitment,
                    secret: tokens::Secret::new(seed),
                }))
            }
            (Self::War { id, .. }, _) if !is_committed => {
                let mut variants = VARIANTS.iter().copied().map(journal::Rules::War);
                let known = variants.find(|rules| Self::new(rules) == self);
                known.ok_or_else(|| Unliftable::UnknownRules(id.clone()))
            }
            _ => Err(Unliftable::BadDeal),
        }
    }
}

impl TryFrom<RulesFields> for Rules {
    type Error = String;

    /// Only a token game has a name alone.
    fn try_from(fields: RulesFields) -> Result<Self, String> {
        let id = fields.id;
        let alone =
            fields.face_down.is_none() && fields.collect.is_none() && fields.out_of_cards.is_none();
        if alone && Kind::ALL.iter().any(|kind| kind.id() == id) {
            return Ok(Self::Tokens { id });
        }
        let missing = |name: &str| format!("missing field `{name}`");
        Ok(Self::War {
            id,
            face_down: fields.face_down.ok_or_else(|| missing("face_down"))?,
            collect: fields.collect.ok_or_else(|| missing("collect"))?,
            out_of_cards: fields.out_of_cards.ok_or_else(|| missing("out_of_cards"))?,
        })
    }
}

/// A field that may be left out, and is not null where it is there.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
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
