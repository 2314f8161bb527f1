//! Shows a long text in the user's pager.

use std::ffi::OsStr;
use std::path::PathBuf;

use agon_caller::{Caller, user_program};
use agon_proc::PrivatePlaces;
use tokio::signal::unix::{SignalKind, signal};

/// Default options for `less`: quit if the text fits one screen, show colours, and leave the text on
/// the screen.
const LESS: &str = "FRX";

/// Returns the user's pager: `AGON_PAGER`, else `PAGER`, else `less` if installed. Returns `None`
/// if it is `cat` or empty, or the terminal cannot page.
pub fn find_pager(caller: &Caller) -> Option<String> {
    let term = caller.vars.get("TERM").map(String::as_str);
    if matches!(term, None | Some("" | "dumb")) {
        return None;
    }
    let set = |name: &str| caller.vars.get(name).map(|set| set.trim().to_owned());
    if let Some(set) = set("AGON_PAGER").or_else(|| set("PAGER")) {
        return Some(set).filter(|set| !matches!(set.as_str(), "" | "cat"));
    }
    let path = caller.vars_os.get(OsStr::new("PATH"))?;
    agon_proc::find_program("less", path).map(|_| "less".to_owned())
}

/// Shows `text` in `pager`, which gets this process's terminal, and waits until it closes.
///
/// # Errors
///
/// If the pager cannot be started or fails; the message is for the user.
pub async fn page_text(caller: &Caller, pager: &str, text: &str) -> Result<(), String> {
    // Catch Ctrl-C, so that it ends a search in the pager and not Agon.
    let ctrl_c = signal(SignalKind::interrupt());
    let temp = caller.vars_os.get(OsStr::new("TMPDIR"));
    let temp = temp.map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
    let folder = PrivatePlaces::new(None, &temp)
        .make_folder()
        .map_err(|error| error.to_string())?;
    let file = folder.path().join("agon");
    std::fs::write(&file, text).map_err(|error| error.to_string())?;
    let mut with_less = caller.clone();
    let less = with_less.vars_os.entry("LESS".into());
    less.or_insert_with(|| LESS.into());
    let command = format!("{{ {pager}\n}} <");
    let shown = user_program::open_file_with(&with_less, &command, &file).await;
    drop(ctrl_c);
    shown
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn pager(vars: &[(&str, &str)]) -> Option<String> {
        let vars = vars.iter().map(|(name, value)| (name.into(), value.into()));
        find_pager(&Caller::new(vars.collect::<BTreeMap<_, _>>(), "/"))
    }

    #[test]
    fn the_pager_is_the_one_that_is_set_for_it() {
        let term = ("TERM", "xterm");
        let chosen = [
            pager(&[term, ("PAGER", "more"), ("AGON_PAGER", "less -R")]),
            pager(&[term, ("PAGER", "more")]),
            pager(&[term, ("PAGER", "more"), ("AGON_PAGER", "cat")]),
            pager(&[term, ("PAGER", " ")]),
            pager(&[term, ("PATH", "/nowhere")]),
            pager(&[("TERM", "dumb"), ("PAGER", "more")]),
            pager(&[("PAGER", "more")]),
        ];
        let named = |name: &str| Some(name.to_owned());
        let expected = [
            named("less -R"),
            named("more"),
            None,
            None,
            None,
            None,
            None,
        ];
        assert_eq!(chosen, expected);
    }
}
