//! Errors of well-formed data that do not fit the type they are read into.
//!
//! The parsers of JSON and TOML describe such errors in English prose. [`DataTree::check`] reads
//! the data again with an error type that programs can match on. Valid data are only read once.

use super::sanitize::truncate_text;
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    self, Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Expected,
    IntoDeserializer, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::{Serialize, Serializer, forward_to_deserialize_any};
use std::fmt;

/// Data as they were written, including duplicate fields.
///
/// # Examples
///
/// ```
/// use war::support::fields::{FieldError, DataTree};
///
/// #[derive(Debug, serde::Deserialize)]
/// struct Point {
///     x: u8,
///     y: u8,
/// }
/// let data: DataTree = serde_json::from_str(r#"{"x":1}"#).unwrap();
/// assert_eq!(data.check::<Point>(), Err(FieldError::Missing("y".to_owned())));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum DataTree {
    /// JSON's `null`.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number that is not negative.
    Unsigned(u64),
    /// A negative whole number.
    Signed(i64),
    /// Any other number.
    Float(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<DataTree>),
    /// An object or a table: names with values, in the order in which they were written.
    Object(Vec<(String, DataTree)>),
}

impl DataTree {
    /// Checks that the data deserialize into a `T`.
    ///
    /// # Errors
    ///
    /// [`FieldError`] for the first invalid field.
    pub fn check<T: DeserializeOwned>(&self) -> Result<(), FieldError> {
        T::deserialize(self.clone()).map(drop)
    }

    /// Value of the first field with this name, if this is an object that has one.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Self> {
        let mut fields = self.fields().iter();
        fields.find_map(|(field, value)| (field == name).then_some(value))
    }

    /// Fields in the order in which they were written; empty unless this is an object.
    #[must_use]
    pub fn fields(&self) -> &[(String, Self)] {
        match self {
            Self::Object(fields) => fields,
            _ => &[],
        }
    }

    /// Values of a list; empty unless this is a list.
    #[must_use]
    pub fn values(&self) -> &[Self] {
        match self {
            Self::List(values) => values,
            _ => &[],
        }
    }

    /// Text, if this is a text.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl<'de> Deserialize<'de> for DataTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

/// Visitor that builds a [`DataTree`].
struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = DataTree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("data")
    }

    fn visit_unit<E>(self) -> Result<DataTree, E> {
        Ok(DataTree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<DataTree, E> {
        Ok(DataTree::Bool(value))
    }

    fn visit_u64<E>(self, number: u64) -> Result<DataTree, E> {
        Ok(DataTree::Unsigned(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<DataTree, E> {
        Ok(u64::try_from(number).map_or(DataTree::Signed(number), DataTree::Unsigned))
    }

    fn visit_f64<E>(self, number: f64) -> Result<DataTree, E> {
        Ok(DataTree::Float(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<DataTree, E> {
        Ok(DataTree::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<DataTree, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = values.next_element()? {
            list.push(value);
        }
        Ok(DataTree::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<DataTree, A::Error> {
        let mut object = Vec::new();
        while let Some(field) = fields.next_entry()? {
            object.push(field);
        }
        Ok(DataTree::Object(object))
    }
}

impl IntoDeserializer<'_, FieldError> for DataTree {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for DataTree {
    type Error = FieldError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        match self {
            Self::Null => visitor.visit_unit(),
            Self::Bool(value) => visitor.visit_bool(value),
            Self::Unsigned(number) => visitor.visit_u64(number),
            Self::Signed(number) => visitor.visit_i64(number),
            Self::Float(number) => visitor.visit_f64(number),
            Self::Text(text) => visitor.visit_string(text),
            Self::List(values) => visitor.visit_seq(SeqDeserializer::new(values.into_iter())),
            Self::Object(fields) => visitor.visit_map(MapDeserializer::new(fields.into_iter())),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        match self {
            Self::Null => visitor.visit_none(),
            value => visitor.visit_some(value),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        visitor.visit_newtype_struct(self)
    }

    /// Requires fields and variants to be named by a text, and rejects indexes.
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        visitor.visit_string(String::deserialize(self)?)
    }

    /// Reads a variant as its name, or as an object with its name and content.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        let (name, content) = match self {
            Self::Text(name) => (name, None),
            Self::Object(mut fields) if fields.len() == 1 => {
                let (name, value) = fields.remove(0);
                (name, Some(value))
            }
            value => return value.deserialize_any(visitor),
        };
        visitor.visit_enum(VariantReader(name, content))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct ignored_any
    }
}

/// Name of a variant, and its content if it has any.
struct VariantReader(String, Option<DataTree>);

impl<'de> EnumAccess<'de> for VariantReader {
    type Error = FieldError;
    type Variant = VariantContent;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, VariantContent), FieldError> {
        let name = seed.deserialize(IntoDeserializer::<FieldError>::into_deserializer(self.0))?;
        Ok((name, VariantContent(self.1)))
    }
}

/// Content of a variant.
struct VariantContent(Option<DataTree>);

impl VariantContent {
    fn require(self) -> Result<DataTree, FieldError> {
        let missing = || de::Error::invalid_type(Unexpected::UnitVariant, &"its fields");
        self.0.ok_or_else(missing)
    }
}

impl<'de> VariantAccess<'de> for VariantContent {
    type Error = FieldError;

    fn unit_variant(self) -> Result<(), FieldError> {
        self.0.map_or(Ok(()), Deserialize::deserialize)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<S::Value, FieldError> {
        seed.deserialize(self.require()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, FieldError> {
        self.require()?.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        self.require()?.deserialize_any(visitor)
    }
}

/// Serializes the data as they were written: fields keep their order, and duplicates stay.
impl Serialize for DataTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Unsigned(number) => serializer.serialize_u64(*number),
            Self::Signed(number) => serializer.serialize_i64(*number),
            Self::Float(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(values) => serializer.collect_seq(values),
            Self::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| (name, value));
                serializer.collect_map(fields)
            }
        }
    }
}

/// Maximum number of characters of a name or a value in an error.
const MAX_CHARS: usize = 120;

/// An invalid field.
///
/// # Examples
///
/// ```
/// use war::support::fields::{FieldError, DataTree};
///
/// let data: DataTree = serde_json::from_str("[1, 2, 300]").unwrap();
/// let error = data.check::<Vec<u8>>();
/// assert_eq!(error, Err(FieldError::BadValue("`300`".to_owned())));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// Name of a missing field.
    #[error("missing field `{0}`")]
    Missing(String),
    /// Name of an unknown field.
    #[error("unknown field `{0}`")]
    Unknown(String),
    /// Name of a field that occurs more than once.
    #[error("duplicate field `{0}`")]
    Duplicate(String),
    /// Unknown name as the value of a field.
    #[error("unknown value `{0}`")]
    UnknownValue(String),
    /// Value of the wrong type, or out of range.
    #[error("{0} is not a valid value for this field")]
    BadValue(String),
    /// Value that breaks a rule of its type.
    #[error("{0}")]
    Rule(String),
}

impl FieldError {
    /// Error for a name that no field has.
    #[must_use]
    pub fn unknown(name: &str) -> Self {
        Self::Unknown(truncate_text(name, MAX_CHARS))
    }
}

impl de::Error for FieldError {
    fn custom<T: fmt::Display>(rule: T) -> Self {
        Self::Rule(truncate_text(&rule.to_string(), MAX_CHARS))
    }

    fn invalid_type(found: Unexpected<'_>, _: &dyn Expected) -> Self {
        Self::BadValue(truncate_text(&format_unexpected(found), MAX_CHARS))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        Self::BadValue("sequence".to_owned())
    }

    fn unknown_variant(name: &str, _: &'static [&'static str]) -> Self {
        Self::UnknownValue(truncate_text(name, MAX_CHARS))
    }

    fn unknown_field(name: &str, _: &'static [&'static str]) -> Self {
        Self::unknown(name)
    }

    fn missing_field(name: &'static str) -> Self {
        Self::Missing(name.to_owned())
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self::Duplicate(name.to_owned())
    }
}

/// Formats a value for a message.
fn format_unexpected(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => format!("`{value}`"),
        Unexpected::Unsigned(number) => format!("`{number}`"),
        Unexpected::Signed(number) => format!("`{number}`"),
        Unexpected::Float(number) => format!("`{number}`"),
        Unexpected::Str(text) => format!("{text:?}"),
        Unexpected::Unit => "null".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{DataTree, FieldError};
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case", deny_unknown_fields)]
    #[allow(dead_code, reason = "only read")]
    enum Event {
        Over,
        Named(String),
        Dealt {
            players: [u8; 2],
            deck: Option<Deck>,
        },
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Deck {
        Small,
    }

    fn found(json: &str) -> Option<FieldError> {
        let tree: DataTree = serde_json::from_str(json).expect("JSON");
        let error = tree.check::<Event>().err();
        let sound = serde_json::from_str::<Event>(json).is_ok();
        assert_eq!(error.is_none(), sound, "{json}");
        error
    }

    #[test]
    fn valid_data_have_no_error() {
        for json in [
            r#""over""#,
            r#"{"named":"Ann"}"#,
            r#"{"dealt":{"players":[1,2],"deck":null}}"#,
            r#"{"dealt":{"players":[1,2],"deck":"small"}}"#,
        ] {
            assert_eq!(found(json), None, "{json}");
        }
    }

    #[test]
    fn each_error_names_what_was_written() {
        let text = str::to_owned;
        for (json, error) in [
            (r#""won""#, FieldError::UnknownValue(text("won"))),
            (r#"{"named":null}"#, FieldError::BadValue(text("null"))),
            (r#"{"named":["A"]}"#, FieldError::BadValue(text("sequence"))),
            (r#"{"dealt":{}}"#, FieldError::Missing(text("players"))),
            (
                r#"{"dealt":{"players":[1,256]}}"#,
                FieldError::BadValue(text("`256`")),
            ),
            (
                r#"{"dealt":{"players":[1,-1]}}"#,
                FieldError::BadValue(text("`-1`")),
            ),
            (
                r#"{"dealt":{"players":[1,0.5]}}"#,
                FieldError::BadValue(text("`0.5`")),
            ),
            (
                r#"{"dealt":{"players":[1,true]}}"#,
                FieldError::BadValue(text("`true`")),
            ),
            (
                r#"{"dealt":{"players":[1,"2"]}}"#,
                FieldError::BadValue(text("\"2\"")),
            ),
            (
                r#"{"dealt":{"players":{}}}"#,
                FieldError::BadValue(text("map")),
            ),
            (
                r#"{"dealt":{"deck":"large"}}"#,
                FieldError::UnknownValue(text("large")),
            ),
            (r#"{"dealt":{"bank":1}}"#, FieldError::Unknown(text("bank"))),
            (
                r#"{"dealt":{"players":[1,2],"players":[1,2]}}"#,
                FieldError::Duplicate(text("players")),
            ),
        ] {
            assert_eq!(found(json), Some(error), "{json}");
        }
    }

    #[test]
    fn long_names_are_cut() {
        let json = format!("{{\"{}\":1}}", "n".repeat(200));
        let Some(FieldError::UnknownValue(name)) = found(&json) else {
            panic!("{:?}", found(&json));
        };
        assert_eq!(name.chars().count(), 121);
    }

    #[test]
    fn data_are_written_as_they_were_read() {
        for json in [
            r#"{"b":1,"a":[null,true,-2,0.5,"x\n\"é"],"b":{}}"#,
            "18446744073709551615",
        ] {
            let tree: DataTree = serde_json::from_str(json).expect("JSON");
            assert_eq!(serde_json::to_string(&tree).expect("JSON"), json);
        }
    }
}
