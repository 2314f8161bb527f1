//! The colours of Mermaid, SVG and PNG.

use std::fmt;

use super::{DrawnSide, Polarity};

/// An opaque colour; written as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Colour(pub(super) u8, pub(super) u8, pub(super) u8);

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

// White, so that printing the background does not use ink.
pub(super) const PAPER: Colour = Colour(0xff, 0xff, 0xff);
// Light enough that `INK` keeps a contrast of 15 to 1 on it.
pub(super) const BAND: Colour = Colour(0xf4, 0xf6, 0xf9);
// A contrast of 16 to 1 on paper and 13.9 on the darkest box; 4.5 is required:
// <https://www.w3.org/TR/WCAG22/#contrast-minimum>.
pub(super) const INK: Colour = Colour(0x1a, 0x20, 0x2c);
// A contrast of 4.7 to 1 on paper, just above the required 4.5 of
// <https://www.w3.org/TR/WCAG22/#contrast-minimum>; 4.3 on a band.
pub(super) const FAINT: Colour = Colour(0x6b, 0x74, 0x85);

/// The look of a side's boxes.
pub(super) struct SideLook {
    pub(super) name: &'static str,
    pub(super) fill: Colour,
    pub(super) line: Colour,
    /// The corner radius, which distinguishes the sides without colours.
    pub(super) radius: f32,
}

pub(super) fn side_look(side: DrawnSide) -> SideLook {
    match side {
        DrawnSide::For => SideLook {
            name: "for",
            fill: Colour(0xe3, 0xf4, 0xe6),
            line: Colour(0x1e, 0x7a, 0x36),
            radius: 11.0,
        },
        DrawnSide::Against => SideLook {
            name: "against",
            fill: Colour(0xfd, 0xe8, 0xe6),
            line: Colour(0xb4, 0x23, 0x18),
            radius: 1.5,
        },
        DrawnSide::Neither => SideLook {
            name: "neither side",
            fill: Colour(0xec, 0xef, 0xf4),
            line: Colour(0x52, 0x5f, 0x76),
            radius: 5.0,
        },
    }
}

/// The look of an edge.
pub(super) struct EdgeLook {
    /// The name in the legend.
    pub(super) name: &'static str,
    /// The verb between two ids in a sentence.
    pub(super) verb: &'static str,
    pub(super) line: Colour,
    pub(super) dotted: bool,
    /// Whether the arrow's head is filled.
    pub(super) filled: bool,
}

pub(super) fn edge_look(polarity: Polarity) -> EdgeLook {
    match polarity {
        Polarity::Attack => EdgeLook {
            name: "attacks",
            verb: "attacks",
            line: Colour(0xd9, 0x6a, 0x0b),
            dotted: false,
            filled: true,
        },
        Polarity::Support => EdgeLook {
            name: "supports",
            verb: "supports",
            line: Colour(0x25, 0x63, 0xc9),
            dotted: false,
            filled: false,
        },
        Polarity::Concession => EdgeLook {
            name: "concedes",
            verb: "concedes",
            line: Colour(0x7a, 0x3f, 0xb5),
            dotted: true,
            filled: true,
        },
    }
}

/// The sides in the order of a legend.
pub(super) const SIDES: [DrawnSide; 3] = [DrawnSide::For, DrawnSide::Against, DrawnSide::Neither];

/// The kinds of edges in the order of a legend.
pub(super) const POLARITIES: [Polarity; 3] =
    [Polarity::Attack, Polarity::Support, Polarity::Concession];

/// Returns the name of `colour` in a style sheet.
pub(super) fn colour_name(colour: Colour) -> &'static str {
    const PLAIN: [(Colour, &str); 4] = [
        (PAPER, "paper"),
        (BAND, "band"),
        (INK, "ink"),
        (FAINT, "faint"),
    ];
    let sides = SIDES.into_iter().flat_map(|it| {
        let names = match it {
            DrawnSide::For => ["for", "for-tint"],
            DrawnSide::Against => ["against", "against-tint"],
            DrawnSide::Neither => ["neither", "neither-tint"],
        };
        let look = side_look(it);
        [(look.line, names[0]), (look.fill, names[1])]
    });
    let edges = POLARITIES.into_iter().map(|it| {
        let name = match it {
            Polarity::Attack => "attack",
            Polarity::Support => "support",
            Polarity::Concession => "concession",
        };
        (edge_look(it).line, name)
    });
    let mut all = PLAIN.into_iter().chain(sides).chain(edges);
    all.find(|&(known, _)| known == colour)
        .map_or("ink", |(_, name)| name)
}
