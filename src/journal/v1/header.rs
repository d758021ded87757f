use super::super::{self as journal, Deal, Header, HeaderError};
use super::correction::Correction;
use super::event::{ANY_RANK, Card, Player};
use super::rules::RulesRecord;
use super::{FORMAT, VERSION};
use crate::cards::{self, Generator, UnknownGenerator};
use crate::hex::Hex;
use crate::lang::Lang;
use crate::rules::{
    CLASSIC, CUSTOM, DUELS, DUELS_DEFAULT, DUELS_RANDOM, DUELS_SHUFFLE, VARIANTS, Variant, setup,
};
use crate::tokens::{self, Kind};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::journal) struct HeaderRecord {
    format: String,
    version: u32,
    engine: String,
    rules: RulesRecord,
    players: u8,
    deck: Deck,
    deal: DealRecord,
    console: Console,
    #[serde(skip_serializing)]
    pub(in crate::journal) chain: Hex<16>,
}

/// A deck by its name or its shape.
struct Deck(cards::Deck);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum DealRecord {
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
    Fixed {
        generator: String,
        seed: String,
        player: Player,
        cards: Vec<Card<ANY_RANK>>,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Console {
    renderer: u32,
    lang: String,
    corrections: Vec<Correction>,
}

impl HeaderRecord {
    pub(in crate::journal) fn new(header: &Header) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            engine: header.engine.clone(),
            rules: RulesRecord::new(&header.rules),
            players: header.players,
            deck: Deck(header.deck),
            deal: match (&header.deal, &header.rules) {
                (Deal::Shuffled { generator }, _) => DealRecord::Shuffled {
                    generator: generator.name().to_owned(),
                    seed: generator.seed(),
                },
                (
                    Deal::Fixed {
                        generator,
                        seat,
                        cards,
                    },
                    _,
                ) => DealRecord::Fixed {
                    generator: generator.name().to_owned(),
                    seed: generator.seed(),
                    player: Player(*seat),
                    cards: cards.iter().copied().map(Card).collect(),
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

    pub(in crate::journal) fn into_domain(self) -> Result<Header, HeaderError> {
        let rules = self.rules.into_domain(&self.deal)?;
        let header = Header {
            engine: self.engine,
            rules,
            players: self.players,
            deck: self.deck.0,
            deal: self.deal.into_domain()?,
            renderer: self.console.renderer,
            lang: match Lang::from_code(&self.console.lang) {
                Some(lang) => lang,
                None => return Err(HeaderError::UnknownLanguage(self.console.lang)),
            },
            corrections: Correction::into_domain(&self.console.corrections, rules.players())?,
        };
        if fits(&header) {
            Ok(header)
        } else {
            Err(HeaderError::BadCorrection)
        }
    }
}

/// Whether rules of this name are known here, whatever their parameters.
pub(in crate::journal) fn knows_rules(id: &str) -> bool {
    let variants = VARIANTS.iter().map(|variant| variant.id);
    let kinds = Kind::ALL.into_iter().map(Kind::id);
    variants
        .chain(kinds)
        .chain([CUSTOM])
        .any(|known| known == id)
}

/// Whether a game of these rules can be set up with this correction: only two editions take
/// players and deck from the command line, and one of them both or none.
fn corrects(rules: &journal::Rules, correction: &setup::Correction) -> bool {
    const EITHER: [Variant; 4] = [DUELS, DUELS_DEFAULT, DUELS_SHUFFLE, DUELS_RANDOM];
    let is_missing = matches!(
        correction,
        setup::Correction::PlayersMissing | setup::Correction::DeckMissing
    );
    match rules {
        journal::Rules::War(rules) if rules.id == CLASSIC.id => !is_missing,
        journal::Rules::War(rules) => EITHER.iter().any(|variant| variant.id == rules.id),
        journal::Rules::Tokens(_) => false,
    }
}

/// Whether a game dealt with these corrections is the one that they lead to.
fn fits(header: &Header) -> bool {
    let mut corrections = header.corrections.iter();
    if !corrections.all(|correction| corrects(&header.rules, correction)) {
        return false;
    }
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
    fn into_domain(self) -> Result<Deal, HeaderError> {
        match self {
            Self::Shuffled { generator, seed } => Ok(Deal::Shuffled {
                generator: generator_of(generator, seed)?,
            }),
            Self::Fixed {
                generator,
                seed,
                player,
                cards,
            } => Ok(Deal::Fixed {
                generator: generator_of(generator, seed)?,
                seat: player.0,
                cards: cards.into_iter().map(|card| card.0).collect(),
            }),
            Self::Scenario { name } if name.contains(['/', '\0']) => {
                Err(HeaderError::BadName(name))
            }
            Self::Scenario { name } => Ok(Deal::Scenario { name }),
            Self::Imported {} => Ok(Deal::Imported),
            Self::Committed { generator, .. } if generator != tokens::SHUFFLE => {
                Err(HeaderError::UnknownGenerator(generator))
            }
            Self::Committed { .. } => Ok(Deal::Committed),
        }
    }
}

fn generator_of(name: String, seed: String) -> Result<Generator, HeaderError> {
    Generator::named(&name, &seed).map_err(|error| match error {
        UnknownGenerator::Name => HeaderError::UnknownGenerator(name),
        UnknownGenerator::Seed => HeaderError::BadSeed {
            generator: name,
            seed,
        },
    })
}

impl Serialize for Deck {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Deck {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        // The shape of a deck that has a name is written by its name.
        let deck = cards::Deck::any(&name).filter(|deck| deck.name() == name);
        let deck = deck.map(Self);
        deck.ok_or_else(|| de::Error::unknown_variant(&name, &["small", "large", "thirteen"]))
    }
}
