//! Under which names the fields of a part are understood.

use agon_record::grammar::{Field, MovePart};

use super::name::normalize_name;

/// The field of `part` with this name, made plain, and whether one entry of it is meant.
pub(super) fn find_field(part: &'static MovePart, name: &str) -> Option<(&'static Field, bool)> {
    let is = |field: &&Field| {
        name == field.key || normalize_name(field.label) == name || field.also.contains(&name)
    };
    let whole = part.fields.iter().find(is);
    let one = || {
        part.fields
            .iter()
            .find(|field| field.single.contains(&name))
    };
    whole
        .map(|field| (field, false))
        .or_else(|| Some((one()?, true)))
}
