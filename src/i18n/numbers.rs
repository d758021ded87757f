//! Numbers as people write them in each language.

use crate::lang::Lang;
use fluent_bundle::FluentValue;
use fluent_bundle::types::FluentNumber;

/// What writes the numbers of a language's messages.
pub(super) type Formatter<M> = fn(&FluentValue<'_>, &M) -> Option<String>;

/// What writes a number of a message: with separators where it asks for them.
pub(super) fn formatter<M>(lang: Lang) -> Formatter<M> {
    match lang {
        Lang::En => |value, _| number(value, Lang::En),
        Lang::Pl => |value, _| number(value, Lang::Pl),
    }
}

/// What marks a number to be written with separators. A marked number does not match a case of a
/// message such as `[0]`, so only numbers that need separators are marked.
const GROUPED: Option<usize> = Some(0);

/// A number for a message, with separators or without.
pub(super) fn value(number: u64, is_grouped: bool) -> FluentValue<'static> {
    let mut value = FluentNumber::from(number);
    if is_grouped && number >= 1_000 {
        value.options.maximum_fraction_digits = GROUPED;
    }
    FluentValue::Number(value)
}

fn number(value: &FluentValue<'_>, lang: Lang) -> Option<String> {
    match value {
        FluentValue::Number(number) if number.options.maximum_fraction_digits == GROUPED => {
            Some(grouped(&number.as_string(), lang))
        }
        _ => None,
    }
}

/// Decimal digits with a separator before every three of them, counted from the end. Polish
/// writes four digits without one.
pub(super) fn grouped(digits: &str, lang: Lang) -> String {
    let (separator, longest_without) = match lang {
        Lang::En => (',', 3),
        Lang::Pl => ('\u{a0}', 4),
    };
    if digits.len() <= longest_without {
        return digits.to_owned();
    }
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(separator);
        }
        grouped.push(digit);
    }
    grouped
}

/// A number with this many decimals.
pub(super) fn decimal(number: f64, places: usize, lang: Lang) -> String {
    let plain = format!("{number:.places$}");
    match lang {
        Lang::En => plain,
        Lang::Pl => plain.replace('.', ","),
    }
}
