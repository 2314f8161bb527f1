//! `agon completions`: what a shell needs to complete our commands, and how it gets it.

use clap::ValueEnum;
use clap_complete::Shell;
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Zsh};

use crate::args::{COMPLETION_VARIABLE, Global};
use crate::edge::Surroundings;
use crate::error::{Code, Exit, Failure};
use crate::output::Out;

/// Prints the script for `shell`; without one, how to install the script of the user's shell.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    shell: Option<Shell>,
    out: &mut Out,
) -> Result<Exit, Failure> {
    global.refuse_json("a script for a shell", "leave --json out")?;
    match shell {
        Some(shell) => out.write_stdout(&script(shell)?)?,
        None => out.write_stdout(&how_to_install(edge))?,
    }
    Ok(Exit::Done)
}

/// What asks the program for what can be typed next.
fn script(shell: Shell) -> Result<String, Failure> {
    let completer: &dyn EnvCompleter = match shell {
        Shell::Bash => &Bash,
        Shell::Elvish => &Elvish,
        Shell::Fish => &Fish,
        Shell::PowerShell => &Powershell,
        Shell::Zsh => &Zsh,
        other => {
            let message = format!("there are no completions for {other}");
            return Err(Failure::new(Code::Shell, message).parameter("shell"));
        }
    };
    let mut script = Vec::new();
    completer
        .write_registration(COMPLETION_VARIABLE, "agon", "agon", "agon", &mut script)
        .map_err(|cause| Failure::from_error(Code::Completions, &cause))?;
    Ok(String::from_utf8_lossy(&script).into_owned())
}

/// The line that brings completions to the user's shell, or to each.
pub(super) fn how_to_install(edge: &Surroundings) -> String {
    let used = edge
        .vars
        .get("SHELL")
        .map(String::as_str)
        .unwrap_or_default();
    let used = used.rsplit('/').next().unwrap_or_default();
    let lines = Shell::value_variants().iter().filter_map(|shell| {
        let (name, line) = match shell {
            Shell::Bash => (
                "bash",
                "echo 'source <(agon completions bash)' >> ~/.bashrc",
            ),
            Shell::Zsh => ("zsh", "echo 'source <(agon completions zsh)' >> ~/.zshrc"),
            Shell::Fish => (
                "fish",
                "agon completions fish > ~/.config/fish/completions/agon.fish",
            ),
            Shell::Elvish => (
                "elvish",
                "agon completions elvish >> ~/.config/elvish/rc.elv",
            ),
            Shell::PowerShell => ("powershell", "agon completions powershell >> $PROFILE"),
            _ => return None,
        };
        Some((name, format!("{name:<11} {line}\n")))
    });
    let lines: Vec<_> = lines.collect();
    let of_user = lines.iter().find(|(name, _)| *name == used);
    match of_user {
        Some((_, line)) => {
            format!("{line}\nthen open a new shell; other shells: agon completions --help\n")
        }
        None => lines.into_iter().map(|(_, line)| line).collect(),
    }
}
