//! A gate that looks up every place that a file of the tree cites.

use std::path::Path;

use agon_caller::{Code, Failure};
use agon_evidence::{PinLimits, Resolver, Source};
use agon_record::stamp::{Stamp, StampKind, Unchecked};
use agon_team::gate::EvidenceGate;

use super::GateOutcome;
use crate::text::clean;

/// The largest text whose places are looked up.
const MAX_BYTES: u64 = 1 << 20;
// As many as `Resolver::extract` gives: with as many, there may be more.
/// Places in one paragraph from which on it is not known whether all were looked up.
const MAX_PLACES: usize = 32;
/// The most bytes of a paragraph that are read.
const MAX_PARAGRAPH_BYTES: usize = 64 << 10;

/// Looks up what the file cites in the work tree at `root`, as it stands.
pub(super) fn run(root: &Path, gate: &EvidenceGate) -> Result<GateOutcome, Failure> {
    let path = root.join(&gate.file);
    let bytes = agon_files::read_unlinked(&path, MAX_BYTES).ok();
    let Some(text) = bytes.and_then(|bytes| String::from_utf8(bytes).ok()) else {
        let outcome = format!("{} is no text of at most 1 MB in the tree", gate.file);
        return Ok(GateOutcome::new(false, clean(&outcome)));
    };
    let source = Source::pin_tree(root, &PinLimits::default())
        .map_err(|error| Failure::from_error(Code::Tree, &error))?;
    let mut resolver = Resolver::new(&source);
    let (mut stood, mut lines) = (0_usize, Vec::new());
    for paragraph in text.split("\n\n") {
        let found = resolver.extract(paragraph);
        if paragraph.len() > MAX_PARAGRAPH_BYTES || found.len() >= MAX_PLACES {
            return Ok(GateOutcome::new(
                false,
                "a paragraph cites more places than are looked up: divide it",
            ));
        }
        for place in &found {
            let stamped = resolver.resolve_extracted(place);
            let named = place.span;
            let named = paragraph.get(named[0]..named[1]).unwrap_or_default();
            // A place below a folder that the tree does not have may be of another project, which a
            // debate leaves open: it does not stand in this tree.
            let is_outside = matches!(
                stamped.stamp,
                Stamp::Unchecked {
                    reason: Unchecked::Outside,
                    ..
                }
            );
            match stamped.stamp.kind() {
                StampKind::Found | StampKind::Place => stood += 1,
                StampKind::Unchecked | StampKind::Unreachable if !is_outside => {}
                StampKind::Unchecked
                | StampKind::Unreachable
                | StampKind::Moved
                | StampKind::Wrong
                | StampKind::Missing => lines.push(format!("{named}: {}", stamped.stamp)),
            }
        }
    }
    let outcome = match (stood, lines.len()) {
        (0, 0) => "it cites no place of the tree".to_owned(),
        (stood, 0) => format!("{stood} places stand in the tree"),
        (stood, not) => format!("{not} of {} places do not stand in the tree", stood + not),
    };
    Ok(GateOutcome {
        output: clean(&lines.join("\n")),
        ..GateOutcome::new(stood > 0 && lines.is_empty(), outcome)
    })
}
