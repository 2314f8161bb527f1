//! Imports what another tool wrote between two of Agon's writes.

use std::collections::{BTreeMap, BTreeSet};

use agon_record::event::{Event, Imported, ImportedArgument, Reply, ScoreEntry};
use agon_record::finding::Finding;
use agon_record::id::NodeId;
use agon_record::score::Score;
use agon_record::state::{ReplayError, State};
use agon_store::{DiskError, FileKind, Projection, RelPath};

use super::import::manifest_entry;
use super::{AppendError, Folder};
use crate::foreign::{Contents, DEBATE, ForeignError, GRAPH};
use crate::formal_files::{debate, scores};
use crate::manifest::blake3_hex;
use crate::projection::projections;

/// Additions to a debate by another tool.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedSteps {
    /// The added arguments, in order.
    pub arguments: Vec<NodeId>,
    /// The arguments that were scored, or scored again, in order.
    pub scored: Vec<NodeId>,
    /// The last judged exchange.
    pub judged: Option<u16>,
    /// The rule findings about the new arguments.
    pub findings: Vec<Finding>,
}

/// Why the changes of another tool were not imported; nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ImportStepsError {
    /// The changes are not a valid step of the debate.
    #[error("changed by hand or by another program: {}: {why}", join_paths(paths))]
    ForeignEdit {
        /// The changed files.
        paths: Vec<RelPath>,
        /// Why they do not continue the debate.
        why: String,
    },
    /// The continuation cannot be recorded.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// A file operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

fn join_paths(paths: &[RelPath]) -> String {
    let names: Vec<_> = paths.iter().map(RelPath::as_str).collect();
    names.join(", ")
}

impl Folder {
    /// Imports what another tool wrote into the folder of a formal debate.
    ///
    /// Accepts one or more complete steps: the arguments of both sides in the pending exchange, or
    /// all missing scores, with everything else unchanged. Call it after [`Folder::open`] and
    /// before writing anything. Returns `None` if nothing was added.
    ///
    /// # Errors
    ///
    /// If files were changed in any other way, or a file operation fails.
    pub fn import_foreign_steps(
        &mut self,
        at_ms: u64,
    ) -> Result<Option<ImportedSteps>, ImportStepsError> {
        let added = self.unrecorded_argument_files()?;
        if added.is_empty() && self.has_unchanged_step_files()? {
            return Ok(None);
        }
        let own = projections(&self.state);
        let mut edited = self.foreign_edits(&own)?;
        edited.extend(added);
        if edited.is_empty() {
            return Ok(None);
        }
        let refused = |why: String| {
            let paths = edited.clone();
            ImportStepsError::ForeignEdit { paths, why }
        };
        if !self.state.format_rules().takes_outside_parts {
            let why = "only a formal debate can be continued by another tool";
            return Err(refused(why.to_owned()));
        }
        let found = match Contents::read(&*self.disk, self.layout.root()) {
            Ok(found) => found,
            Err(ForeignError::Disk(error)) => return Err(error.into()),
            Err(error) => return Err(refused(error.to_string())),
        };
        let mut imported =
            continuation_event(&self.state, &own, &edited, &found).map_err(refused)?;
        let mut after = self.state.clone();
        let fits = |error: ReplayError| ImportStepsError::Append(error.into());
        after
            .apply(&Event::Imported(Box::new(imported.clone())))
            .map_err(fits)?;
        check_stated_totals(&found, &after).map_err(|why| ImportStepsError::ForeignEdit {
            paths: edited.clone(),
            why,
        })?;
        imported.findings = found.turn_findings(&after, &imported.arguments);
        let taken = ImportedSteps {
            arguments: imported.arguments.iter().map(|known| known.id).collect(),
            scored: imported.scores.keys().copied().collect(),
            judged: imported.judged,
            findings: imported.findings.clone(),
        };
        let files = imported.files.clone();
        self.append(at_ms, &[Event::Imported(Box::new(imported))])?;
        let mut next = self.manifest.clone();
        for (path, reply) in &files {
            let known = RelPath::new(path)
                .ok()
                .zip(manifest_entry(reply, self.after.end.seq));
            if let Some((path, mut entry)) = known {
                entry.was = self.manifest.previous_hashes(&path, None);
                next.0.insert(path, entry);
            }
        }
        next.write(&*self.disk, &self.layout)?;
        self.manifest = next;
        Ok(Some(taken))
    }

    /// Returns whether the files that every step changes are as Agon wrote them.
    ///
    /// The other files are checked when they are written, and by [`check`](crate::check).
    fn has_unchanged_step_files(&self) -> Result<bool, DiskError> {
        for name in [DEBATE, scores::FILE] {
            let at = self.layout.root().join(name);
            let known = match self.disk.metadata(&at)? {
                None => true,
                Some(meta) if meta.kind == FileKind::File => {
                    let hash = blake3_hex(&self.disk.read(&at)?);
                    let path = RelPath::new(name).ok();
                    path.is_some_and(|path| self.manifest.has_written(&path, &hash))
                }
                Some(_) => false,
            };
            if !known {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the Markdown files in `arguments/` that belong to no recorded argument.
    fn unrecorded_argument_files(&self) -> Result<Vec<RelPath>, DiskError> {
        let dir = self.layout.root().join("arguments");
        if !matches!(self.disk.metadata(&dir)?, Some(meta) if meta.kind == FileKind::Dir) {
            return Ok(Vec::new());
        }
        let nodes = self.state.nodes();
        let known: BTreeSet<_> = nodes.iter().map(|node| format!("{}.md", node.id)).collect();
        let names = self.disk.list_names(&dir)?.into_iter();
        let names = names.map(|name| name.to_string_lossy().into_owned());
        let added = names.filter(|name| name.ends_with(".md") && !known.contains(name));
        // Skip files with invalid names, which are rejected when the folder is read.
        let paths = added.filter_map(|name| RelPath::new(format!("arguments/{name}")).ok());
        Ok(paths.collect())
    }
}

/// Returns the event that imports the changes if they continue the debate.
fn continuation_event(
    state: &State,
    own: &[Projection],
    edited: &[RelPath],
    found: &Contents,
) -> Result<Imported, String> {
    let text = |name: &str| {
        let file = own.iter().find(|(path, _)| path.as_str() == name);
        file.and_then(|(_, bytes)| std::str::from_utf8(bytes).ok())
    };
    let known: BTreeSet<NodeId> = state.nodes().iter().map(|node| node.id).collect();
    let arguments: Vec<ImportedArgument> = found
        .argument_ids()
        .filter(|id| !known.contains(id))
        .filter_map(|id| found.imported_argument(id))
        .collect();
    for path in edited {
        let name = path.as_str();
        let new = |id: &ImportedArgument| name == format!("arguments/{}.md", id.id);
        if !matches!(name, DEBATE | scores::FILE) && !arguments.iter().any(new) {
            return Err(format!("{name} existed before and was changed"));
        }
    }
    let ids: BTreeSet<_> = found.argument_ids().collect();
    if let Some(gone) = known.iter().find(|id| !ids.contains(id)) {
        return Err(format!("arguments/{gone}.md is missing"));
    }
    let (Some(debate), Some(scores)) = (text(DEBATE), text(scores::FILE)) else {
        return Err("the stored originals of the files are missing".to_owned());
    };
    let new_debate = found.files.debate.replace("\r\n", "\n");
    debate::check_allowed_changes(&debate.replace("\r\n", "\n"), &new_debate)?;
    let new_scores = found.files.scores.as_deref().unwrap_or("{}");
    if !scores::has_only_added_scores(scores, new_scores) {
        return Err(format!(
            "earlier entries of {} were changed or removed",
            scores::FILE
        ));
    }
    let changed = found.scores.iter();
    let changed = changed
        .filter(|(id, all)| state.score_histories().get(id).map(Vec::len) != Some(all.len()));
    let changed: Vec<(NodeId, Vec<ScoreEntry>)> =
        changed.map(|(id, all)| (*id, all.clone())).collect();
    if found.last_judged_exchange() == state.last_judged_exchange() && !changed.is_empty() {
        return Err("scores were added although no judgment was pending".to_owned());
    }
    check_zero_sum(state, &changed)?;
    if arguments.is_empty() && changed.is_empty() {
        return Err("no argument and no score was added".to_owned());
    }
    let new: BTreeSet<String> = arguments
        .iter()
        .map(|known| format!("arguments/{}.md", known.id))
        .collect();
    let files = found.files.paths_and_texts().filter(|(path, _)| {
        matches!(path.as_str(), DEBATE | scores::FILE | GRAPH) || new.contains(path)
    });
    Ok(Imported {
        files: files
            .map(|(path, text)| (path, Reply::Text(text.to_owned())))
            .collect(),
        arguments,
        scores: changed.into_iter().collect(),
        judged: found.last_judged_exchange(),
        findings: Vec::new(),
    })
}

/// Checks that the first scores of each exchange add up to zero.
fn check_zero_sum(state: &State, changed: &[(NodeId, Vec<ScoreEntry>)]) -> Result<(), String> {
    let first = changed
        .iter()
        .filter(|(id, _)| !state.score_histories().contains_key(id));
    let mut sums = BTreeMap::<u16, Score>::new();
    for (id, all) in first {
        let Some(first) = all.first() else { continue };
        let sum = sums.entry(id.round).or_default();
        *sum = *sum + first.score;
    }
    match sums.iter().find(|(_, sum)| !sum.is_zero_within_tolerance()) {
        None => Ok(()),
        Some((exchange, sum)) => Err(format!(
            "the scores of exchange {exchange} add up to {sum} instead of 0"
        )),
    }
}

/// Checks that the totals in `debate.md` match the scores.
fn check_stated_totals(found: &Contents, after: &State) -> Result<(), String> {
    let Some(stated) = &found.opening.totals else {
        return Ok(());
    };
    let same = agon_record::tally::side_totals(after)
        .iter()
        .all(|(seat, total)| {
            let stated = stated.get(seat).copied().unwrap_or_default();
            stated.count == total.count && (stated.total - total.total).is_zero_within_tolerance()
        });
    if same {
        Ok(())
    } else {
        Err("the totals in debate.md do not match the scores".to_owned())
    }
}
