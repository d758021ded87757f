use std::collections::BTreeMap;

/// Notes that a recorder adds to a journal of version 2: names with texts, in the order of the
/// names.
///
/// They are part of the chain, and no rule looks at them.
///
/// # Examples
///
/// ```
/// use war::journal::{Meta, MetaError};
///
/// let mut meta = Meta::default();
/// meta.insert("table", "7").unwrap();
/// assert_eq!(meta.iter().next(), Some(("table", "7")));
/// assert_eq!(meta.insert("table", "8"), Err(MetaError::Duplicate("table".to_owned())));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Meta(BTreeMap<String, String>);

/// Why an entry can't be added to a journal's notes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MetaError {
    /// The entry has no name.
    #[error("a key is empty")]
    EmptyKey,
    /// There is an entry of this name.
    #[error("the key `{0}` is duplicated")]
    Duplicate(String),
    /// The entry of this name stands behind one that comes after it.
    #[error("the key `{0}` is not in order")]
    Unordered(String),
    /// There are too many entries.
    #[error("there are more than {} entries", Meta::MOST)]
    TooMany,
    /// The entries are too long together.
    #[error("the entries are longer than {} bytes of JSON", Meta::LONGEST)]
    TooLong,
}

impl Meta {
    /// The most entries there can be.
    pub const MOST: usize = 64;

    /// The most bytes of all entries as compact JSON, with their braces.
    pub const LONGEST: usize = 8192;

    /// Adds an entry.
    ///
    /// # Errors
    ///
    /// [`MetaError`] where its name is empty or there already, or the entries become too many
    /// or too long: nothing is added then.
    pub fn insert(
        &mut self,
        key: impl Into<String>,
        value: impl Into<String>,
    ) -> Result<(), MetaError> {
        let (key, value) = (key.into(), value.into());
        if key.is_empty() {
            return Err(MetaError::EmptyKey);
        }
        if self.0.contains_key(&key) {
            return Err(MetaError::Duplicate(key));
        }
        if self.0.len() == Self::MOST {
            return Err(MetaError::TooMany);
        }
        self.0.insert(key.clone(), value);
        if json_length(&self.0) > Self::LONGEST {
            self.0.remove(&key);
            return Err(MetaError::TooLong);
        }
        Ok(())
    }

    /// The names with their texts, in the order of the names' bytes.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let entries = self.0.iter();
        entries.map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entries as found in a file: each name behind the one before it.
    pub(super) fn in_order(entries: Vec<(String, String)>) -> Result<Self, MetaError> {
        let mut meta = Self::default();
        for (key, value) in entries {
            match meta.0.last_key_value() {
                Some((last, _)) if *last > key => return Err(MetaError::Unordered(key)),
                _ => meta.insert(key, value)?,
            }
        }
        Ok(meta)
    }

    /// The entries as they are written.
    pub(super) const fn entries(&self) -> &BTreeMap<String, String> {
        &self.0
    }
}

fn json_length(entries: &BTreeMap<String, String>) -> usize {
    serde_json::to_vec(entries).map_or(usize::MAX, |json| json.len())
}
