//! Parses the command line, without a description of commands that it does not name.

use std::ffi::{OsStr, OsString};
use std::iter;

use clap::{Args as _, FromArgMatches as _};

use super::{Cli, Command, Global, HelpDetail, HookArgs, command, help_all_arg, help_arg};

/// Returns the command line without its commands.
fn without_commands() -> clap::Command {
    let line = clap::Command::new("agon").disable_help_flag(true);
    Global::augment_args(line.arg(help_arg()).arg(help_all_arg()))
}

impl Cli {
    /// Parses the words after the name under which the program was started.
    ///
    /// # Errors
    ///
    /// Clap's error, help or version.
    pub(crate) fn parse_words(program: &OsStr, words: &[OsString]) -> Result<Self, clap::Error> {
        if let Some(cli) = Self::parse_server_command(words) {
            return Ok(cli);
        }
        match Self::parse_one_command(program, words) {
            Some(cli) => Ok(cli),
            None => Self::parse_with_all_commands(program, words),
        }
    }

    /// Parses any command line with a description of all commands.
    fn parse_with_all_commands(program: &OsStr, words: &[OsString]) -> Result<Self, clap::Error> {
        let line = command(HelpDetail::of_words(words));
        let words = iter::once(program).chain(words.iter().map(OsString::as_os_str));
        let matches = line.try_get_matches_from(words)?;
        Self::from_arg_matches(&matches)
    }

    /// Parses a valid command line that begins with the name of a command; `None` for any other.
    ///
    /// Describing all commands to clap takes a third of a start, so this describes only one. Helps
    /// and errors need all of them, for example to suggest a similar command.
    fn parse_one_command(program: &OsStr, words: &[OsString]) -> Option<Self> {
        let name = words.first()?.to_str()?;
        let line = Command::add_only(name, without_commands())?;
        let words = iter::once(program).chain(words.iter().map(OsString::as_os_str));
        let matches = line.try_get_matches_from(words).ok()?;
        Self::from_arg_matches(&matches).ok()
    }

    /// Parses `agon mcp`, `agon acp` and `agon hook HOST EVENT` without clap; `None` for any other
    /// command line.
    ///
    /// Clap's description of all commands takes a tenth of a server's memory, and each window of a
    /// host runs its own server.
    pub(crate) fn parse_server_command(words: &[OsString]) -> Option<Self> {
        let command = match words {
            [word] if word == "mcp" => Command::Mcp,
            [word] if word == "acp" => Command::Acp,
            // AI tools run `agon hook` on every edit and wait for it, so it must answer within
            // milliseconds.
            [word, host, event] if word == "hook" => {
                Command::Hook(HookArgs::of_words(host, event)?)
            }
            _ => return None,
        };
        Some(Self {
            command,
            global: Global::default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use super::*;
    use crate::version::VERSION_LINE;

    /// Returns the parsed command line, or what clap prints instead and its exit code.
    fn outcome(parsed: Result<Cli, clap::Error>) -> Result<String, (String, i32)> {
        parsed
            .map(|cli| format!("{cli:?}"))
            .map_err(|error| (error.render().ansi().to_string(), error.exit_code()))
    }

    /// Checks that a command line that is parsed with one command gives what it gives with all.
    /// Returns whether it was parsed with one, and the outcome with all.
    fn check_both_ways(line: &str) -> (bool, Result<String, (String, i32)>) {
        let words: Vec<_> = line.split(' ').map(OsString::from).collect();
        let program = OsStr::new("agon");
        let whole = outcome(Cli::parse_with_all_commands(program, &words));
        let short = Cli::parse_one_command(program, &words);
        if let Some(short) = &short {
            assert_eq!(Ok(format!("{short:?}")), whole, "{line}");
        }
        (short.is_some(), whole)
    }

    /// Collects the names of a command's subcommands, with those above them.
    fn command_lines(command: &clap::Command, above: &str, found: &mut Vec<String>) {
        for below in command.get_subcommands() {
            let line = format!("{above}{}", below.get_name());
            command_lines(below, &format!("{line} "), found);
            found.push(line);
        }
    }

    #[test]
    fn each_command_parses_alone_as_among_all_others() {
        let mut lines = Vec::new();
        command_lines(&Cli::command(), "", &mut lines);
        assert!(lines.len() > 90, "{}", lines.len());
        let mut alone = 0;
        for line in &lines {
            let name = line.split(' ').next().unwrap();
            let only = Command::add_only(name, without_commands());
            assert!(only.is_some(), "{name}");
            // Only a few endings, because describing all commands is slow.
            for end in [
                "",
                " --help",
                " --json one",
                " --width 80 one two",
                " --jsn",
            ] {
                let line = format!("{line}{end}");
                let (is_alone, whole) = check_both_ways(&line);
                assert_eq!(is_alone, whole.is_ok(), "{line}");
                alone += usize::from(is_alone);
            }
        }
        assert!(alone > 100, "{alone}");
    }

    #[test]
    fn other_command_lines_are_parsed_with_all_commands() {
        for line in [
            "debate topic --rounds 3 --json --judge codex",
            "--json list",
            "list --json --json",
            "lst",
            "Debate topic",
            "help",
            "help debate",
            "help team task",
            "--help",
            "--help-all",
            "--version",
            "-V",
            "--jsn list",
            "debate",
            "debate --round 3 topic",
            "debate topic --rounds x",
            "team tsk list",
            "show --seciton verdict",
            "",
            "--",
        ] {
            drop(check_both_ways(line));
        }
        let (is_alone, whole) = check_both_ways("--json list");
        assert!(!is_alone && whole.is_ok());
    }

    #[test]
    fn the_line_of_the_version_is_the_one_of_clap() {
        assert_eq!(
            check_both_ways("--version"),
            (false, Err((VERSION_LINE.to_owned(), 0)))
        );
    }

    #[test]
    fn a_bare_server_parses_like_its_full_command_line() {
        for command in ["mcp", "acp"] {
            let parsed = Cli::try_parse_from(["agon", command]).unwrap();
            let bare = Cli::parse_server_command(&[command.into()]).unwrap();
            assert_eq!(format!("{bare:?}"), format!("{parsed:?}"));
        }
        for words in [&["mcp", "--json"][..], &["list"], &["mcp", "acp"]] {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            assert!(Cli::parse_server_command(&words).is_none(), "{words:?}");
        }
    }
}
