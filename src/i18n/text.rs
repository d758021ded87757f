use crate::support::fields::FieldError;
use std::borrow::Cow;

/// Creates a [`Text`] from a message of `i18n/en.ftl` and its arguments.
///
/// The message is written in camel case, `war-lasted` as `WarLasted`, and each argument by its
/// name. An argument is anything that converts into a [`Value`].
///
/// # Examples
///
/// ```
/// use war::i18n::{Catalogue, Lang, text};
///
/// let english = Catalogue::built_in(Lang::En);
/// let lasted = text!(WarLasted, rounds = 3_u32);
/// assert_eq!(english.format_text(&lasted), "War lasted 3 rounds.");
/// assert_eq!(english.format_text(&text!(LuckyNone)), "Lucky players: none.");
/// ```
///
/// A message that is not in the catalogue does not compile:
///
/// ```compile_fail,E0422
/// war::i18n::text!(WarBegan, rounds = 3_u32);
/// ```
///
/// Nor does a message without an argument that it needs:
///
/// ```compile_fail,E0063
/// war::i18n::text!(WarLasted);
/// ```
///
/// Nor does a message with an argument that it does not have:
///
/// ```compile_fail,E0560
/// war::i18n::text!(WarLasted, rounds = 3_u32, turns = 3_u32);
/// ```
#[macro_export]
macro_rules! text {
    ($message:ident $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::i18n::Text::from($crate::i18n::messages::$message {
            $($name: $crate::i18n::Value::from($value)),*
        })
    };
}

pub use text;

/// A message with its arguments, to be formatted in any language; created by [`text!`].
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    message: Message,
    values: Vec<(&'static str, Value)>,
}

/// An argument of a message.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number, which may select a plural.
    Number(u64),
    /// A number that may select a plural, and is formatted with separators.
    Count(u64),
    /// A word that is the same in every language.
    Word(Cow<'static, str>),
    /// Another text, in the same language.
    Text(Box<Text>),
}

impl Text {
    /// Message of the text, without its arguments.
    #[must_use]
    pub const fn message(&self) -> Message {
        self.message
    }

    /// Applies a function to all words among the arguments, including those of inner texts.
    #[must_use]
    pub fn map_words(&self, map: fn(&str) -> String) -> Self {
        let mapped = |value: &Value| match value {
            Value::Word(word) => Value::from(map(word)),
            Value::Text(text) => Value::from(text.map_words(map)),
            number => number.clone(),
        };
        let values = self.values.iter();
        let values = values.map(|(name, value)| (*name, mapped(value)));
        Self {
            message: self.message,
            values: values.collect(),
        }
    }

    pub(super) const fn of(id: &'static str, values: Vec<(&'static str, Value)>) -> Self {
        let message = Message(id);
        Self { message, values }
    }

    pub(super) fn values(&self) -> &[(&'static str, Value)] {
        &self.values
    }
}

/// A number formatted with the separators of the language, such as `1,000,000`.
///
/// # Examples
///
/// ```
/// use war::i18n::{Catalogue, Count, Lang, text};
///
/// let polish = Catalogue::built_in(Lang::Pl);
/// let played = text!(EnumPlayed, deals = Count(31_532_760));
/// assert!(polish.format_text(&played).ends_with("31\u{a0}532\u{a0}760"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count(pub u64);

impl From<Count> for Value {
    fn from(Count(number): Count) -> Self {
        Self::Count(number)
    }
}

/// An argument that is left open in a [`Template`], numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placeholder(pub u8);

impl Placeholder {
    /// Character that represents placeholder 0: the first of a private-use area, which no catalogue
    /// uses.
    const FIRST: char = '\u{f0000}';

    /// Placeholder that this character represents.
    pub(super) fn from_char(mark: char) -> Option<Self> {
        let number = u32::from(mark).checked_sub(u32::from(Self::FIRST))?;
        u8::try_from(number).ok().map(Self)
    }
}

impl From<Placeholder> for Value {
    fn from(placeholder: Placeholder) -> Self {
        let mark = char::from_u32(u32::from(Placeholder::FIRST) + u32::from(placeholder.0));
        Self::from(
            mark.expect("the private-use area has 65,534 characters")
                .to_string(),
        )
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Self {
        Self::Word(Cow::Owned(word.to_owned()))
    }
}

impl From<String> for Value {
    fn from(word: String) -> Self {
        Self::Word(Cow::Owned(word))
    }
}

impl From<Text> for Value {
    fn from(text: Text) -> Self {
        Self::Text(Box::new(text))
    }
}

/// Attribute of a message that contains its hint.
pub(super) const HINT: &str = "hint";

/// Id of a message in the catalogues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message(&'static str);

impl Message {
    /// Id as written in the catalogues.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.0
    }
}

include!(concat!(env!("OUT_DIR"), "/message_ids.rs"));

/// A formatted text with `N` placeholders.
///
/// # Examples
///
/// ```
/// use war::i18n::{Catalogue, Placeholder, Lang, text};
///
/// let english = Catalogue::built_in(Lang::En);
/// let lasted = english.format_template(&text!(WarLasted, rounds = Placeholder(0)));
/// let mut line = String::new();
/// lasted.fill(&mut line, ["3"]);
/// assert_eq!(line, "War lasted 3 rounds.");
/// ```
#[derive(Debug, Clone)]
pub struct Template<const N: usize> {
    start: String,
    /// Numbers of placeholders, each with the text that follows it.
    rest: Vec<(usize, String)>,
}

impl<const N: usize> Template<N> {
    /// Splits a text at its placeholders.
    pub(super) fn parse(text: &str) -> Self {
        let mut template = Self {
            start: String::new(),
            rest: Vec::new(),
        };
        for character in text.chars() {
            match (Placeholder::from_char(character), template.rest.last_mut()) {
                (Some(Placeholder(number)), _) => {
                    template.rest.push((number.into(), String::new()));
                }
                (None, Some((_, words))) => words.push(character),
                (None, None) => template.start.push(character),
            }
        }
        template
    }

    /// Appends the text with these values in place of its placeholders. Placeholders with a number
    /// of `N` or above stay empty.
    pub fn fill(&self, out: &mut String, values: [&str; N]) {
        out.push_str(&self.start);
        for (placeholder, words) in &self.rest {
            out.push_str(values.get(*placeholder).copied().unwrap_or_default());
            out.push_str(words);
        }
    }
}

impl From<&FieldError> for Text {
    fn from(error: &FieldError) -> Self {
        match error {
            FieldError::Missing(name) => text!(FieldMissing, name = name.as_str()),
            FieldError::Unknown(name) => text!(FieldUnknown, name = name.as_str()),
            FieldError::Duplicate(name) => text!(FieldDuplicate, name = name.as_str()),
            FieldError::UnknownValue(name) => text!(FieldUnknownValue, name = name.as_str()),
            FieldError::BadValue(found) => text!(FieldBadValue, name = found.as_str()),
            FieldError::Rule(rule) => text!(FieldOther, reason = rule.as_str()),
        }
    }
}
