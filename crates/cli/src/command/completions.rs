//! `agon completions`: prints shell completions, or how to install them.

use clap::ValueEnum;
use clap_complete::Shell;
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Zsh};

use crate::args::{COMPLETION_VARIABLE, Global};
use crate::error::{Code, Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Prints the script for `shell`; without one, how to install the script of the user's shell.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    shell: Option<Shell>,
    out: &mut Out,
) -> Result<Exit, Failure> {
    global.refuse_json("a completion script", "leave out --json")?;
    match shell {
        Some(shell) => out.write_stdout(&completion_script(shell)?)?,
        None => out.write_stdout(&install_instructions(edge))?,
    }
    Ok(Exit::Done)
}

/// Returns the script that makes a shell ask Agon for completions.
fn completion_script(shell: Shell) -> Result<String, Failure> {
    let completer: &dyn EnvCompleter = match shell {
        Shell::Bash => &Bash,
        Shell::Elvish => &Elvish,
        Shell::Fish => &Fish,
        Shell::PowerShell => &Powershell,
        Shell::Zsh => &Zsh,
        other => {
            let message = format!("no completions for {other}");
            return Err(Failure::new(Code::Shell, message).parameter("shell"));
        }
    };
    let mut script = Vec::new();
    completer
        .write_registration(COMPLETION_VARIABLE, "agon", "agon", "agon", &mut script)
        .map_err(|cause| Failure::from_error(Code::Completions, &cause))?;
    Ok(String::from_utf8_lossy(&script).into_owned())
}

/// Returns the line that installs completions for the user's shell or, if unknown, one for each.
pub(super) fn install_instructions(edge: &Surroundings) -> String {
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
            format!("{line}\nthen open a new shell (other shells: agon completions --help)\n")
        }
        None => lines.into_iter().map(|(_, line)| line).collect(),
    }
}
