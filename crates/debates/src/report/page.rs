//! Opens a debate's page in a browser.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure, Notes, user_program};
use agon_files::Durable;
use schemars::JsonSchema;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::report::{self, Report, ReportRequest};

/// Programs that open a page in the user's browser, on different systems.
const OPENERS: [&str; 3] = ["xdg-open", "open", "wslview"];

/// A debate's page.
#[derive(Clone, Debug)]
pub struct DebatePage {
    /// The path of the file.
    pub path: PathBuf,
    /// The program that opens it; `None` if there is none.
    pub opener: Option<String>,
}

/// The location of a debate's page: `agon.page/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PageDoc {
    schema: &'static str,
    /// The path of the file.
    path: PathBuf,
    /// Whether it was opened in a browser.
    shown: bool,
}

impl DebatePage {
    /// Returns the machine-readable document; `shown` is true if a browser opened the page.
    pub fn document(&self, shown: bool) -> PageDoc {
        PageDoc {
            schema: "agon.page/1",
            path: self.path.clone(),
            shown,
        }
    }
}

/// Writes the report of a debate, and returns its page and the program that opens it.
///
/// # Errors
///
/// As [`report::report`].
pub async fn write_page(
    caller: &Caller,
    debate: Option<&str>,
    notes: &mut dyn Notes,
) -> Result<DebatePage, Failure> {
    let request = ReportRequest {
        debate: debate.map(str::to_owned),
        ..ReportRequest::default()
    };
    let rendered = report::report(caller, &request, &CancellationToken::new, notes).await?;
    let Report::Whole(written) = rendered.report else {
        let message = "a report without a kind must be the whole report";
        return Err(Failure::new(Code::Bug, message));
    };
    let page = written
        .files
        .iter()
        .find(|file| file.ends_with("report.html"));
    let page = page.map(|file| caller.cwd.join(file)).unwrap_or_default();
    Ok(DebatePage {
        path: page,
        opener: find_opener(caller),
    })
}

/// Opens a page in the browser.
///
/// # Errors
///
/// If its opener cannot be started, or ends with an error.
pub async fn show_page(caller: &Caller, page: &DebatePage) -> Result<(), Failure> {
    let path = page.path.display();
    let failed =
        |why: String| Failure::new(Code::NoBrowser, why).hint(format!("the page is {path}"));
    let Some(opener) = &page.opener else {
        return Err(failed("no program to open a web page was found".to_owned()));
    };
    user_program::open_file_with(caller, opener, &page.path)
        .await
        .map_err(failed)
}

/// Opens `address` in the browser.
///
/// The address may contain a secret, and other users can read the arguments of a process. So the
/// browser opens the private file `file`, which leads to the address and replaces an older one.
///
/// # Errors
///
/// If the file cannot be written, or no browser can be started.
pub async fn open_address(caller: &Caller, address: &str, file: &Path) -> Result<(), Failure> {
    let page = format!(
        "<!DOCTYPE html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0; url={address}\">\
         <title>Agon</title><a href=\"{address}\">Open Agon</a>\n"
    );
    agon_files::replace(file, page.as_bytes(), 0o600, Durable::No)
        .map_err(|error| Failure::from_error(Code::Output, &error))?;
    let opened = DebatePage {
        path: file.to_owned(),
        opener: find_opener(caller),
    };
    let shown = show_page(caller, &opened).await;
    shown.map_err(|failure| failure.hint("open the printed address yourself"))
}

/// Returns `BROWSER`, else the system's opener.
fn find_opener(caller: &Caller) -> Option<String> {
    let set = caller
        .vars
        .get("BROWSER")
        .filter(|set| !set.trim().is_empty());
    if let Some(set) = set {
        // `BROWSER` is a list whose first entry is preferred.
        return set.split(':').next().map(str::to_owned);
    }
    let path = caller.vars_os.get(OsStr::new("PATH"))?;
    let has = |name: &&str| std::env::split_paths(path).any(|dir| dir.join(name).is_file());
    OPENERS
        .iter()
        .find(|name| has(name))
        .map(|name| (*name).to_owned())
}
