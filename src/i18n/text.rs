use super::Message;
use std::borrow::Cow;

/// A text to be told in any language: a message with its values.
///
/// # Examples
///
/// ```
/// use war::i18n::{Catalogue, Lang, Message, Text};
///
/// let lasted = Text::new(Message::WAR_LASTED).with("rounds", 3_u32);
/// let english = Catalogue::of(Lang::En).unwrap();
/// assert_eq!(english.text(&lasted), "War lasted 3 rounds.");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    message: Message,
    values: Vec<(&'static str, Value)>,
}

/// A value that a message puts into its words.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A count, which may decide a plural.
    Number(u64),
    /// A word that stands as it is in every language.
    Word(Cow<'static, str>),
    /// Another text, in the same language.
    Text(Box<Text>),
}

impl Text {
    /// The text of a message, without values.
    #[must_use]
    pub const fn new(message: Message) -> Self {
        let values = Vec::new();
        Self { message, values }
    }

    /// The text with one more value, by the name that the message uses.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.values.push((name, value.into()));
        self
    }

    /// The message.
    #[must_use]
    pub const fn message(&self) -> Message {
        self.message
    }

    pub(super) fn values(&self) -> &[(&'static str, Value)] {
        &self.values
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
