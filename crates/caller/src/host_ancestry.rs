//! Finds the AI tool that started this process, among its ancestors.
//!
//! A command can drop its environment and open a terminal, but its ancestors stay the same. If it
//! orphans itself, the Agon process that started its tool adopts it.

use agon_hosts::host::{HOSTS, host_signs};
use agon_proc::{Ancestor, MARK, ancestors};

use crate::Caller;
use crate::environments::TOKEN_VAR;
use crate::host_sign::session_of;

/// Names of AI tools that are not hosts.
const OTHER_PROGRAMS: &[&str] = &["kiro-cli", "cursor-agent"];
/// The name of Agon's program, which adopts orphans of its tools.
const AGON: &str = "agon";

/// Returns whether an AI tool, or Agon on its behalf, started this process or an ancestor.
pub fn is_started_by_host() -> bool {
    ancestors().iter().any(is_of_host)
}

/// Returns the session and the process ids of the calling AI tool; empty outside of one.
pub fn host_origin(caller: &Caller) -> Vec<String> {
    let above = ancestors();
    let mut all: Vec<String> = Vec::new();
    for (_, sign) in host_signs() {
        all.extend(session_of(caller, &sign));
        let session = sign.session_variable.unwrap_or_default();
        let values = above.iter().filter_map(|it| it.vars.get(session));
        all.extend(values.filter(|value| !value.is_empty()).cloned());
    }
    let hosts = above.iter().filter(|it| is_host_program(it));
    all.extend(hosts.map(|it| it.id.clone()));
    all.sort();
    all.dedup();
    all
}

fn is_of_host(ancestor: &Ancestor) -> bool {
    let signs = host_signs().into_iter().map(|(_, sign)| sign.variable);
    let mut marks = signs.chain([MARK, TOKEN_VAR]);
    marks.any(|name| {
        ancestor
            .vars
            .get(name)
            .is_some_and(|value| !value.is_empty())
    }) || is_host_program(ancestor)
}

fn is_host_program(ancestor: &Ancestor) -> bool {
    let of_hosts = || HOSTS.iter().flat_map(|host| host.process_names);
    let is_known = |name: &String| of_hosts().chain(OTHER_PROGRAMS).any(|known| known == name);
    // A program that only starts Agon, such as `sudo agon`, has its name as a later word.
    let is_agon = ancestor.programs.first().is_some_and(|name| name == AGON);
    is_agon || ancestor.programs.iter().any(is_known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ancestor(programs: &[&str], vars: &[(&str, &str)]) -> Ancestor {
        let vars = vars
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into()));
        Ancestor {
            id: "7-8-boot".into(),
            programs: programs.iter().map(|it| (*it).to_owned()).collect(),
            vars: vars.collect(),
        }
    }

    #[test]
    fn a_host_is_known_by_its_program_or_by_what_it_set_for_a_shell_above() {
        for (programs, vars) in [
            (&["node", "codex.js"][..], &[][..]),
            (&["claude"], &[]),
            (&["bash"], &[("CLAUDECODE", "1")]),
            (&["script"], &[("CODEX_THREAD_ID", "t")]),
            (&["agon", "agon"], &[]),
            (&["sh"], &[(MARK, "m")]),
            (&["sh"], &[(TOKEN_VAR, "t")]),
        ] {
            assert!(is_of_host(&ancestor(programs, vars)), "{programs:?}");
        }
        let own = ancestor(&["bash", "-bash"], &[("PATH", "/bin"), ("CLAUDECODE", "")]);
        assert!(!is_of_host(&own));
        assert!(!is_of_host(&ancestor(&["tmux", "claude-notes.sh"], &[])));
        assert!(!is_of_host(&ancestor(&["sudo", "sudo", "agon"], &[])));
    }
}
