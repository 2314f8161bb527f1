//! Reads an enum whose JSON object names the variant in its first member.
//!
//! Serde reads such an object into memory before it looks for the tag, once for every enum around
//! it. A record has a tag at every level, and Agon always writes it first, so the members after it
//! can be read as they come.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, MapDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny,
    IntoDeserializer, MapAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::Value;

/// Reads a `T`, which derives `Deserialize` without a tag, from an object whose member `tag` names
/// the variant. If `tag` is not the first member, all members are kept until it is found.
///
/// # Errors
///
/// If the input is not an object, has no such member, or does not fit the variant.
pub(crate) fn deserialize_tagged<'de, D, T>(
    deserializer: D,
    tag: &'static str,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let of = PhantomData;
    deserializer.deserialize_map(TaggedVisitor { tag, of })
}

struct TaggedVisitor<T> {
    tag: &'static str,
    of: PhantomData<T>,
}

impl<'de, T: DeserializeOwned> Visitor<'de> for TaggedVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with the member `{}`", self.tag)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<T, A::Error> {
        let mut before: Vec<(String, Value)> = Vec::new();
        while let Some(key) = members.next_key::<String>()? {
            if key != self.tag {
                before.push((key, members.next_value()?));
                continue;
            }
            let variant = members.next_value()?;
            if before.is_empty() {
                return T::deserialize(Tagged { variant, members });
            }
            while let Some(member) = members.next_entry()? {
                before.push(member);
            }
            let members = MapDeserializer::<_, serde_json::Error>::new(before.into_iter());
            return T::deserialize(Tagged { variant, members }).map_err(A::Error::custom);
        }
        Err(A::Error::missing_field(self.tag))
    }
}

/// An enum of which the variant is known and the members follow.
struct Tagged<A> {
    variant: String,
    members: A,
}

impl<'de, A: MapAccess<'de>> Deserializer<'de> for Tagged<A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_enum(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

impl<'de, A: MapAccess<'de>> EnumAccess<'de> for Tagged<A> {
    type Error = A::Error;
    type Variant = Members<A>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Members<A>), A::Error> {
        let variant = seed.deserialize(self.variant.into_deserializer())?;
        Ok((variant, Members(self.members)))
    }
}

/// The members after the tag.
struct Members<A>(A);

impl<'de, A: MapAccess<'de>> VariantAccess<'de> for Members<A> {
    type Error = A::Error;

    fn unit_variant(mut self) -> Result<(), A::Error> {
        while self.0.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        seed.deserialize(MapAccessDeserializer::new(self.0))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, A::Error> {
        Err(A::Error::custom("a list has no members"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        visitor.visit_map(self.0)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use crate::moves::{Formal, Moves};

    fn rebuttal() -> Value {
        json!({
            "kind": "formal", "said": "rebuttal", "title": "t", "claim": "c",
            "grounds": [{ "source": "s", "content": "c", "relevance": "r" }], "warrant": "w",
            "attacks": [{ "target_id": "opp_001", "attack_type": "claim_attack", "content": "a" }],
            "defends": [], "unknown": [1, { "kind": "blind" }],
        })
    }

    #[test]
    fn the_members_of_an_object_are_read_in_any_order() {
        let first: Moves = serde_json::from_value(rebuttal()).unwrap();
        let Moves::Formal(Formal::Rebuttal(said)) = &first else {
            panic!("{first:?}")
        };
        assert_eq!((said.argument.title.as_str(), said.attacks.len()), ("t", 1));
        let members: Vec<_> = rebuttal()
            .as_object()
            .unwrap()
            .clone()
            .into_iter()
            .collect();
        for turned in 0..members.len() {
            let mut members = members.clone();
            members.rotate_left(turned);
            let object: Map<_, _> = members.into_iter().collect();
            let text = Value::Object(object).to_string();
            assert_eq!(
                serde_json::from_str::<Moves>(&text).unwrap(),
                first,
                "{text}"
            );
        }
    }

    #[test]
    fn an_object_without_a_known_tag_is_an_error() {
        let read = |value: Value| serde_json::from_value::<Moves>(value);
        for (key, tag) in [("kind", "other"), ("said", "other"), ("said", "Rebuttal")] {
            let mut value = rebuttal();
            value[key] = json!(tag);
            assert!(read(value).is_err(), "{key} {tag}");
        }
        for key in ["kind", "said", "title", "warrant"] {
            let mut value = rebuttal();
            value.as_object_mut().unwrap().remove(key);
            assert!(read(value).is_err(), "{key}");
        }
        for value in [json!([]), json!("formal"), json!(null), json!({})] {
            assert!(read(value.clone()).is_err(), "{value}");
        }
    }
}
