//! The parts of a form: what stands in a place to fill in, and how the places belong together.

use super::name::plain;

/// What stands in a slot.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field {
    /// Words, over as many lines as they take.
    Text,
    /// Several of those, one an entry of a list.
    Texts,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// The id of a point.
    Id,
    /// The ids of points.
    Ids,
    /// A number.
    Score,
    /// What a point rests on.
    Grounds,
    /// A part with slots of its own.
    One(&'static Shape),
    /// Several of those.
    List(&'static Shape),
}

/// A place to fill in.
#[derive(Debug)]
pub(super) struct Slot {
    /// Its key in the moves.
    pub(super) key: &'static str,
    /// How a form names it.
    pub(super) label: &'static str,
    /// Other names that are understood, plain as [`plain`] makes them.
    pub(super) also: &'static [&'static str],
    /// Names of a single entry, where it is a list.
    pub(super) single: &'static [&'static str],
    /// Whether a form names its entries before anything is said of them.
    pub(super) laid: bool,
    /// Whether it may stay empty, so that `none` in it is nothing.
    pub(super) optional: bool,
    /// What stands in it.
    pub(super) field: Field,
    /// What is asked for, in a few words.
    pub(super) hint: &'static str,
}

/// A part of the moves with slots of its own.
#[derive(Debug)]
pub(super) struct Shape {
    /// Its slots, in the order of a form.
    pub(super) slots: &'static [Slot],
    /// Where words go that stand in a heading.
    pub(super) head: Option<&'static str>,
    /// Where words go that stand under no name.
    pub(super) main: Option<&'static str>,
}

impl Slot {
    /// Whether `name`, made plain, means it.
    pub(super) fn is(&self, name: &str) -> bool {
        name == self.key || plain(self.label) == name || self.also.contains(&name)
    }

    /// Whether `name`, made plain, means one entry of it.
    pub(super) fn is_one(&self, name: &str) -> bool {
        self.single.contains(&name)
    }
}

impl Shape {
    /// The slot with this key.
    pub(super) fn slot(&'static self, key: &str) -> Option<&'static Slot> {
        self.slots.iter().find(|slot| slot.key == key)
    }

    /// The slot of this name, and whether one entry of it is meant.
    pub(super) fn named(&'static self, name: &str) -> Option<(&'static Slot, bool)> {
        let whole = self.slots.iter().find(|slot| slot.is(name));
        let one = || self.slots.iter().find(|slot| slot.is_one(name));
        whole
            .map(|slot| (slot, false))
            .or_else(|| Some((one()?, true)))
    }
}

/// A slot without other names.
pub(super) const fn slot(
    key: &'static str,
    label: &'static str,
    field: Field,
    hint: &'static str,
) -> Slot {
    Slot {
        key,
        label,
        also: &[],
        single: &[],
        laid: false,
        optional: false,
        field,
        hint,
    }
}

/// The whole of a form.
pub(super) const fn top(slots: &'static [Slot]) -> Shape {
    Shape {
        slots,
        head: None,
        main: None,
    }
}

impl Slot {
    /// It under other names too.
    pub(super) const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }

    /// It with names of a single entry.
    pub(super) const fn single(self, single: &'static [&'static str]) -> Self {
        Self { single, ..self }
    }

    /// It, where a form names its entries beforehand.
    pub(super) const fn laid(self) -> Self {
        Self { laid: true, ..self }
    }

    /// It, where it may stay empty.
    pub(super) const fn optional(self) -> Self {
        Self {
            optional: true,
            ..self
        }
    }
}
