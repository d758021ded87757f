use super::text::HINT;
use super::{Message, Template, Text, Value, numbers};
use crate::lang::Lang;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use once_cell::sync::OnceCell;
use std::fmt::Display;
use unic_langid::{LanguageIdentifier, langid};

/// Messages of one language.
///
/// # Examples
///
/// ```
/// use war::i18n::{Catalogue, Lang, text};
///
/// let polish = Catalogue::built_in(Lang::Pl);
/// assert_eq!(polish.format_text(&text!(LuckyNone)), "Szczęściarze: brak.");
/// ```
pub struct Catalogue {
    lang: Lang,
    bundle: FluentBundle<FluentResource>,
}

/// Error for a catalogue file that is not well-formed or lacks a message.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the message catalogue `{lang}` is broken: {reason}")]
struct CatalogueError {
    lang: &'static str,
    reason: String,
}

impl std::fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Catalogue").field(&self.lang).finish()
    }
}

static CATALOGUES: [OnceCell<Catalogue>; Lang::ALL.len()] = [OnceCell::new(), OnceCell::new()];

impl Catalogue {
    /// Catalogue of a language, parsed once per process.
    ///
    /// # Panics
    ///
    /// If the catalogue's file is not well-formed or lacks a message, which tests rule out for all
    /// languages.
    #[must_use]
    pub fn built_in(lang: Lang) -> &'static Self {
        let read = CATALOGUES[lang as usize].get_or_try_init(|| Self::parse(lang));
        read.expect("the built-in catalogues are tested")
    }

    fn parse(lang: Lang) -> Result<Self, CatalogueError> {
        let broken = |reason: String| CatalogueError {
            lang: lang.code(),
            reason,
        };
        let resource = FluentResource::try_new(source(lang).to_owned())
            .map_err(|(_, errors)| broken(format!("{errors:?}")))?;
        let mut bundle = FluentBundle::new_concurrent(vec![identifier(lang)]);
        bundle.set_use_isolating(false);
        bundle.set_formatter(Some(numbers::number_formatter(lang)));
        bundle
            .add_resource(resource)
            .map_err(|errors| broken(format!("{errors:?}")))?;
        match Message::ALL.iter().find(|id| !bundle.has_message(id.id())) {
            Some(missing) => Err(broken(missing.id().to_owned())),
            None => Ok(Self { lang, bundle }),
        }
    }

    /// Language of the messages.
    #[must_use]
    pub const fn lang(&self) -> Lang {
        self.lang
    }

    /// Formats a text in this language.
    #[must_use]
    pub fn format_text(&self, text: &Text) -> String {
        let mut out = String::new();
        self.write(&mut out, text);
        out
    }

    /// Appends a text in this language to `out`.
    pub fn write(&self, out: &mut String, text: &Text) {
        self.format(out, text, None);
    }

    /// Formats a text with its [`Placeholder`](super::Placeholder)s left open, to be filled many
    /// times.
    ///
    /// The words must not depend on a placeholder, so a placeholder can't replace a number that
    /// selects a plural.
    #[must_use]
    pub fn format_template<const N: usize>(&self, text: &Text) -> Template<N> {
        Template::parse(&self.format_text(text))
    }

    /// Formats the hint of the text's message or, if the message has none, of the first text among
    /// the arguments that has a hint.
    #[must_use]
    pub fn format_hint(&self, text: &Text) -> Option<String> {
        let mut out = String::new();
        if self.format(&mut out, text, Some(HINT)).is_some() {
            return Some(out);
        }
        text.values().iter().find_map(|(_, value)| match value {
            Value::Text(inner) => self.format_hint(inner),
            _ => None,
        })
    }

    /// Formats a whole number with the separators of this language.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::i18n::{Catalogue, Lang};
    ///
    /// let english = Catalogue::built_in(Lang::En);
    /// assert_eq!(english.format_count(&1_000_000), "1,000,000");
    /// ```
    #[must_use]
    pub fn format_count(&self, number: &impl Display) -> String {
        numbers::group_digits(&number.to_string(), self.lang)
    }

    /// Formats a number with this many decimals and the decimal separator of this language.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::i18n::{Catalogue, Lang};
    ///
    /// let polish = Catalogue::built_in(Lang::Pl);
    /// assert_eq!(polish.format_decimal(2.5, 2), "2,50");
    /// ```
    #[must_use]
    pub fn format_decimal(&self, number: f64, places: usize) -> String {
        numbers::format_decimal(number, places, self.lang)
    }

    /// Appends the message of a text, or an attribute of the message; `None` if there is no such
    /// message or attribute.
    fn format(&self, out: &mut String, text: &Text, attribute: Option<&str>) -> Option<()> {
        let message = self.bundle.get_message(text.message().id())?;
        let pattern = match attribute {
            Some(name) => message.get_attribute(name)?.value(),
            None => message.value()?,
        };
        let mut args = FluentArgs::with_capacity(text.values().len());
        for (name, value) in text.values() {
            let value = match value {
                Value::Number(number) => numbers::to_fluent_value(*number, false),
                Value::Count(number) => numbers::to_fluent_value(*number, true),
                Value::Word(word) => FluentValue::from(word.as_ref()),
                Value::Text(text) => FluentValue::from(self.format_text(text)),
            };
            args.set(*name, value);
        }
        let mut errors = Vec::new();
        let bundle = &self.bundle;
        let written = bundle.write_pattern(out, pattern, Some(&args), &mut errors);
        debug_assert!(
            written.is_ok() && errors.is_empty(),
            "message `{}`: {errors:?}",
            text.message().id()
        );
        Some(())
    }
}

const fn identifier(lang: Lang) -> LanguageIdentifier {
    match lang {
        Lang::En => langid!("en"),
        Lang::Pl => langid!("pl"),
    }
}

const fn source(lang: Lang) -> &'static str {
    match lang {
        Lang::En => include_str!("../../i18n/en.ftl"),
        Lang::Pl => include_str!("../../i18n/pl.ftl"),
    }
}
