//! Number formats of each language.

use crate::lang::Lang;
use fluent_bundle::FluentValue;
use fluent_bundle::types::FluentNumber;

/// Function that formats the numbers in the messages of a language.
pub(super) type NumberFormatter<M> = fn(&FluentValue<'_>, &M) -> Option<String>;

/// Formatter that adds separators to marked numbers.
pub(super) fn number_formatter<M>(lang: Lang) -> NumberFormatter<M> {
    match lang {
        Lang::En => |value, _| format_marked(value, Lang::En),
        Lang::Pl => |value, _| format_marked(value, Lang::Pl),
    }
}

/// Value of `maximum_fraction_digits` that marks a number to be formatted with separators. A marked
/// number does not match a case of a message such as `[0]`, so only numbers that need separators
/// are marked.
const GROUPING_MARK: Option<usize> = Some(0);

/// Converts a number for a message, with or without separators.
pub(super) fn to_fluent_value(number: u64, is_grouped: bool) -> FluentValue<'static> {
    let mut value = FluentNumber::from(number);
    if is_grouped && number >= 1_000 {
        value.options.maximum_fraction_digits = GROUPING_MARK;
    }
    FluentValue::Number(value)
}

fn format_marked(value: &FluentValue<'_>, lang: Lang) -> Option<String> {
    match value {
        FluentValue::Number(number) if number.options.maximum_fraction_digits == GROUPING_MARK => {
            Some(group_digits(&number.as_string(), lang))
        }
        _ => None,
    }
}

/// Groups decimal digits by threes from the end. In Polish, four digits stay together.
pub(super) fn group_digits(digits: &str, lang: Lang) -> String {
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

/// Formats a number with this many decimals.
pub(super) fn format_decimal(number: f64, places: usize, lang: Lang) -> String {
    let plain = format!("{number:.places$}");
    match lang {
        Lang::En => plain,
        Lang::Pl => plain.replace('.', ","),
    }
}
