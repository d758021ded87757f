use super::event::{ANY_RANK, CardRecord, PlayerRecord};
use crate::cards::{self, Generator, UnknownGenerator};
use crate::journal::header::{
    CommittedGame, Deal, Header, JournalFormat, NO_RENDERER, RecordedRules, is_known_renderer,
};
use crate::journal::problem::HeaderError;
use crate::lang::Lang;
use crate::rules::{
    CardChoice, CollectOrder, OutOfCards, Parameters, Piles, RepetitionRule, Rulebook, RulesId,
    Ruleset, SetupArguments, TurnLimit, VARIANTS, Variant, XY,
};
use crate::setup;
use crate::support::hex::Hex;
use crate::tokens::{self, Secret, TokenRules};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Value of the field `format`.
pub(in crate::journal) const FORMAT: &str = "war-journal";
pub(in crate::journal) const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::journal) struct HeaderRecord {
    pub(in crate::journal) format: String,
    pub(in crate::journal) version: u32,
    pub(in crate::journal) engine: String,
    pub(in crate::journal) rules: RulesRecord,
    pub(in crate::journal) players: u8,
    pub(in crate::journal) deck: DeckRecord,
    pub(in crate::journal) deal: DealRecord,
    pub(in crate::journal) console: ScreensRecord,
    #[serde(skip_serializing)]
    pub(in crate::journal) chain: Hex<16>,
}

/// A deck, recorded by its name or its shape.
pub(in crate::journal) struct DeckRecord(cards::Deck);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::journal) struct ScreensRecord {
    renderer: u32,
    lang: String,
    corrections: Vec<CorrectionRecord>,
}

impl HeaderRecord {
    pub(in crate::journal) fn new(header: &Header) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            engine: header.engine.clone(),
            rules: RulesRecord::new(&header.rules),
            players: header.players,
            deck: DeckRecord(header.deck),
            deal: DealRecord::new(&header.rules),
            console: ScreensRecord {
                renderer: header.renderer,
                lang: header.lang.code().to_owned(),
                corrections: header
                    .corrections
                    .iter()
                    .map(CorrectionRecord::new)
                    .collect(),
            },
            chain: Hex::ZERO,
        }
    }

    /// Converts the record, whose rules may also come from the rulebook `book`.
    pub(in crate::journal) fn into_domain(self, book: &Rulebook) -> Result<Header, HeaderError> {
        let renderer = self.console.renderer;
        if !is_known_renderer(renderer) {
            return Err(HeaderError::UnknownRenderer(renderer));
        }
        let lang = self.console.lang;
        let lang = Lang::from_code(&lang).ok_or(HeaderError::UnknownLanguage(lang))?;
        let rules = self.rules.into_domain(self.deal, book)?;
        if renderer != NO_RENDERER && !rules.has_screens() {
            return Err(HeaderError::UnknownRenderer(renderer));
        }
        let corrections =
            CorrectionRecord::into_domain(&self.console.corrections, rules.player_range())?;
        let header = Header {
            engine: self.engine,
            rules,
            players: self.players,
            deck: self.deck.0,
            renderer,
            lang,
            corrections,
            format: JournalFormat::V1,
        };
        if agrees_with_corrections(&header) {
            Ok(header)
        } else {
            Err(HeaderError::BadCorrection)
        }
    }
}

/// Returns true if rules with this name are known, with any parameters.
pub(in crate::journal) fn is_known_rules_id(id: &str) -> bool {
    let variants = VARIANTS.iter().map(|variant| variant.id);
    let of_tokens = TokenRules::ALL.into_iter().map(TokenRules::id);
    variants
        .chain(of_tokens)
        .chain(Piles::ALL.map(Piles::rules_id))
        .any(|known| known == id)
}

/// Returns true if the setup of a game by these rules can have this correction.
fn can_have_correction(rules: &RecordedRules, correction: &setup::Correction) -> bool {
    let is_missing = matches!(
        correction,
        setup::Correction::PlayersMissing | setup::Correction::DeckMissing
    );
    match rules {
        RecordedRules::War {
            rules: Ruleset::Edition(variant),
            ..
        } => match variant.setup_arguments {
            SetupArguments::Nothing => false,
            SetupArguments::Both => !is_missing,
            SetupArguments::Either => true,
        },
        // Nobody types the setup of these games, so it is never corrected.
        RecordedRules::War { .. } | RecordedRules::Tokens(_) => false,
    }
}

/// Returns true if the header has the players and the deck that its corrections lead to.
fn agrees_with_corrections(header: &Header) -> bool {
    let mut corrections = header.corrections.iter();
    if !corrections.all(|correction| can_have_correction(&header.rules, correction)) {
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

impl Serialize for DeckRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for DeckRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        // `Deck::parse` also accepts the shape of a named deck, such as `13x4`. A journal must have
        // the name.
        let deck = cards::Deck::parse(&name).filter(|deck| deck.name() == name);
        let deck = deck.map(Self);
        deck.ok_or_else(|| de::Error::unknown_variant(&name, &["small", "large", "thirteen"]))
    }
}

/// A wrongly typed value, from which the corrected value follows.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum CorrectionRecord {
    Both { players: String, deck: String },
    PlayersOutOfRange { provided: String },
    PlayersUnparseable { provided: String },
    PlayersMissing {},
    DeckMissing {},
    DeckUnrecognized { provided: String },
}

impl CorrectionRecord {
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

    /// Converts the corrections, which must be exactly those that the typed values need.
    fn into_domain(
        corrections: &[Self],
        (fewest, most): (u8, u8),
    ) -> Result<Vec<setup::Correction>, HeaderError> {
        let small = cards::Deck::Small.name();
        // The default is two players, unless the rules need more.
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

const ENDS: &str = "ends";

const GOES_ON: &str = "goes-on";

/// Rules: for War with their parameters, for token games and a program's own rules by name only.
#[derive(Serialize)]
#[serde(untagged)]
pub(in crate::journal) enum RulesRecord {
    War(WarRulesRecord),
    Program { id: String },
    Tokens { id: String },
}

#[derive(Serialize, PartialEq, Eq)]
pub(in crate::journal) struct WarRulesRecord {
    id: String,
    face_down: u8,
    collect: String,
    out_of_cards: String,
    /// The rule for repeated hands, unless the id implies it.
    #[serde(skip_serializing_if = "Option::is_none")]
    repetition: Option<String>,
    /// The turn limit, if there is one and the id doesn't imply it.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_turns: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFields {
    id: String,
    #[serde(default, deserialize_with = "deserialize_present")]
    face_down: Option<u8>,
    #[serde(default, deserialize_with = "deserialize_present")]
    collect: Option<String>,
    #[serde(default, deserialize_with = "deserialize_present")]
    out_of_cards: Option<String>,
    #[serde(default, deserialize_with = "deserialize_present")]
    repetition: Option<String>,
    #[serde(default, deserialize_with = "deserialize_present")]
    max_turns: Option<u32>,
}

impl RulesRecord {
    fn new(rules: &RecordedRules) -> Self {
        match rules {
            RecordedRules::War { rules, .. } => match rules {
                Ruleset::Edition(variant) => Self::War(WarRulesRecord::new(variant)),
                Ruleset::Program(rules) => Self::Program {
                    id: rules.id.to_string(),
                },
            },
            RecordedRules::Tokens(committed) => Self::Tokens {
                id: committed.rules.id().to_owned(),
            },
        }
    }

    /// Converts the rules together with the deal; rules of the calling program come from `book`.
    fn into_domain(self, deal: DealRecord, book: &Rulebook) -> Result<RecordedRules, HeaderError> {
        match self {
            Self::Tokens { id } if deal.is_committed() => {
                let known = TokenRules::from_id(&id);
                let rules = known.ok_or(HeaderError::UnknownRules(id))?;
                Ok(RecordedRules::Tokens(deal.into_token_game(rules)?))
            }
            Self::War(rules) if !deal.is_committed() => {
                let variant = rules.into_domain()?;
                let deal = deal.into_deal_of(&variant)?;
                let rules = variant.into();
                Ok(RecordedRules::War { rules, deal })
            }
            Self::Program { id } if !deal.is_committed() => {
                let known = book.find(&id).cloned();
                let rules = known.ok_or(HeaderError::ForeignRules(id))?.into();
                let deal = deal.into_deal()?;
                Ok(RecordedRules::War { rules, deal })
            }
            _ => Err(HeaderError::BadDeal),
        }
    }
}

impl WarRulesRecord {
    fn new(rules: &Variant) -> Self {
        let parameters = rules.parameters;
        let repetition = (rules.is_custom()).then(|| repetition_name(parameters.repetition));
        let max_turns = match parameters.limit {
            Some(TurnLimit::Turns(turns)) if rules.is_custom() => Some(turns),
            _ => None,
        };
        Self {
            id: rules.id.to_owned(),
            face_down: parameters.face_down,
            collect: parameters.collect.to_string(),
            out_of_cards: parameters.out_of_cards.name().to_owned(),
            repetition: repetition.map(str::to_owned),
            max_turns,
        }
    }

    fn into_domain(self) -> Result<Variant, HeaderError> {
        let mut known = VARIANTS.iter().copied().chain(self.custom());
        let rules = known.find(|variant| Self::new(variant) == self);
        rules.ok_or(HeaderError::UnknownRules(self.id))
    }

    /// The rules with these parameters, if the id is that of custom rules.
    fn custom(&self) -> Option<Variant> {
        const MAX_FACE_DOWN: u8 = 5;
        let parameters = Parameters {
            face_down: self.face_down,
            collect: CollectOrder::from_name(&self.collect)?,
            piles: { Piles::ALL.into_iter() }.find(|piles| piles.rules_id() == self.id)?,
            out_of_cards: OutOfCards::from_name(&self.out_of_cards)?,
            repetition: match self.repetition.as_deref()? {
                ENDS => RepetitionRule::Ends,
                GOES_ON => RepetitionRule::GoesOn,
                _ => return None,
            },
            card_choice: CardChoice::Top,
            limit: self.max_turns.map(TurnLimit::Turns),
        };
        let custom = Variant::custom(parameters);
        // Some orders of collecting need more players than the other parameters allow.
        let is_playable = custom.players.0 <= custom.players.1;
        (is_playable && self.face_down <= MAX_FACE_DOWN).then_some(custom)
    }
}

impl<'de> Deserialize<'de> for RulesRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = RulesFields::deserialize(deserializer)?;
        fields.into_record().map_err(de::Error::missing_field)
    }
}

impl RulesFields {
    /// Converts the fields; the error is the name of a missing field. Token games and a program's
    /// own rules have only a name.
    fn into_record(self) -> Result<RulesRecord, &'static str> {
        let has_parameters = self.face_down.is_some()
            || self.collect.is_some()
            || self.out_of_cards.is_some()
            || self.repetition.is_some()
            || self.max_turns.is_some();
        let id = self.id;
        if !has_parameters && TokenRules::from_id(&id).is_some() {
            return Ok(RulesRecord::Tokens { id });
        }
        if !has_parameters && id.parse::<RulesId>().is_ok() {
            return Ok(RulesRecord::Program { id });
        }
        Ok(RulesRecord::War(WarRulesRecord {
            id,
            face_down: self.face_down.ok_or("face_down")?,
            collect: self.collect.ok_or("collect")?,
            out_of_cards: self.out_of_cards.ok_or("out_of_cards")?,
            repetition: self.repetition,
            max_turns: self.max_turns,
        }))
    }
}

/// Deserializes a field that may be missing but not null.
pub(in crate::journal) fn deserialize_present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

const fn repetition_name(repetition: RepetitionRule) -> &'static str {
    match repetition {
        RepetitionRule::Ends => ENDS,
        // Custom rules never reshuffle repeated hands.
        RepetitionRule::GoesOn | RepetitionRule::Reshuffled => GOES_ON,
    }
}

/// Source of the cards.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(in crate::journal) enum DealRecord {
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
        player: PlayerRecord,
        cards: Vec<CardRecord<ANY_RANK>>,
    },
}

impl DealRecord {
    /// The record of the deal of these rules.
    fn new(rules: &RecordedRules) -> Self {
        let deal = match rules {
            RecordedRules::War { deal, .. } => deal,
            RecordedRules::Tokens(committed) => {
                return Self::Committed {
                    generator: tokens::GENERATOR_NAME.to_owned(),
                    game: committed.game,
                    commitment: committed.commitment,
                    seed: committed.secret.reveal(),
                };
            }
        };
        match deal {
            Deal::Shuffled { generator } => Self::Shuffled {
                generator: generator.name().to_owned(),
                seed: generator.seed(),
            },
            Deal::Fixed {
                generator,
                seat,
                cards,
            } => Self::Fixed {
                generator: generator.name().to_owned(),
                seed: generator.seed(),
                player: PlayerRecord(*seat),
                cards: cards.iter().copied().map(CardRecord).collect(),
            },
            Deal::Scenario { name } => Self::Scenario { name: name.clone() },
            Deal::Imported => Self::Imported {},
        }
    }

    /// Returns true if the cards follow from a commitment, as in token games.
    const fn is_committed(&self) -> bool {
        matches!(self, Self::Committed { .. })
    }

    /// Converts the deal of a game of this variant.
    fn into_deal_of(self, variant: &Variant) -> Result<Deal, HeaderError> {
        let deal = self.into_deal()?;
        if allows_deal(variant, &deal) {
            Ok(deal)
        } else {
            Err(HeaderError::BadDeal)
        }
    }

    /// Converts the deal of a game of War by any rules.
    fn into_deal(self) -> Result<Deal, HeaderError> {
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
            Self::Committed { .. } => Err(HeaderError::BadDeal),
        }
    }

    /// Converts the deal of a token game.
    fn into_token_game(self, rules: TokenRules) -> Result<CommittedGame, HeaderError> {
        match self {
            Self::Committed { generator, .. } if generator != tokens::GENERATOR_NAME => {
                Err(match Generator::from_name(&generator, "") {
                    Err(UnknownGenerator::Name) => HeaderError::UnknownGenerator(generator),
                    _ => HeaderError::BadDeal,
                })
            }
            Self::Committed {
                game,
                commitment,
                seed,
                ..
            } => Ok(CommittedGame {
                rules,
                game,
                commitment,
                secret: Secret::new(seed),
            }),
            _ => Err(HeaderError::BadDeal),
        }
    }
}

/// Returns true if a game of this variant can have this deal.
///
/// Every edition is dealt by its own generator or by that of simulated games. Only the X/Y edition
/// has tables printed elsewhere, and it has no scenarios.
fn allows_deal(variant: &Variant, deal: &Deal) -> bool {
    let is_xy = variant.id == XY.id;
    match deal {
        Deal::Shuffled { generator } => match generator {
            Generator::ChaCha8 { .. } => !is_xy && !variant.is_custom(),
            Generator::JavaRandom { .. } => is_xy,
            Generator::Xoshiro256PlusPlus { .. } => is_simulated(variant),
        },
        Deal::Fixed { generator, .. } => {
            matches!(generator, Generator::Xoshiro256PlusPlus { .. }) && is_simulated(variant)
        }
        Deal::Imported => is_xy,
        Deal::Scenario { .. } => !is_xy,
    }
}

/// Returns true if games of this variant can be simulated; those with a strategy requested by name
/// can't.
fn is_simulated(variant: &Variant) -> bool {
    variant.is_custom() || variant.is_edition()
}

fn generator_of(name: String, seed: String) -> Result<Generator, HeaderError> {
    Generator::from_name(&name, &seed).map_err(|error| match error {
        UnknownGenerator::Name if name == tokens::GENERATOR_NAME => HeaderError::BadDeal,
        UnknownGenerator::Name => HeaderError::UnknownGenerator(name),
        UnknownGenerator::Seed => HeaderError::BadSeed {
            generator: name,
            seed,
        },
    })
}
