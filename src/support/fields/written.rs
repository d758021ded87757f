use super::tree::Tree;
use serde::{Serialize, Serializer};

/// As they were written: names keep their order, and those that are there twice stay.
impl Serialize for Tree {
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

#[cfg(test)]
mod tests {
    use super::Tree;

    #[test]
    fn data_are_written_as_they_were_read() {
        for json in [
            r#"{"b":1,"a":[null,true,-2,0.5,"x\n\"é"],"b":{}}"#,
            "18446744073709551615",
        ] {
            let tree: Tree = serde_json::from_str(json).expect("JSON");
            assert_eq!(serde_json::to_string(&tree).expect("JSON"), json);
        }
    }
}
