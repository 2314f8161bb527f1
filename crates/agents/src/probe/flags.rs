//! The flags that a profile uses, and whether the tool's help still lists them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use agon_proc::{Ending, Limits, Program, StartError, Unwatched, run_program};
use tokio_util::sync::CancellationToken;

use crate::detect::DetectedTool;
use crate::environment::Environment;
use crate::profile::{Cli, Profile};

// 30 s by default: Gemini CLI 0.61, a Node program, took 5.6 to 6.6 s to print its help on a busy
// machine.
/// The time limit for one help text, as a multiple of `probe_ms`: some tools take seconds to start.
const PROBES: u32 = 3;
// Chosen, not measured. If the help text is cut off, its last flags look as if they were missing; a
// higher limit only uses memory.
/// The size limit of a help text, in bytes.
const MAX_HELP_BYTES: usize = 512 * 1024;

/// A flag that a profile uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The flag as it is typed, such as `--effort`.
    pub name: String,
    /// The profile keys whose arguments contain the flag, such as `cli.effort.low`.
    pub keys: Vec<String>,
}

/// The reason why a help text is not available.
#[derive(Debug, thiserror::Error)]
pub enum HelpError {
    /// The profile has no `probe.help` arguments.
    #[error("its profile does not set `probe.help`")]
    NotSaid,
    /// The tool could not be started.
    #[error("it could not be started")]
    Start(#[source] StartError),
    /// The tool did not exit in time.
    #[error("no help within {}s", limit.as_secs_f32())]
    Hung {
        /// The time limit.
        limit: Duration,
    },
    /// The tool's output is not a help text.
    #[error("its output is not a help text: it lists no flags")]
    NoHelp,
    /// The check was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// Returns all flags of a profile, sorted and without duplicates.
pub fn profile_switches(profile: &Profile) -> Vec<Switch> {
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (key, list) in profile.cli.as_ref().map(argument_lists).unwrap_or_default() {
        for name in list.iter().filter_map(|arg| switch_name(arg)) {
            let keys = found.entry(name).or_default();
            if !keys.contains(&key) {
                keys.push(key.clone());
            }
        }
    }
    let named = |(name, keys): (&str, Vec<String>)| Switch {
        name: name.to_owned(),
        keys,
    };
    found.into_iter().map(named).collect()
}

/// Returns the command-line argument lists of a profile, each with its profile key.
fn argument_lists(cli: &Cli) -> Vec<(String, &[String])> {
    let mut lists: Vec<(String, &[String])> = vec![
        ("cli.args".to_owned(), &cli.args),
        ("cli.model".to_owned(), &cli.model),
        ("cli.read_only".to_owned(), &cli.read_only),
        ("cli.reads".to_owned(), &cli.reads),
        ("cli.no_mcp".to_owned(), &cli.no_mcp),
    ];
    if let Some(each) = &cli.no_mcp_each {
        lists.push(("cli.no_mcp_each.args".to_owned(), &each.args));
    }
    for (effort, list) in &cli.effort {
        lists.push((format!("cli.effort.{effort}"), list));
    }
    for (effort, list) in &cli.turns {
        lists.push((format!("cli.turns.{effort}"), list));
    }
    if let Some(session) = &cli.session {
        lists.push(("cli.session.none".to_owned(), &session.none));
        lists.push(("cli.session.first".to_owned(), &session.first));
        lists.push(("cli.session.again".to_owned(), &session.again));
    }
    lists
}

/// Returns the flag in an argument, without its value.
fn switch_name(arg: &str) -> Option<&str> {
    let name = arg.split('=').next()?;
    let named = name.trim_start_matches('-');
    let starts = named.starts_with(|c: char| c.is_ascii_alphabetic());
    (arg.starts_with('-') && starts).then_some(name)
}

/// Returns the flags of a tool's profile that its help does not list.
///
/// Starts the tool once for each help text in the profile, with limits on time and output.
///
/// # Errors
///
/// If the tool prints no help.
pub async fn switches_missing_from_help(
    found: &DetectedTool,
    here: &Environment,
    cancel: &CancellationToken,
) -> Result<Vec<Switch>, HelpError> {
    let profile = &found.profile;
    let (Some(path), Some(probe)) = (&found.path, &profile.probe) else {
        return Err(HelpError::NotSaid);
    };
    if probe.help.is_empty() {
        return Err(HelpError::NotSaid);
    }
    let limit = Duration::from_millis(profile.limits.probe_ms) * PROBES;
    let mut text = String::new();
    for args in &probe.help {
        let program = Program {
            path: path.clone(),
            args: args.iter().map(Into::into).collect(),
            env: profile.env.child_env(here, None),
            cwd: here.temp_dir(),
        };
        let limits = Limits {
            deadline: limit,
            output: MAX_HELP_BYTES,
            ..Limits::probe()
        };
        let said = run_program(&program, b"", &limits, &Unwatched, cancel).await;
        let said = said.map_err(HelpError::Start)?;
        match said.ending {
            Ending::Exited { .. } | Ending::Complete | Ending::Flooded => {}
            Ending::TimedOut => return Err(HelpError::Hung { limit }),
            Ending::Cancelled => return Err(HelpError::Cancelled),
        }
        for part in [&said.stdout, &said.stderr_tail] {
            text.push_str(&String::from_utf8_lossy(part));
            text.push('\n');
        }
    }
    let listed = switches_in_help(&text);
    if listed.is_empty() {
        return Err(HelpError::NoHelp);
    }
    let is_missing = |switch: &Switch| {
        !listed.contains(switch.name.as_str()) && !probe.hidden.contains(&switch.name)
    };
    Ok(profile_switches(profile)
        .into_iter()
        .filter(is_missing)
        .collect())
}

/// Returns all words of a help text that are flags.
fn switches_in_help(text: &str) -> BTreeSet<&str> {
    let apart = |c: char| c.is_whitespace() || ",|[]()<>=`'\"".contains(c);
    text.split(apart)
        .map(|word| word.trim_end_matches(['.', ':', ';']))
        .filter(|word| switch_name(word) == Some(word))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    #[test]
    fn a_switch_is_known_without_its_value_and_an_argument_is_none() {
        for (arg, name) in [
            ("--model", Some("--model")),
            ("--resume={id}", Some("--resume")),
            ("-m", Some("-m")),
            ("-", None),
            ("--", None),
            ("-1", None),
            ("features.hooks=false", None),
            ("", None),
        ] {
            assert_eq!(switch_name(arg), name, "{arg:?}");
        }
    }

    #[test]
    fn each_switch_is_named_with_the_keys_it_stands_at() {
        let profiles = Profiles::builtin().unwrap();
        let claude = profiles.find(&"claude".parse().unwrap()).unwrap();
        let all = profile_switches(claude);
        let keys = |name: &str| all.iter().find(|s| s.name == name).unwrap().keys.join(" ");
        assert_eq!(keys("--settings"), "cli.read_only cli.reads");
        assert_eq!(keys("--resume"), "cli.session.again");
        assert!(keys("--effort").starts_with("cli.effort.low "));
    }

    #[test]
    fn a_help_lists_its_switches_in_any_layout() {
        let help = "  -m, --model <NAME>   a model\n [--resume[=ID]] (see `--last`): --out=FILE.\n a-b --- -";
        let names: Vec<_> = switches_in_help(help).into_iter().collect();
        assert_eq!(names, ["--last", "--model", "--out", "--resume", "-m"]);
    }
}
