//! The project as the seats see it: the contents of a working copy and what is hidden.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use agon_engine::seat_folders::is_excluded_path;
use agon_evidence::parallel::in_parallel;
use agon_evidence::{Change, FileKind, LeftOut, Manifest, ManifestEntry, Source};
use agon_record::spec::{self, Repo};
use agon_redact::Redactor;

use crate::sources::clean_texts::CleanTexts;

/// Describes the working copy of `source`.
///
/// `settings` are the names of AI tools' configuration files. Files that seem to contain a secret
/// are hidden unless `secrets` is true; several threads scan every text that is not in `clean`, and
/// those without secrets are added to it.
pub(crate) fn describe(
    source: &Source,
    settings: &[String],
    secrets: bool,
    clean: &mut CleanTexts,
) -> Repo {
    let manifest = source.manifest();
    let debates = folders_of_debates(manifest);
    let from_root: Vec<_> = debates.iter().map(|path| format!("/{path}")).collect();
    let (mut files, mut tools) = (BTreeMap::new(), 0_u64);
    for (path, entry) in &manifest.entries {
        if is_excluded_path(path, settings) {
            tools += 1;
        } else if !is_excluded_path(path, &from_root) {
            files.insert(path.as_str(), entry);
        }
    }
    let secrets = match secrets {
        true => Vec::new(),
        false => files_with_secrets(source, &files, clean),
    };
    let copied = |kind: &FileKind| matches!(kind, FileKind::Text | FileKind::Binary);
    let copied = files.values().filter(|entry| copied(&entry.kind)).count();
    Repo {
        commit: manifest.commit.clone(),
        changed: changed_file_count(manifest),
        files: (copied - secrets.len()) as u64,
        secrets,
        debates,
        left_out: describe_left_out(manifest, &files, tools),
        submodules: submodule_paths(manifest),
    }
}

fn submodule_paths(manifest: &Manifest) -> Vec<String> {
    let apart = manifest.left_out.iter();
    let apart = apart.filter(|(_, why)| **why == LeftOut::Submodule);
    apart.map(|(path, _)| path.clone()).collect()
}

fn changed_file_count(manifest: &Manifest) -> u64 {
    let entries = manifest.entries.values();
    let changed = entries.filter(|entry| entry.change != Change::None).count();
    let deleted = manifest.left_out.values();
    let deleted = deleted.filter(|why| **why == LeftOut::Deleted).count();
    (changed + deleted) as u64
}

/// Returns the folders that contain debates: the folder of debates, which is not pinned, and any
/// other folder with a debate.
fn folders_of_debates(manifest: &Manifest) -> Vec<String> {
    let within = |folder: &str| {
        let folder = format!("{folder}/");
        let mut after = manifest.entries.range(folder.clone()..);
        after
            .next()
            .is_some_and(|(path, _)| path.starts_with(&folder))
    };
    let mut found: BTreeSet<String> = BTreeSet::new();
    let apart = manifest.left_out.iter();
    let apart = apart.filter(|(_, why)| **why == LeftOut::Apart);
    found.extend(apart.map(|(path, _)| path.clone()));
    for path in manifest.entries.keys() {
        let ours = path.strip_suffix("/.agon/journal.jsonl");
        let theirs = path.strip_suffix("/debate.md");
        let theirs = theirs.filter(|folder| within(&format!("{folder}/arguments")));
        found.extend(ours.or(theirs).map(str::to_owned));
    }
    let outer = found.clone();
    found.retain(|path| {
        let mut above = Path::new(path).ancestors().skip(1);
        !above.any(|folder| folder.to_str().is_some_and(|above| outer.contains(above)))
    });
    found.into_iter().collect()
}

/// Returns the files that seem to contain a secret, sorted.
fn files_with_secrets(
    source: &Source,
    files: &BTreeMap<&str, &ManifestEntry>,
    clean: &mut CleanTexts,
) -> Vec<String> {
    let copied = |kind: &FileKind| matches!(kind, FileKind::Text | FileKind::Binary);
    let copied = files.iter().filter(|(_, entry)| copied(&entry.kind));
    let is_known = |entry: &ManifestEntry, clean: &mut CleanTexts| {
        let hash = entry.hash.as_ref();
        hash.is_some_and(|hash| clean.contains(hash))
    };
    let unknown = copied.filter(|(_, entry)| !is_known(entry, clean));
    let unknown: Vec<_> = unknown.map(|(path, entry)| (*path, *entry)).collect();
    let redactor = Redactor::new();
    let scanned = in_parallel(
        &unknown,
        |(_, entry)| entry.bytes,
        |part| {
            let reader = source.reader();
            let scan = |path: &str| {
                let bytes = reader.read(path)?;
                Some(redactor.has_secrets(&bytes))
            };
            part.iter().map(|(path, _)| scan(path)).collect::<Vec<_>>()
        },
    );
    let mut found = Vec::new();
    for ((path, entry), has_secrets) in unknown.iter().zip(scanned.into_iter().flatten()) {
        match (has_secrets, &entry.hash) {
            (Some(true), _) => found.push((*path).to_owned()),
            (Some(false), Some(hash)) => clean.add(hash),
            (Some(false), None) | (None, _) => {}
        }
    }
    found
}

/// Describes what is left out because of its kind, in a few words each.
fn describe_left_out(
    manifest: &Manifest,
    files: &BTreeMap<&str, &ManifestEntry>,
    tools: u64,
) -> Vec<String> {
    let of =
        |is: &dyn Fn(&FileKind) -> bool| files.values().filter(|it| is(&it.kind)).count() as u64;
    let count = |why: LeftOut| manifest.left_out.values().filter(|it| **it == why).count() as u64;
    let counts = [
        tools,
        count(LeftOut::Submodule),
        of(&|it| matches!(it, FileKind::Symlink(_))),
        of(&|it| *it == FileKind::Oversized),
        of(&|it| *it == FileKind::LargeFile),
        count(LeftOut::Sparse),
        count(LeftOut::Unreadable),
        count(LeftOut::Special),
    ];
    let kinds = counts.into_iter().zip(spec::LEFT_OUT);
    let kinds = kinds.filter(|(count, _)| *count > 0);
    let said = kinds.map(|(count, [one, many])| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    });
    said.collect()
}
