//! Writes a decision record into a project's folder of them: its form, its number, its name.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use agon_caller::system::format_time;
use agon_caller::{Code, Failure, FailureKind, Hint, system};
use agon_folder::View;
use agon_report::{RecordForm, decision_record_in_form, record_mark, record_title};
use agon_store::{Disk, Durable, RealDisk, replace_file, slug, write_synced};
use agon_verdict::verdict::verdict;

// Ten times the longest folder of decision records that we know of.
/// Maximum number of files that are read in a folder.
const MAX_FILES: usize = 5_000;
/// Maximum size of a decision record that is read, in bytes.
const MAX_BYTES: u64 = 256 * 1024;
/// How long to wait for another process that writes a record into the same folder.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);
/// The usual number of digits, as in `0007`.
const DIGITS: usize = 4;

/// How the records of a folder are named and written.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Convention {
    form: RecordForm,
    naming: Naming,
    /// The record of this debate, if there is one.
    own: Option<PathBuf>,
}

/// How the files are named.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Naming {
    /// By a number, as in `0007-job-store.md` or `adr-007-job-store.md`.
    Number {
        prefix: String,
        digits: usize,
        separator: char,
        next: u32,
    },
    /// By a day, as in `20261129-job-store.md`.
    Day,
}

/// Writes the decision record of a debate into `dir`, and returns its path.
///
/// The form, the number and the name follow the records in `dir`; an empty folder gets
/// `0001-title.md`. Two processes that write at the same time get different numbers. No file is
/// replaced, except the record of this debate with `force`.
///
/// # Errors
///
/// If there is no verdict, the debate has a record there, or the folder cannot be written. No record
/// has changed then; `dir` may have been created.
pub fn write_decision_record(
    view: &View,
    dir: &Path,
    force: bool,
    name: &str,
) -> Result<PathBuf, Failure> {
    let Some(verdict) = verdict(&view.state) else {
        return Err(super::no_verdict_failure(name));
    };
    fs::create_dir_all(dir).map_err(|cause| failed("create", dir, &cause))?;
    let _lock = lock(dir)?;
    let convention = Convention::of(dir, &record_mark(&view.state))?;
    let at = format_time(view.answered_at());
    let day = at.get(..10).unwrap_or_default();
    let title = record_title(&verdict);
    let (path, number) = match (&convention.own, force) {
        (Some(own), false) => return Err(has_record(own, name)),
        (Some(own), true) => (own.clone(), number_in(own)),
        (None, _) => convention.naming.free_path(dir, title, day),
    };
    let text = decision_record_in_form(&view.state, &verdict, day, convention.form, number);
    let temporary = dir.join(format!(".agon-{}.tmp", system::new_ulid()));
    let bytes = text.as_bytes();
    let write = || {
        if convention.own.is_some() {
            return replace_file(&RealDisk, &temporary, &path, bytes, Durable::Yes);
        }
        write_synced(&RealDisk, &temporary, bytes)?;
        RealDisk.rename_no_replace(&temporary, &path)?;
        RealDisk.sync_dir(dir)
    };
    let written = write();
    written.map_err(|error| {
        // Ignore a failure: the first error matters more.
        fs::remove_file(&temporary).unwrap_or_default();
        Failure::from_error(Code::Output, &error).parameter("output")
    })?;
    Ok(path)
}

/// Locks `dir` itself, so that no lock file is left in the project.
fn lock(dir: &Path) -> Result<File, Failure> {
    let folder = File::open(dir).map_err(|cause| failed("open", dir, &cause))?;
    let since = Instant::now();
    loop {
        match folder.try_lock() {
            Ok(()) => return Ok(folder),
            Err(TryLockError::WouldBlock) if since.elapsed() < LOCK_TIMEOUT => {
                sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => {
                let message = format!("another process is writing into {}", dir.display());
                return Err(Failure::new(Code::Locked, message).hint("try again"));
            }
            // Some network file systems have no locks. A new file still replaces none.
            Err(TryLockError::Error(_)) => return Ok(folder),
        }
    }
}

impl Convention {
    /// Returns the convention of the records in `dir`; `mark` identifies the record of this debate.
    fn of(dir: &Path, mark: &str) -> Result<Self, Failure> {
        let entries = fs::read_dir(dir).map_err(|cause| failed("read", dir, &cause))?;
        let names = entries.flatten().take(MAX_FILES);
        let names = names.filter_map(|entry| entry.file_name().into_string().ok());
        let mut records: Vec<_> = names
            .filter_map(|name| Some((RecordName::parse(&name)?, dir.join(&name))))
            .collect();
        records.sort();
        let text = |path: &Path| agon_files::read_to_string(path, MAX_BYTES).unwrap_or_default();
        let mut form = None;
        let mut own = None;
        for (_, path) in records.iter().rev() {
            let text = text(path);
            form = form.or_else(|| RecordForm::detect(&text));
            if own.is_none() && text.lines().any(|line| line == mark) {
                own = Some(path.clone());
            }
        }
        let latest = records.pop().map(|(name, _)| name);
        Ok(Self {
            form: form.unwrap_or(RecordForm::Agon),
            naming: Naming::after(latest),
            own,
        })
    }
}

impl Naming {
    /// Returns the naming that continues after the `latest` record.
    fn after(latest: Option<RecordName>) -> Self {
        match latest {
            Some(name) if name.is_day => Self::Day,
            Some(name) => Self::Number {
                next: name.number.saturating_add(1),
                prefix: name.prefix,
                digits: name.digits,
                separator: name.separator,
            },
            None => Self::Number {
                next: 1,
                prefix: String::new(),
                digits: DIGITS,
                separator: '-',
            },
        }
    }

    /// Returns a path in `dir` that does not exist, and the number of the record.
    fn free_path(&self, dir: &Path, title: &str, day: &str) -> (PathBuf, Option<u32>) {
        let title = slug(title);
        let (start, number) = match self {
            Self::Number {
                prefix,
                digits,
                separator,
                next,
            } => (format!("{prefix}{next:0digits$}{separator}"), Some(*next)),
            Self::Day => (format!("{}-", day.replace('-', "")), None),
        };
        let numbered = (2..).map(|nth| format!("-{nth}"));
        let mut ends = std::iter::once(String::new()).chain(numbered);
        let path = ends.find_map(|end| {
            let path = dir.join(format!("{start}{title}{end}.md"));
            (!path.exists()).then_some(path)
        });
        (path.unwrap_or_else(|| dir.join(start + ".md")), number)
    }
}

/// The parts of the name of a decision record. Ordered by number, so that the last is the latest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct RecordName {
    number: u32,
    digits: usize,
    prefix: String,
    separator: char,
    /// Whether the number is a day, such as `20261129`.
    is_day: bool,
}

impl RecordName {
    /// Parses a name such as `0007-job-store.md`, `ADR-007_job_store.md` or `20261129-jobs.md`.
    fn parse(name: &str) -> Option<Self> {
        let stem = name.strip_suffix(".md")?;
        let prefixes = ["adr-", "ADR-", "adr_", "ADR_", "adr", "ADR"];
        let prefix = prefixes.into_iter().find(|it| stem.starts_with(it));
        let prefix = prefix.unwrap_or_default();
        let rest = stem.strip_prefix(prefix)?;
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        let (number, title) = rest.split_at_checked(digits)?;
        let separator = title.chars().next()?;
        if !matches!(digits, 1..=8) || !matches!(separator, '-' | '_') {
            return None;
        }
        let number = number.parse().ok()?;
        // From 1900-01-01 to 2999-12-31.
        let is_day = digits == 8 && (19_000_101..=29_991_231).contains(&number);
        Some(Self {
            number,
            digits,
            prefix: prefix.to_owned(),
            separator,
            is_day,
        })
    }
}

/// Returns the number of the existing record at `path`.
fn number_in(path: &Path) -> Option<u32> {
    let name = RecordName::parse(path.file_name()?.to_str()?)?;
    (!name.is_day).then_some(name.number)
}

fn has_record(own: &Path, name: &str) -> Failure {
    let message = format!("{} is the record of {name} already", own.display());
    Failure::new(Code::Exists, message)
        .kind(FailureKind::Store)
        .parameter("output")
        .hint(Hint::new("to write it again, use ").flag("force"))
}

fn failed(doing: &str, path: &Path, cause: &std::io::Error) -> Failure {
    let message = format!("cannot {doing} {}: {cause}", path.display());
    Failure::new(Code::Output, message).parameter("output")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_named_after_the_latest_one() {
        let next = |name: &str| {
            let naming = Naming::after(RecordName::parse(name));
            let dir = Path::new("/nonexistent");
            let (path, number) = naming.free_path(dir, "Use SQLite!", "2026-11-29");
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            (name.into_owned(), number)
        };
        let named = [
            ("none", "0001-use-sqlite.md", Some(1)),
            ("0041-cache.md", "0042-use-sqlite.md", Some(42)),
            ("7-cache.md", "8-use-sqlite.md", Some(8)),
            ("ADR-009_cache.md", "ADR-010_use-sqlite.md", Some(10)),
            ("20240131-cache.md", "20261129-use-sqlite.md", None),
            (
                "99999999-cache.md",
                "100000000-use-sqlite.md",
                Some(100_000_000),
            ),
        ];
        for (latest, name, number) in named {
            assert_eq!(next(latest), (name.to_owned(), number), "{latest}");
        }
        for other in [
            "README.md",
            "template.md",
            "0001.md",
            "12 rules.md",
            "adr.md",
        ] {
            assert_eq!(RecordName::parse(other), None, "{other}");
        }
    }
}
