//! The project as the seats see it: the contents of a working copy and what is hidden.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::thread;

use agon_engine::seat_folders::is_excluded_path;
use agon_evidence::{Change, FileKind, LeftOut, Manifest, ManifestEntry, Source};
use agon_record::spec::{self, Repo};
use agon_redact::Redactor;

/// Describes the working copy of `source`.
///
/// `settings` are the names of AI tools' configuration files. Files that seem to contain a secret
/// are hidden unless `secrets` is true; two threads scan every text for secrets.
pub(crate) fn describe(source: &Source, settings: &[String], secrets: bool) -> Repo {
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
        false => files_with_secrets(source, &files),
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

/// Returns the files that seem to contain a secret.
fn files_with_secrets(source: &Source, files: &BTreeMap<&str, &ManifestEntry>) -> Vec<String> {
    let copied = |kind: &FileKind| matches!(kind, FileKind::Text | FileKind::Binary);
    let texts = files.iter().filter(|(_, entry)| copied(&entry.kind));
    let texts: Vec<_> = texts.map(|(path, _)| *path).collect();
    let redactor = Redactor::new();
    let scan = |paths: &[&str]| {
        let found = paths.iter().filter(|path| {
            let bytes = source.read_pinned(path);
            bytes.is_some_and(|bytes| redactor.has_secrets(&bytes))
        });
        found.map(|path| (*path).to_owned()).collect::<Vec<_>>()
    };
    let halves = texts.split_at(texts.len() / 2);
    let mut found = thread::scope(|scope| {
        let first = scope.spawn(|| scan(halves.0));
        let second = scan(halves.1);
        let mut found = first.join().unwrap_or_else(|_| scan(halves.0));
        found.extend(second);
        found
    });
    found.sort_unstable();
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
