//! Parses JSON and rejects objects that give one name different values.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Parses `text` as a JSON value.
///
/// # Errors
///
/// If it is not JSON, is nested more than about a hundred levels deep, or gives one name in an
/// object two different values.
pub(super) fn read_unambiguous_json(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str::<UnambiguousValue>(text).map(|clear| clear.0)
}

/// A JSON value in which every name has one value.
struct UnambiguousValue(Value);

impl<'de> Deserialize<'de> for UnambiguousValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueReader).map(Self)
    }
}

struct ValueReader;

impl<'de> Visitor<'de> for ValueReader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(UnambiguousValue(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = entries.next_key::<String>()? {
            let UnambiguousValue(value) = entries.next_value()?;
            match object.get(&name) {
                Some(known) if *known != value => {
                    return Err(A::Error::custom("one name has two different values"));
                }
                Some(_) => {}
                None => drop(object.insert(name, value)),
            }
        }
        Ok(Value::Object(object))
    }
}
