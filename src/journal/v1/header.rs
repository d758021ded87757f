use super::rules::{DealRecord, RulesRecord};
use crate::journal::header::{Deal, Format, Header, RecordedRules, SILENT, is_known};
use crate::journal::problem::HeaderError;
use crate::lang::Lang;
use crate::rules::{Piles, Rulebook, Ruleset, Typed, VARIANTS};
use crate::support::hex::Hex;
use crate::tokens::TokenRules;
use crate::{cards, setup};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// What the first field of a journal says.
pub(in crate::journal) const FORMAT: &str = "war-journal";
/// The version that these types are.
pub(in crate::journal) const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::journal) struct HeaderRecord {
    pub(in crate::journal) format: String,
    pub(in crate::journal) version: u32,
    pub(in crate::journal) engine: String,
    pub(in crate::journal) rules: RulesRecord,
    pub(in crate::journal) players: u8,
    pub(in crate::journal) deck: Deck,
    pub(in crate::journal) deal: DealRecord,
    pub(in crate::journal) console: Console,
    #[serde(skip_serializing)]
    pub(in crate::journal) chain: Hex<16>,
}

/// A deck by its name or its shape.
pub(in crate::journal) struct Deck(cards::Deck);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::journal) struct Console {
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
            deal: DealRecord::new(&header.rules),
            console: Console {
                renderer: header.renderer,
                lang: header.lang.code().to_owned(),
                corrections: header.corrections.iter().map(Correction::new).collect(),
            },
            chain: Hex::ZERO,
        }
    }

    /// The header, whose rules may be those of this book beside the editions.
    pub(in crate::journal) fn into_domain(self, book: &Rulebook) -> Result<Header, HeaderError> {
        let renderer = self.console.renderer;
        if !is_known(renderer) {
            return Err(HeaderError::UnknownRenderer(renderer));
        }
        let lang = self.console.lang;
        let lang = Lang::from_code(&lang).ok_or(HeaderError::UnknownLanguage(lang))?;
        let rules = self.rules.into_domain(self.deal, book)?;
        if renderer != SILENT && !rules.prints() {
            return Err(HeaderError::UnknownRenderer(renderer));
        }
        let corrections = Correction::into_domain(&self.console.corrections, rules.players())?;
        let header = Header {
            engine: self.engine,
            rules,
            players: self.players,
            deck: self.deck.0,
            renderer,
            lang,
            corrections,
            format: Format::V1,
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
    let of_tokens = TokenRules::ALL.into_iter().map(TokenRules::id);
    variants
        .chain(of_tokens)
        .chain(Piles::ALL.map(Piles::rules_id))
        .any(|known| known == id)
}

/// Whether a game of these rules can be set up with this correction.
fn corrects(rules: &RecordedRules, correction: &setup::Correction) -> bool {
    let is_missing = matches!(
        correction,
        setup::Correction::PlayersMissing | setup::Correction::DeckMissing
    );
    match rules {
        RecordedRules::War {
            rules: Ruleset::Edition(variant),
            ..
        } => match variant.typed {
            Typed::Nothing => false,
            Typed::Both => !is_missing,
            Typed::Either => true,
        },
        // Nobody types what sets them up.
        RecordedRules::War { .. } | RecordedRules::Tokens(_) => false,
    }
}

/// Whether a game dealt with these corrections is the one that they lead to.
fn fits(header: &Header) -> bool {
    let mut corrections = header.corrections.iter();
    if !corrections.all(|correction| corrects(&header.rules, correction)) {
        return false;
    }
    if matches!(
        &header.rules,
        RecordedRules::War {
            deal: Deal::Scenario { .. },
            ..
        }
    ) {
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
    fn into_domain(
        corrections: &[Self],
        (fewest, most): (u8, u8),
    ) -> Result<Vec<setup::Correction>, HeaderError> {
        let small = cards::Deck::Small.name();
        // Two play, unless the rules are for more.
        let players_by_rules = fewest.max(2).to_string();
        let (mut players, mut deck) = (Some(players_by_rules.as_str()), Some(small.as_str()));
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
        let corrected = setup::Setup::from_options(players, deck, fewest..=most).corrections;
        if corrected
            .iter()
            .map(Self::new)
            .eq(corrections.iter().cloned())
        {
            Ok(corrected)
        } else {
            Err(HeaderError::BadCorrection)
        }
    }
}
