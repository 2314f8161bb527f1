//! Where a debate is.

use std::path::{Path, PathBuf};

use agon_folder::{
    FindError, ListedDebate, Listing, Problem, View, ViewError, find_debate, list_debates,
};
pub use agon_record::spec::is_plain_name;
use agon_report::text::plain_line;
use agon_store::journal::JournalFault;
use agon_store::{DiskError, RealDisk, slug, slug_with_number};

use crate::{Caller, Code, Failure, FailureKind, Notes, settings, similar};

// Names of a dozen letters: these fill a line of 110 columns.
/// How many names a message lists.
const MAX_NAMES: usize = 8;

/// Where debates are: the folder that the caller names, else the configured one, which is looked
/// for upwards.
///
/// # Errors
///
/// If it is for the configuration to say, and that is not valid.
pub fn debates_dir(caller: &Caller) -> Result<PathBuf, Failure> {
    if let Some(dir) = &caller.debates_dir {
        return Ok(caller.resolve_path(dir));
    }
    let dir = caller.resolve_path(&settings::read_settings(caller)?.debates_dir);
    refuse_leading_out(caller, &dir)?;
    Ok(dir)
}

/// Refuses a folder of debates in the project that is a link out of it, for a request over a
/// protocol.
fn refuse_leading_out(caller: &Caller, dir: &Path) -> Result<(), Failure> {
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

/// A folder of debates as messages name it: `./debates` where it is in the current one.
pub fn describe_folder(caller: &Caller, dir: &Path) -> String {
    let shown = caller.display_path(dir);
    match Path::new(&shown).is_relative() && !shown.starts_with('.') {
        true => format!("./{shown}"),
        false => shown,
    }
}

/// Says what the name became that was wanted for a folder, where it cannot have that name.
pub fn note_changed_name(wanted: Option<&str>, name: &str, notes: &mut dyn Notes) {
    if let Some(wanted) = wanted
        && wanted != name
    {
        let wanted = agon_record::text::sanitise_line(wanted, 80);
        notes.note(&format!(
            "note: the debate is named {name}, not `{wanted}`: a name has a to z, 0 to 9 and - only, \
             and is free"
        ));
    }
}

/// The name that a debate opened now in `dir` would get, of which `wanted` is the beginning.
pub fn free_name(dir: &Path, wanted: &str) -> String {
    let base = slug(wanted);
    let is_free = |name: &String| std::fs::symlink_metadata(dir.join(name)).is_err();
    let mut names = (1..=u32::from(u16::MAX)).map(|number| slug_with_number(&base, number));
    names.find(is_free).unwrap_or(base)
}

/// The debates in `dir`.
///
/// # Errors
///
/// If it cannot be read.
pub fn listing(dir: &Path) -> Result<Listing, Failure> {
    list_debates(&RealDisk, dir).map_err(|error| unreadable(&error))
}

/// The folder of the debate `name`: a folder, a name or an id.
///
/// # Errors
///
/// If there is none; for a request over a protocol, if it is outside the project.
pub fn find_debate_folder(caller: &Caller, name: &str) -> Result<PathBuf, Failure> {
    let dir = debates_dir(caller)?;
    let named = caller.resolve_path(Path::new(name));
    let is_named = !name.is_empty() && named.is_absolute() && is_debate_folder(&named);
    let found = match is_named {
        true => Ok(named),
        false => find_debate(&RealDisk, name, &dir),
    };
    let found = found.and_then(|path| match is_within_reach(caller, &dir, &path) {
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

/// Whether the debate in `path` may be meant: over a protocol only one in the project or in its folder
/// of debates, `dir`.
pub fn is_within_reach(caller: &Caller, dir: &Path, path: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(caller.cwd.join(path));
    let Ok(found) = real(path) else {
        return !caller.is_relayed;
    };
    let mut reach = [real(&caller.project()), real(dir)].into_iter().flatten();
    !caller.is_relayed || reach.any(|folder| found.starts_with(folder))
}

/// What its user types for the debate in `path`: the name of its folder where that means it here,
/// else its path, quoted for a shell.
pub fn name_to_type(caller: &Caller, path: &Path) -> String {
    let named = folder_name(path).filter(|name| {
        let found = debates_dir(caller).map(|dir| find_debate(&RealDisk, name, &dir));
        matches!(found, Ok(Ok(found)) if is_same_path(&found, path))
    });
    named.unwrap_or_else(|| quote_for_shell(&caller.display_path(path)))
}

/// The name of the folder `path`, where it is a plain word; of a folder with another name nothing
/// is offered.
fn folder_name(path: &Path) -> Option<String> {
    // `.` has no name of its own.
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

/// A word as a shell takes it for one. What does not show is written as an escape.
pub fn quote_for_shell(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:@%,=".contains(c);
    if !word.is_empty() && !word.starts_with(['-', '=']) && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if plain_line(word) == word {
        // With `./` in front it cannot be a flag.
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

/// Whether a debate is in `path` itself.
pub fn is_debate_folder(path: &Path) -> bool {
    path.to_str()
        .is_some_and(|name| find_debate(&RealDisk, name, path).is_ok())
}

/// Reads the name of a debate as `number` where none is given, the name is one, and no debate has it.
pub fn take_lone_number(caller: &Caller, name: &mut Option<String>, number: &mut Option<u16>) {
    let Some(text) = name.as_deref().filter(|_| number.is_none()) else {
        return;
    };
    let read = text.parse().ok().filter(|&number: &u16| number <= 1_000);
    if read.is_some() && find_debate_folder(caller, text).is_err() {
        (*name, *number) = (None, read);
    }
}

/// The names of some debates, the first of them if they are many.
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
/// If nothing of it can be read.
pub fn read(path: &Path) -> Result<View, Failure> {
    let mut view = View::read(&RealDisk, path).map_err(|error| view_failure(&error))?;
    let quoted = || quote_for_shell(&path.display().to_string());
    view.state.typed = Some(folder_name(path).unwrap_or_else(quoted));
    Ok(view)
}

/// Reads the debate in `path`, as [`read`] does, for commands that `caller` can type.
///
/// # Errors
///
/// If nothing of it can be read.
pub fn read_for(caller: &Caller, path: &Path) -> Result<View, Failure> {
    let mut view = read(path)?;
    view.state.typed = Some(name_to_type(caller, path));
    Ok(view)
}

/// A debate that cannot be read.
pub fn view_failure(error: &ViewError) -> Failure {
    match error {
        ViewError::NotADebate { .. } => {
            Failure::from_error(Code::UnknownDebate, error).parameter("debate")
        }
        ViewError::Unreadable { .. } => Failure::from_error(Code::Unreadable, error)
            .kind(FailureKind::Store)
            .hint("`git log` may have a whole copy; what can be saved is still in .agon/"),
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

/// Says on stderr what is wrong with the debate in `path`, where it hides nothing.
///
/// An unfinished last line is not worth a word: a writer may be at it.
pub fn note_problems(caller: &Caller, path: &Path, view: &View, notes: &mut dyn Notes) {
    let worth = |problem: &&Problem| !matches!(problem, Problem::Torn { .. });
    let Some(first) = view.problems.iter().find(worth) else {
        return;
    };
    let name = name_to_type(caller, path);
    notes.warn(&format!("{first}; agon check {name} says more"));
}

/// Refuses to go on with the debate in `path` where its journal is damaged: what a snapshot still
/// has of it could not be read again.
///
/// # Errors
///
/// If it is.
pub fn refuse_damaged(caller: &Caller, path: &Path) -> Result<(), Failure> {
    let view = read(path)?;
    let damaged = view.problems.iter().find(|problem| {
        matches!(problem, Problem::Journal(fault) if !matches!(fault, JournalFault::Newer { .. }))
    });
    let Some(damaged) = damaged else {
        return Ok(());
    };
    let name = name_to_type(caller, path);
    Err(Failure::new(Code::Damaged, damaged.to_string()).hint(format!(
        "put .agon/journal.jsonl back from a copy, such as git has; agon show {name} reads what is \
         sound, agon check {name} says more"
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
