//! A gate that checks every citation in a file of the tree.

use std::path::Path;

use agon_caller::{Code, Failure};
use agon_evidence::{PinLimits, Resolver, Source};
use agon_record::stamp::{Stamp, StampKind, Unchecked};
use agon_team::gate::EvidenceGate;

use super::GateOutcome;
use crate::text::clean;

/// Maximum size of a file that are checked, in bytes.
const MAX_BYTES: u64 = 1 << 20;
// The limit of `Resolver::extract`: a paragraph that reaches it may cite more places.
/// The number of citations at which a paragraph has too many to be checked completely.
const MAX_PLACES: usize = 32;
/// Maximum size of a paragraph, in bytes.
const MAX_PARAGRAPH_BYTES: usize = 64 << 10;

/// Checks the citations of the gate's file in the current state of the work tree at `root`.
pub(super) fn run(root: &Path, gate: &EvidenceGate) -> Result<GateOutcome, Failure> {
    let path = root.join(&gate.file);
    let bytes = agon_files::read_no_follow(&path, MAX_BYTES).ok();
    let Some(text) = bytes.and_then(|bytes| String::from_utf8(bytes).ok()) else {
        let outcome = format!("{} is missing, not text, or larger than 1 MB", gate.file);
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
                "a paragraph has too many citations to check: split it",
            ));
        }
        for place in &found {
            let stamped = resolver.resolve_extracted(place);
            let named = place.span;
            let named = paragraph.get(named[0]..named[1]).unwrap_or_default();
            // A path below a folder that the tree lacks may belong to another project. A debate
            // leaves that open; this gate counts it as wrong.
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
        (0, 0) => "it cites nothing in the tree".to_owned(),
        (stood, 0) => format!("{stood} of {stood} citations found"),
        (stood, not) => format!("{not} of {} citations not found in the tree", stood + not),
    };
    Ok(GateOutcome {
        output: clean(&lines.join("\n")),
        ..GateOutcome::new(stood > 0 && lines.is_empty(), outcome)
    })
}
