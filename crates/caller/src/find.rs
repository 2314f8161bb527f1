//! Finds debates and their folders.

use std::path::{Path, PathBuf};

use agon_folder::{FindError, ListedDebate, Listing, Problem, View, ViewError};
pub use agon_record::spec::is_plain_name;
use agon_report::text::plain_line;
use agon_store::journal::JournalFault;
use agon_store::{DiskError, RealDisk, slug, slug_with_number};

use crate::{Caller, Code, Failure, FailureKind, IgnoreNotes, Notes, listing, settings, similar};

// Eight names of a dozen characters fill a line of 110 columns.
/// The maximum number of names in a message.
const MAX_NAMES: usize = 8;

/// Returns the folder of debates: the caller's or else the configured one, which may be in a parent
/// folder.
///
/// # Errors
///
/// Returns an error if the caller names no folder and the configuration is invalid.
pub fn debates_dir(caller: &Caller) -> Result<PathBuf, Failure> {
    if let Some(dir) = &caller.debates_dir {
        return Ok(caller.resolve_path(dir));
    }
    let dir = caller.resolve_path(&settings::read_settings(caller)?.debates_dir);
    refuse_link_out_of_project(caller, &dir)?;
    Ok(dir)
}

/// Rejects a folder of debates that is a link out of the project, for requests over a protocol.
fn refuse_link_out_of_project(caller: &Caller, dir: &Path) -> Result<(), Failure> {
    let project = caller.project();
    let real = |path: &Path| std::fs::canonicalize(caller.cwd.join(path));
    let is_in_project = caller.cwd.join(dir).starts_with(&project);
    let (Ok(leads_to), Ok(top)) = (real(dir), real(&project)) else {
        return Ok(());
    };
    if !caller.is_relayed || !is_in_project || leads_to.starts_with(top) {
        return Ok(());
    }
    let shown = plain_line(&caller.display_path(dir));
    let message = format!("{shown} is a link that leads out of the project");
    let failure = Failure::new(Code::LeadsOut, message);
    Err(failure.hint("the user can name that folder in their own configuration: debates_dir"))
}

/// Returns the name of a folder of debates for messages, such as `./debates`.
pub fn describe_folder(caller: &Caller, dir: &Path) -> String {
    let shown = caller.display_path(dir);
    match Path::new(&shown).is_relative() && !shown.starts_with('.') {
        true => format!("./{shown}"),
        false => shown,
    }
}

/// Notes that a folder got another name than the requested one.
pub fn note_changed_name(wanted: Option<&str>, name: &str, notes: &mut dyn Notes) {
    if let Some(wanted) = wanted
        && wanted != name
    {
        let wanted = agon_record::text::sanitise_line(wanted, 80);
        notes.note(&format!(
            "note: the debate is named {name}, not `{wanted}`: names must be unused and contain only \
            a to z, 0 to 9 and -"
        ));
    }
}

/// Returns the first free name in `dir` that starts with `wanted`.
pub fn free_name(dir: &Path, wanted: &str) -> String {
    let base = slug(wanted);
    let is_free = |name: &String| std::fs::symlink_metadata(dir.join(name)).is_err();
    let mut names = (1..=u32::from(u16::MAX)).map(|number| slug_with_number(&base, number));
    names.find(is_free).unwrap_or(base)
}

/// Returns the debates in `dir`.
///
/// # Errors
///
/// Returns an error if it cannot be read.
pub fn listing(dir: &Path) -> Result<Listing, Failure> {
    listing_with_notes(dir, &mut IgnoreNotes)
}

/// As [`listing()`], and notes why it takes more than a second.
///
/// # Errors
///
/// Returns an error if it cannot be read.
pub fn listing_with_notes(dir: &Path, notes: &mut dyn Notes) -> Result<Listing, Failure> {
    listing::list(dir, notes).map_err(|error| unreadable(&error))
}

/// Finds the debate `name` in `dir`; takes ids from the list.
fn find_debate(name: &str, dir: &Path) -> Result<PathBuf, FindError> {
    let list = || Ok(listing::list(dir, &mut IgnoreNotes)?.debates);
    agon_folder::find_debate(&RealDisk, name, dir, &list)
}

/// Returns the folder of the debate `name`, which is a folder, a name or an id.
///
/// # Errors
///
/// Returns an error if there is none or, for a request over a protocol, if it is outside the
/// project.
pub fn find_debate_folder(caller: &Caller, name: &str) -> Result<PathBuf, Failure> {
    let dir = debates_dir(caller)?;
    let named = caller.resolve_path(Path::new(name));
    let is_named = !name.is_empty() && named.is_absolute() && is_debate_folder(&named);
    let found = match is_named {
        true => Ok(named),
        false => find_debate(name, &dir),
    };
    let found = found.and_then(|path| match may_access_debate(caller, &dir, &path) {
        true => Ok(path),
        false => Err(FindError::NotFound {
            name: name.chars().take(120).collect(),
            looked: vec![caller.cwd.join(&dir)],
        }),
    });
    found.map_err(|error| match error {
        FindError::NotFound { .. } => {
            let message = agon_record::text::sanitise_line(&error.to_string(), 400);
            let known = listing(&dir)
                .map(|listing| listing.debates)
                .unwrap_or_default();
            let slugs = known.iter().map(|debate| debate.slug.as_str());
            let slugs = slugs.filter(|slug| is_plain_name(slug));
            Failure::new(Code::UnknownDebate, message)
                .parameter("debate")
                .hint(similar::hint(
                    name,
                    slugs,
                    "`agon list` shows the debates here",
                ))
        }
        FindError::Disk(error) => unreadable(&error),
    })
}

/// Returns whether the caller may use the debate in `path`. A request over a protocol may only use
/// debates in the project or in its folder of debates, `dir`.
pub fn may_access_debate(caller: &Caller, dir: &Path, path: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(caller.cwd.join(path));
    if !caller.is_relayed {
        return true;
    }
    let mut reach = [real(&caller.project()), real(dir)].into_iter().flatten();
    real(path).is_ok_and(|found| reach.any(|folder| found.starts_with(folder)))
}

/// Keeps the listed debates of `dir` that the caller may use.
pub fn retain_accessible(caller: &Caller, dir: &Path, debates: &mut Vec<ListedDebate>) {
    if !caller.is_relayed {
        return;
    }
    // Only a link can lead out of the folder. Resolving every path takes ten times as long.
    let is_folder = |path: &Path| {
        let meta = std::fs::symlink_metadata(caller.cwd.join(path));
        meta.is_ok_and(|meta| meta.is_dir())
    };
    debates
        .retain(|debate| is_folder(&debate.path) || may_access_debate(caller, dir, &debate.path));
}

/// Returns what a user types for the debate in `path`: the name of its folder if that finds it
/// here, otherwise its path, quoted for a shell.
pub fn typeable_debate_name(caller: &Caller, path: &Path) -> String {
    let named = folder_name(path).filter(|name| {
        let found = debates_dir(caller).map(|dir| find_debate(name, &dir));
        matches!(found, Ok(Ok(found)) if is_same_path(&found, path))
    });
    named.unwrap_or_else(|| quote_for_shell(&caller.display_path(path)))
}

/// Returns the name of the folder `path`, if it is a plain word.
fn folder_name(path: &Path) -> Option<String> {
    // A path such as `.` has no file name, so resolve it first.
    let real = match path.file_name() {
        Some(_) => path.to_owned(),
        None => path.canonicalize().ok()?,
    };
    let name = real.file_name()?.to_str()?;
    is_plain_name(name).then(|| name.to_owned())
}

fn is_same_path(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    one == other || real(one) == real(other)
}

/// Quotes a word for a shell; writes invisible characters as escapes.
pub fn quote_for_shell(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:@%,=".contains(c);
    if !word.is_empty() && !word.starts_with(['-', '=']) && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if plain_line(word) == word {
        // A leading `./` keeps it from being read as a flag.
        let path = if word.starts_with('-') { "./" } else { "" };
        return format!("'{path}{}'", word.replace('\'', "'\\''"));
    }
    let mut quoted = String::from("$'");
    for c in word.chars() {
        match c {
            '\'' | '\\' => quoted.extend(['\\', c]),
            '!'..='~' => quoted.push(c),
            c => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    quoted.push_str(&format!("\\{byte:03o}"));
                }
            }
        }
    }
    quoted.push('\'');
    quoted
}

/// Returns whether `path` is the folder of a debate.
pub fn is_debate_folder(path: &Path) -> bool {
    path.to_str()
        .is_some_and(|name| find_debate(name, path).is_ok())
}

/// Treats `name` as `number` if it is a number, no number is given, and no debate has that name.
pub fn take_lone_number(caller: &Caller, name: &mut Option<String>, number: &mut Option<u16>) {
    let Some(text) = name.as_deref().filter(|_| number.is_none()) else {
        return;
    };
    let read = text.parse().ok().filter(|&number: &u16| number <= 1_000);
    if read.is_some() && find_debate_folder(caller, text).is_err() {
        (*name, *number) = (None, read);
    }
}

/// Joins the names of debates; shortens a long list.
pub fn format_debate_names<'a>(debates: impl IntoIterator<Item = &'a ListedDebate>) -> String {
    let mut names: Vec<_> = debates
        .into_iter()
        .map(|debate| plain_line(&debate.slug))
        .collect();
    let more = names.len().saturating_sub(MAX_NAMES);
    names.truncate(MAX_NAMES);
    match more {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// Reads the debate in `path`, without a lock.
///
/// # Errors
///
/// Returns an error if no part of it can be read.
pub fn read(path: &Path) -> Result<View, Failure> {
    let mut view = View::read(&RealDisk, path).map_err(|error| view_failure(&error))?;
    let quoted = || quote_for_shell(&path.display().to_string());
    view.state.typed = Some(folder_name(path).unwrap_or_else(quoted));
    Ok(view)
}

/// Reads the debate in `path` like [`read`], with the name that `caller` can type.
///
/// # Errors
///
/// Returns an error if no part of it can be read.
pub fn read_for(caller: &Caller, path: &Path) -> Result<View, Failure> {
    let mut view = read(path)?;
    view.state.typed = Some(typeable_debate_name(caller, path));
    Ok(view)
}

/// Returns the failure for a debate that cannot be read.
pub fn view_failure(error: &ViewError) -> Failure {
    match error {
        ViewError::NotADebate { .. } => {
            Failure::from_error(Code::UnknownDebate, error).parameter("debate")
        }
        ViewError::Unreadable { .. } => Failure::from_error(Code::Unreadable, error)
            .kind(FailureKind::Store)
            .hint("restore it from git if it is there (`git log`); the readable part is still in .agon/"),
        ViewError::Foreign(foreign) => {
            let failure = Failure::from_error(Code::Unreadable, foreign).kind(FailureKind::Store);
            match foreign.hint() {
                Some(hint) => failure.hint(hint),
                None => failure,
            }
        }
        ViewError::Disk(error) => unreadable(error),
    }
}

fn unreadable(error: &DiskError) -> Failure {
    Failure::from_error(Code::Store, error)
}

/// Warns of the first problem of the debate in `path`.
///
/// Ignores an incomplete last line, because another process may be writing it.
pub fn note_problems(caller: &Caller, path: &Path, view: &View, notes: &mut dyn Notes) {
    let worth = |problem: &&Problem| !matches!(problem, Problem::Torn { .. });
    let Some(first) = view.problems.iter().find(worth) else {
        return;
    };
    let name = typeable_debate_name(caller, path);
    notes.warn(&format!("{first}; for details: agon check {name}"));
}

/// Refuses to continue the debate in `path` if its journal is damaged, because the copy in a
/// snapshot could not be read again.
///
/// # Errors
///
/// Returns an error if the journal is damaged.
pub fn refuse_damaged(caller: &Caller, path: &Path) -> Result<(), Failure> {
    let view = read(path)?;
    let damaged = view.problems.iter().find(|problem| {
        matches!(problem, Problem::Journal(fault) if !matches!(fault, JournalFault::Newer { .. }))
    });
    let Some(damaged) = damaged else {
        return Ok(());
    };
    let name = typeable_debate_name(caller, path);
    Err(Failure::new(Code::Damaged, damaged.to_string()).hint(format!(
        "restore .agon/journal.jsonl from a backup or from git; agon show {name} shows the readable part, \
        agon check {name} lists the problems"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_types, reason = "a real shell judges")]
    fn a_word_is_quoted_so_that_a_shell_gives_it_back() {
        for word in [
            "job-store",
            "debates/a b",
            "it's",
            "$(touch x)",
            "`x`;y|z>w&*?~",
            "-rf",
            "=ls",
            "",
            "\u{1b}[31m'\\\u{202e}\u{9b}\u{2028}\u{200b}\n",
        ] {
            let quoted = quote_for_shell(word);
            assert_eq!(plain_line(&quoted), quoted, "{word:?}");
            let script = format!("printf %s {quoted}");
            let output = std::process::Command::new("bash")
                .args(["-c", &script])
                .output();
            let given = String::from_utf8(output.unwrap().stdout).unwrap();
            // A flag becomes a path to the same file.
            assert_eq!(given.strip_prefix("./").unwrap_or(&given), word, "{quoted}");
        }
    }
}
