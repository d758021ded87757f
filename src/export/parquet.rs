use super::exporter::Exporter;
use super::row::{COLUMNS, CellValue, Column, ColumnType, EventRow};
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

/// Number of rows to write together.
const GROUP_SIZE: usize = 1 << 16;

/// Parquet. The file can't be read before its end is written, because the metadata comes last.
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
    /// `None` once the table has ended.
    file: Option<SerializedFileWriter<Vec<u8>>>,
    columns: Vec<ColumnBuffer>,
    rows: usize,
}

/// Buffered values of a column, with Parquet's definition levels, which mark missing values, and
/// repetition levels, which mark the starts of lists.
struct ColumnBuffer {
    values: ColumnValues,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
}

/// Buffered values of a column, by type.
enum ColumnValues {
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
            file: Some(file.expect(INFALLIBLE)),
            columns: COLUMNS.iter().map(ColumnBuffer::new).collect(),
            rows: 0,
        }
    }
}

impl Exporter for Parquet {
    fn write_row(&mut self, row: &EventRow, out: &mut Vec<u8>) {
        for (column, buffer) in COLUMNS.iter().zip(&mut self.columns) {
            buffer.add(column.value(row));
        }
        self.rows += 1;
        if self.rows == GROUP_SIZE {
            self.write_group(out);
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        if self.rows > 0 {
            self.write_group(out);
        }
        if let Some(file) = self.file.take() {
            out.append(&mut file.into_inner().expect(INFALLIBLE));
        }
    }
}

/// Reason why writing can't fail, for `expect`. All values also have the types of their columns.
const INFALLIBLE: &str = "memory takes every byte";

impl Parquet {
    /// Writes the buffered rows.
    fn write_group(&mut self, out: &mut Vec<u8>) {
        self.rows = 0;
        let Some(file) = &mut self.file else { return };
        let group = file.next_row_group().expect(INFALLIBLE);
        write_columns(group, &mut self.columns).expect(INFALLIBLE);
        out.append(file.inner_mut());
    }
}

fn write_columns(
    mut group: SerializedRowGroupWriter<'_, Vec<u8>>,
    columns: &mut [ColumnBuffer],
) -> Result<(), ParquetError> {
    for buffer in columns {
        if let Some(mut column) = group.next_column()? {
            buffer.write(&mut column)?;
            column.close()?;
        }
    }
    group.close()?;
    Ok(())
}

impl ColumnBuffer {
    const fn new(column: &Column) -> Self {
        let values = match column.kind {
            ColumnType::Text | ColumnType::Texts => ColumnValues::Texts(Vec::new()),
            ColumnType::Bool => ColumnValues::Bools(Vec::new()),
            ColumnType::Integer | ColumnType::Unsigned | ColumnType::Integers => {
                ColumnValues::Integers(Vec::new())
            }
        };
        Self {
            values,
            definitions: Vec::new(),
            repetitions: Vec::new(),
        }
    }

    fn add(&mut self, value: CellValue<'_>) {
        // Definition levels: 0 for a missing value, 1 for a single value or an empty list, 2 for a
        // list with elements.
        let (definition, count) = match &value {
            CellValue::Null => (0, 1),
            CellValue::Text(_)
            | CellValue::Bool(_)
            | CellValue::Integer(_)
            | CellValue::Unsigned(_) => (1, 1),
            CellValue::Integers(list) => (1 + i16::from(!list.is_empty()), list.len().max(1)),
            CellValue::Texts(list) => (1 + i16::from(!list.is_empty()), list.len().max(1)),
        };
        self.definitions
            .extend(std::iter::repeat_n(definition, count));
        self.repetitions.push(0);
        self.repetitions.extend(std::iter::repeat_n(1, count - 1));
        match (&mut self.values, value) {
            (ColumnValues::Texts(values), CellValue::Text(text)) => {
                values.push(text.as_ref().into());
            }
            (ColumnValues::Texts(values), CellValue::Texts(texts)) => {
                values.extend(texts.iter().map(|text| ByteArray::from(text.as_ref())));
            }
            (ColumnValues::Bools(values), CellValue::Bool(bool)) => values.push(bool),
            (ColumnValues::Integers(values), CellValue::Integer(integer)) => values.push(integer),
            (ColumnValues::Integers(values), CellValue::Unsigned(integer)) => {
                values.push(integer.cast_signed());
            }
            (ColumnValues::Integers(values), CellValue::Integers(integers)) => {
                values.extend(integers);
            }
            _ => {}
        }
    }

    fn write(&mut self, column: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = (take(&mut self.definitions), take(&mut self.repetitions));
        match &mut self.values {
            ColumnValues::Texts(values) => write::<ByteArrayType>(column, &take(values), &levels),
            ColumnValues::Bools(values) => write::<BoolType>(column, &take(values), &levels),
            ColumnValues::Integers(values) => write::<Int64Type>(column, &take(values), &levels),
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

/// The schema of the columns.
fn schema() -> Result<TypePtr, ParquetError> {
    let fields = COLUMNS.iter().map(|column| {
        let (name, value) = (column.name, Repetition::OPTIONAL);
        match column.kind {
            ColumnType::Text => primitive_type(name, value, Physical::BYTE_ARRAY, TEXT),
            ColumnType::Bool => primitive_type(name, value, Physical::BOOLEAN, None),
            ColumnType::Integer => primitive_type(name, value, Physical::INT64, None),
            ColumnType::Unsigned => primitive_type(
                name,
                value,
                Physical::INT64,
                Some(LogicalType::integer(64, false)),
            ),
            ColumnType::Integers => list(name, Physical::INT64, None),
            ColumnType::Texts => list(name, Physical::BYTE_ARRAY, TEXT),
        }
    });
    let fields = fields.collect::<Result<_, _>>()?;
    let schema = Type::group_type_builder("events").with_fields(fields);
    Ok(Arc::new(schema.build()?))
}

const TEXT: Option<LogicalType> = Some(LogicalType::String);

fn primitive_type(
    name: &str,
    repetition: Repetition,
    physical: Physical,
    logical: Option<LogicalType>,
) -> Result<TypePtr, ParquetError> {
    let value = Type::primitive_type_builder(name, physical)
        .with_repetition(repetition)
        .with_logical_type(logical);
    Ok(Arc::new(value.build()?))
}

/// The schema of a column of lists, which has three levels in Parquet.
fn list(
    name: &str,
    physical: Physical,
    logical: Option<LogicalType>,
) -> Result<TypePtr, ParquetError> {
    let element = primitive_type("element", Repetition::REQUIRED, physical, logical)?;
    let repeated = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![element]);
    let list = Type::group_type_builder(name)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(repeated.build()?)]);
    Ok(Arc::new(list.build()?))
}
