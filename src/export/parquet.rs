use super::exporter::Exporter;
use super::row::{COLUMNS, Column, Kind, Row, Value};
use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{
    SerializedColumnWriter, SerializedFileWriter, SerializedRowGroupWriter,
};
use ::parquet::schema::types::{Type, TypePtr};
use std::mem::take;
use std::sync::Arc;

/// The rows that are kept until they are written together.
const GROUP: usize = 1 << 16;

/// The format Parquet. Whatever is read before the end is of no use: the end says where all is.
///
/// # Examples
///
/// ```
/// use war::export::{Exporter, Parquet};
///
/// let mut table = Vec::new();
/// Parquet::default().finish(&mut table);
/// assert!(table.starts_with(b"PAR1") && table.ends_with(b"PAR1"));
/// ```
pub struct Parquet {
    /// There until the table ends.
    file: Option<SerializedFileWriter<Vec<u8>>>,
    columns: Vec<Values>,
    rows: usize,
}

/// The values of a column that are kept, with what says where they are missing and where lists
/// begin: Parquet's definition and repetition levels.
struct Values {
    kept: Kept,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
}

/// Values of one type.
enum Kept {
    Texts(Vec<ByteArray>),
    Bools(Vec<bool>),
    Integers(Vec<i64>),
}

impl Default for Parquet {
    fn default() -> Self {
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
        let file = schema().and_then(|schema| {
            SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build()))
        });
        Self {
            file: Some(file.expect(NEVER)),
            columns: COLUMNS.iter().map(Values::of).collect(),
            rows: 0,
        }
    }
}

impl Exporter for Parquet {
    fn row(&mut self, row: &Row, out: &mut Vec<u8>) {
        for (column, values) in COLUMNS.iter().zip(&mut self.columns) {
            values.add(column.value(row));
        }
        self.rows += 1;
        if self.rows == GROUP {
            self.write_group(out);
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        if self.rows > 0 {
            self.write_group(out);
        }
        if let Some(file) = self.file.take() {
            out.append(&mut file.into_inner().expect(NEVER));
        }
    }
}

/// Why nothing fails: what is written goes to memory, and fits the columns.
const NEVER: &str = "memory takes every byte";

impl Parquet {
    /// Writes the rows that are kept.
    fn write_group(&mut self, out: &mut Vec<u8>) {
        self.rows = 0;
        let Some(file) = &mut self.file else { return };
        let group = file.next_row_group().expect(NEVER);
        write_columns(group, &mut self.columns).expect(NEVER);
        out.append(file.inner_mut());
    }
}

fn write_columns(
    mut group: SerializedRowGroupWriter<'_, Vec<u8>>,
    columns: &mut [Values],
) -> Result<(), ParquetError> {
    for values in columns {
        if let Some(mut column) = group.next_column()? {
            values.write(&mut column)?;
            column.close()?;
        }
    }
    group.close()?;
    Ok(())
}

impl Values {
    const fn of(column: &Column) -> Self {
        let kept = match column.kind {
            Kind::Text | Kind::Texts => Kept::Texts(Vec::new()),
            Kind::Bool => Kept::Bools(Vec::new()),
            Kind::Integer | Kind::Integers => Kept::Integers(Vec::new()),
        };
        Self {
            kept,
            definitions: Vec::new(),
            repetitions: Vec::new(),
        }
    }

    fn add(&mut self, value: Value<'_>) {
        // An empty list is more than nothing, and less than a list with something in it.
        let (definition, count) = match &value {
            Value::Null => (0, 1),
            Value::Text(_) | Value::Bool(_) | Value::Integer(_) => (1, 1),
            Value::Integers(list) => (1 + i16::from(!list.is_empty()), list.len().max(1)),
            Value::Texts(list) => (1 + i16::from(!list.is_empty()), list.len().max(1)),
        };
        self.definitions
            .extend(std::iter::repeat_n(definition, count));
        self.repetitions.push(0);
        self.repetitions.extend(std::iter::repeat_n(1, count - 1));
        match (&mut self.kept, value) {
            (Kept::Texts(kept), Value::Text(text)) => kept.push(text.as_ref().into()),
            (Kept::Texts(kept), Value::Texts(texts)) => {
                kept.extend(texts.iter().map(|text| ByteArray::from(text.as_ref())));
            }
            (Kept::Bools(kept), Value::Bool(bool)) => kept.push(bool),
            (Kept::Integers(kept), Value::Integer(integer)) => kept.push(integer),
            (Kept::Integers(kept), Value::Integers(integers)) => kept.extend(integers),
            _ => {}
        }
    }

    fn write(&mut self, column: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = (take(&mut self.definitions), take(&mut self.repetitions));
        match &mut self.kept {
            Kept::Texts(kept) => write::<ByteArrayType>(column, &take(kept), &levels),
            Kept::Bools(kept) => write::<BoolType>(column, &take(kept), &levels),
            Kept::Integers(kept) => write::<Int64Type>(column, &take(kept), &levels),
        }
    }
}

fn write<T: DataType>(
    column: &mut SerializedColumnWriter<'_>,
    values: &[T::T],
    (definitions, repetitions): &(Vec<i16>, Vec<i16>),
) -> Result<(), ParquetError> {
    let column = column.typed::<T>();
    column.write_batch(values, Some(definitions), Some(repetitions))?;
    Ok(())
}

/// The columns in Parquet's words.
fn schema() -> Result<TypePtr, ParquetError> {
    let fields = COLUMNS.iter().map(|column| {
        let (name, value) = (column.name, Repetition::OPTIONAL);
        match column.kind {
            Kind::Text => primitive(name, value, Physical::BYTE_ARRAY),
            Kind::Bool => primitive(name, value, Physical::BOOLEAN),
            Kind::Integer => primitive(name, value, Physical::INT64),
            Kind::Integers => list(name, Physical::INT64),
            Kind::Texts => list(name, Physical::BYTE_ARRAY),
        }
    });
    let fields = fields.collect::<Result<_, _>>()?;
    let schema = Type::group_type_builder("events").with_fields(fields);
    Ok(Arc::new(schema.build()?))
}

fn primitive(
    name: &str,
    repetition: Repetition,
    physical: Physical,
) -> Result<TypePtr, ParquetError> {
    let text = (physical == Physical::BYTE_ARRAY).then_some(LogicalType::String);
    let value = Type::primitive_type_builder(name, physical)
        .with_repetition(repetition)
        .with_logical_type(text);
    Ok(Arc::new(value.build()?))
}

/// A list in the three levels that Parquet has for it.
fn list(name: &str, physical: Physical) -> Result<TypePtr, ParquetError> {
    let element = primitive("element", Repetition::REQUIRED, physical)?;
    let repeated = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![element]);
    let list = Type::group_type_builder(name)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(repeated.build()?)]);
    Ok(Arc::new(list.build()?))
}
