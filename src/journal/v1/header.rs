use super::super::{self as journal, Committed, Deal, Header};
use super::event::{ANY_RANK, Card, Player};
use super::{FORMAT, VERSION};
use crate::cards::{self, Generator, UnknownGenerator};
use crate::hex::Hex;
use crate::i18n::Lang;
use crate::rules::{
    CLASSIC, CUSTOM, Collect, DUELS, DUELS_DEFAULT, DUELS_RANDOM, DUELS_SHUFFLE, Draw, Limit,
    OutOfCards, Parameters, Repeated, VARIANTS, Variant, setup,
};
use crate::tokens::{self, Kind};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

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
#[derive(Serialize, Deserialize)]
#[serde(try_from = "RulesFields", untagged)]
enum Rules {
    War(WarRules),
    Tokens { id: String },
}

#[derive(Serialize, PartialEq, Eq)]
struct WarRules {
    id: String,
    face_down: u8,
    collect: String,
    out_of_cards: String,
    /// What becomes of hands that come back: only where the id does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    repetition: Option<String>,
    /// The limit, where there is one and the id does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_turns: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFields {
    id: String,
    #[serde(default, deserialize_with = "given")]
    face_down: Option<u8>,
    #[serde(default, deserialize_with = "given")]
    collect: Option<String>,
    #[serde(default, deserialize_with = "given")]
    out_of_cards: Option<String>,
    #[serde(default, deserialize_with = "given")]
    repetition: Option<String>,
    #[serde(default, deserialize_with = "given")]
    max_turns: Option<u32>,
}

/// A deck by its name or its shape.
struct Deck(cards::Deck);

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
    /// The generator of this name has no such seed.
    BadSeed {
        /// Its name.
        generator: String,
        /// The seed.
        seed: String,
    },
    /// No scenario's file can have this name.
    BadName(String),
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

    pub(in crate::journal) fn lift(self) -> Result<Header, Unliftable> {
        let rules = self.rules.lift(&self.deal)?;
        let header = Header {
            engine: self.engine,
            rules,
            players: self.players,
            deck: self.deck.0,
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
    fn lift(self) -> Result<Deal, Unliftable> {
        match self {
            Self::Shuffled { generator, seed } => Ok(Deal::Shuffled {
                generator: lifted_generator(generator, seed)?,
            }),
            Self::Fixed {
                generator,
                seed,
                player,
                cards,
            } => Ok(Deal::Fixed {
                generator: lifted_generator(generator, seed)?,
                seat: player.0,
                cards: cards.into_iter().map(|card| card.0).collect(),
            }),
            Self::Scenario { name } if name.contains(['/', '\0']) => Err(Unliftable::BadName(name)),
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
            journal::Rules::War(variant) => Self::War(WarRules::new(variant)),
            journal::Rules::Tokens(committed) => Self::Tokens {
                id: committed.kind.id().to_owned(),
            },
        }
    }

    /// The rules; those of a token game with what its deal says of it.
    fn lift(self, deal: &DealRecord) -> Result<journal::Rules, Unliftable> {
        let is_committed = matches!(deal, DealRecord::Committed { .. });
        match (self, deal) {
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
                let kind = known.ok_or(Unliftable::UnknownRules(id))?;
                Ok(journal::Rules::Tokens(Committed {
                    kind,
                    game,
                    commitment,
                    secret: tokens::Secret::new(seed),
                }))
            }
            (Self::War(rules), _) if !is_committed => rules.lift().map(journal::Rules::War),
            _ => Err(Unliftable::BadDeal),
        }
    }
}

impl WarRules {
    fn new(rules: &Variant) -> Self {
        let parameters = rules.parameters;
        let repetition = (rules.is_custom()).then(|| repetition_name(parameters.repetition));
        let max_turns = match parameters.limit {
            Some(Limit::Turns(turns)) if rules.is_custom() => Some(turns),
            _ => None,
        };
        Self {
            id: rules.id.to_owned(),
            face_down: parameters.face_down,
            collect: parameters.collect.name().to_owned(),
            out_of_cards: parameters.out_of_cards.name().to_owned(),
            repetition: repetition.map(str::to_owned),
            max_turns,
        }
    }

    fn lift(self) -> Result<Variant, Unliftable> {
        let mut known = VARIANTS.iter().copied().chain(self.custom());
        let rules = known.find(|variant| Self::new(variant) == self);
        rules.ok_or(Unliftable::UnknownRules(self.id))
    }

    /// The rules put together from these parameters, where the id says that they are.
    fn custom(&self) -> Option<Variant> {
        // The most that a game can be put together with.
        const MOST_FACE_DOWN: u8 = 5;
        let collect = Collect::ALL.into_iter();
        let out_of_cards = OutOfCards::ALL.into_iter();
        let parameters = Parameters {
            face_down: self.face_down,
            collect: { collect }.find(|collect| collect.name() == self.collect)?,
            out_of_cards: { out_of_cards }.find(|rule| rule.name() == self.out_of_cards)?,
            repetition: match self.repetition.as_deref()? {
                ENDS => Repeated::Ends,
                GOES_ON => Repeated::GoesOn,
                _ => return None,
            },
            draw: Draw::Top,
            limit: self.max_turns.map(Limit::Turns),
        };
        let is_custom = self.id == CUSTOM && self.face_down <= MOST_FACE_DOWN;
        is_custom.then(|| Variant::custom(parameters))
    }
}

impl TryFrom<RulesFields> for Rules {
    type Error = String;

    /// Only a token game has a name alone.
    fn try_from(fields: RulesFields) -> Result<Self, String> {
        let missing = |name: &str| format!("missing field `{name}`");
        match fields {
            RulesFields {
                id,
                face_down: None,
                collect: None,
                out_of_cards: None,
                repetition: None,
                max_turns: None,
            } if Kind::ALL.iter().any(|kind| kind.id() == id) => Ok(Self::Tokens { id }),
            fields => Ok(Self::War(WarRules {
                id: fields.id,
                face_down: fields.face_down.ok_or_else(|| missing("face_down"))?,
                collect: fields.collect.ok_or_else(|| missing("collect"))?,
                out_of_cards: fields.out_of_cards.ok_or_else(|| missing("out_of_cards"))?,
                repetition: fields.repetition,
                max_turns: fields.max_turns,
            })),
        }
    }
}

/// A field that may be left out, but may not be null.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

const ENDS: &str = "ends";
const GOES_ON: &str = "goes-on";

const fn repetition_name(repetition: Repeated) -> &'static str {
    match repetition {
        Repeated::Ends => ENDS,
        // No rules put together from parameters shuffle hands that come back.
        Repeated::GoesOn | Repeated::Reshuffled => GOES_ON,
    }
}

fn lifted_generator(name: String, seed: String) -> Result<Generator, Unliftable> {
    Generator::named(&name, &seed).map_err(|error| match error {
        UnknownGenerator::Name => Unliftable::UnknownGenerator(name),
        UnknownGenerator::Seed => Unliftable::BadSeed {
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
        let small = cards::Deck::Small.name();
        let (mut players, mut deck) = (Some("2"), Some(small.as_str()));
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
