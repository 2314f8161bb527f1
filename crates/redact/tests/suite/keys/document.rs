//! A JSON value with its keys in order, including duplicates.

use std::fmt;

use serde_json::Number;
use serde_json::from_str;

/// A value.
pub(super) enum Document {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Document>),
    Object(Vec<(String, Document)>),
}

impl Document {
    /// The difference to `other`, except in the text of strings; JSON in strings is compared, too.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        match (self, other) {
            (Self::Null, Self::Null) => None,
            (Self::Bool(one), Self::Bool(two)) if one == two => None,
            (Self::Number(one), Self::Number(two)) if one == two => None,
            (Self::Text(one), Self::Text(two)) => match (from_str::<Self>(one), from_str(two)) {
                (Ok(one @ (Self::List(_) | Self::Object(_))), Ok(two)) => one.difference(&two),
                (Ok(Self::List(_) | Self::Object(_)), Err(_)) => {
                    Some(format!("the string {one:?} became {two:?}"))
                }
                _ => None,
            },
            (Self::List(one), Self::List(two)) if one.len() == two.len() => {
                let mut pairs = one.iter().zip(two);
                pairs.find_map(|(one, two)| one.difference(two))
            }
            (Self::Object(one), Self::Object(two)) if one.len() == two.len() => {
                let mut pairs = one.iter().zip(two);
                pairs.find_map(|((key, one), (other, two))| {
                    if key != other {
                        return Some(format!("the key {key:?} became {other:?}"));
                    }
                    one.difference(two)
                })
            }
            _ => Some("a value became one of another kind".to_owned()),
        }
    }
}

impl<'de> serde::Deserialize<'de> for Document {
    fn deserialize<D: serde::Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        source.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> serde::de::Visitor<'de> for Reader {
    type Value = Document;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Document, E> {
        Ok(Document::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Document, E> {
        Ok(Document::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Document, E> {
        Ok(Document::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Document, E> {
        Ok(Document::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Document, E> {
        let number = Number::from_f64(value).ok_or_else(|| E::custom("no number"))?;
        Ok(Document::Number(number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Document, E> {
        Ok(Document::Text(value.to_owned()))
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<Document, A::Error> {
        let mut all = Vec::new();
        while let Some(one) = list.next_element()? {
            all.push(one);
        }
        Ok(Document::List(all))
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Document, A::Error> {
        let mut all = Vec::new();
        while let Some(member) = map.next_entry()? {
            all.push(member);
        }
        Ok(Document::Object(all))
    }
}
