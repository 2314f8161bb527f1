//! Asks a host which parts of Agon it sees. Only the host's own lists count, not the files on disk.

use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use agon_proc::{Ending, Limits, Program, Unwatched, find_program, run_program};
use tokio_util::sync::CancellationToken;

use crate::host::{Host, ServerState};

/// The environment in which a host is asked.
#[derive(Clone, Debug)]
pub struct Asking {
    /// The environment variables.
    pub vars: std::collections::BTreeMap<std::ffi::OsString, std::ffi::OsString>,
    /// The working directory.
    pub cwd: PathBuf,
    /// Cancels the query.
    pub cancel: CancellationToken,
}

/// A host's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostAnswer {
    /// Its version.
    pub version: Option<String>,
    /// State of Agon's server; `None` if the host was not asked or did not answer.
    pub server: Option<ServerState>,
    /// The requested skills that it lists; `None` if it lists skills only inside a session.
    pub skills: Option<Vec<String>>,
}

// OpenCode and Gemini CLI took 14 s to list their servers on two busy cores.
/// Time limit for one list of a host.
const LIST_TIMEOUT: Duration = Duration::from_secs(60);

/// Returns the path of the program of `host`, if it is installed.
pub fn find_host_program(host: &Host, asking: &Asking) -> Option<PathBuf> {
    find_program(host.program, asking.vars.get(std::ffi::OsStr::new("PATH"))?)
}

/// Asks the `program` of `host` for its version and, if `skills` are given, which of them and which
/// state of the server it sees.
pub async fn ask_host(
    host: &Host,
    program: &Path,
    skills: Option<&[String]>,
    asking: &Asking,
) -> HostAnswer {
    let version = run(program, &["--version"], asking).await;
    let version = version.and_then(|output| first_version(&output));
    let Some(skills) = skills else {
        return HostAnswer {
            version,
            server: None,
            skills: None,
        };
    };
    let leftover_files = || match host.asks.leftover_files {
        Some(of) => home_of(asking, of.home_variable).map_or_else(Vec::new, of.files),
        None => Vec::new(),
    };
    let before = leftover_files();
    let servers = run(program, host.asks.server_args, asking).await;
    let server = servers.as_deref().map(host.asks.read_server);
    let list = match host.asks.skill_args {
        None => None,
        Some(args) if args == host.asks.server_args => servers,
        Some(args) => run(program, args, asking).await,
    };
    for left in leftover_files() {
        if !before.contains(&left) {
            // Best effort, because a leftover file only takes disk space.
            fs::remove_file(left).ok();
        }
    }
    let skills = list.map(|list| {
        let listed = skills.iter();
        let listed = listed.filter(|name| (host.asks.lists_skill)(&list, name));
        listed.cloned().collect()
    });
    HostAnswer {
        version,
        server,
        skills,
    }
}

/// Returns the home folder of a host: `variable`, else `HOME`. `None` if it is not absolute, so that
/// nothing is removed there.
fn home_of<'a>(asking: &'a Asking, variable: &str) -> Option<&'a Path> {
    let homes = [variable, "HOME"]
        .into_iter()
        .filter_map(|name| asking.vars.get(std::ffi::OsStr::new(name)));
    let mut homes = homes.map(Path::new);
    homes
        .find(|home| !home.as_os_str().is_empty())
        .filter(|home| home.is_absolute())
}

/// Returns what a program prints, without colours, or `None` if it fails.
async fn run(program: &Path, args: &[&str], asking: &Asking) -> Option<String> {
    // A folder of its own, because some hosts unpack libraries into TMPDIR and never delete them.
    let scratch = Scratch::below(asking);
    let mut env = asking.vars.clone();
    if let Some(Scratch(folder)) = &scratch {
        env.insert("TMPDIR".into(), folder.into());
    }
    let program = Program {
        path: program.to_owned(),
        args: args.iter().map(Into::into).collect(),
        env,
        cwd: asking.cwd.clone(),
    };
    let limits = Limits {
        deadline: LIST_TIMEOUT,
        // Large, because Codex prints all of its tools with the list.
        output: 4 * 1024 * 1024,
        ..Limits::probe()
    };
    let run = run_program(&program, b"", &limits, &Unwatched, &asking.cancel);
    let finished = run.await.ok()?;
    let is_good = matches!(finished.ending, Ending::Exited { code: Some(0), .. });
    let streams = [finished.stdout, finished.stderr_tail].concat();
    is_good.then(|| strip_colors(&String::from_utf8_lossy(&streams)))
}

/// A folder for temporary files, deleted on drop.
struct Scratch(PathBuf);

impl Scratch {
    fn below(asking: &Asking) -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let above = asking.vars.get(std::ffi::OsStr::new("TMPDIR"));
        let above = above.filter(|dir| !dir.is_empty());
        let above = above.map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = above.join(format!("agon-hosts-{}-{number}", std::process::id()));
        // `create` fails if the folder exists, because it may belong to another user.
        let made = fs::DirBuilder::new().mode(0o700).create(&folder);
        made.is_ok().then_some(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// Returns `text` without colour sequences.
fn strip_colors(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| c.is_ascii_alphabetic());
        let rest = end.and_then(|end| part.get(end + 1..));
        plain.push_str(rest.unwrap_or_default());
    }
    plain
}

/// Returns the first word that is a version.
fn first_version(output: &str) -> Option<String> {
    let words = output.split(|c: char| c.is_whitespace() || "(),".contains(c));
    let mut versions = words
        .map(|word| word.trim_start_matches('v').trim_end_matches('.'))
        .filter(|word| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit()));
    versions.next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::find_host;

    fn reads(host: &str, output: &str) -> (ServerState, bool) {
        let asks = find_host(host).unwrap().asks;
        (
            (asks.read_server)(output),
            (asks.lists_skill)(output, "debate"),
        )
    }

    #[test]
    fn the_lists_of_hosts_are_read() {
        let is = |state: ServerState, skill: bool| (state, skill);
        let off = |reason: &str| ServerState::Off(reason.to_owned());
        assert_eq!(
            reads(
                "claude",
                "Checking MCP server health…\n\nagon: agon mcp - ✔ Connected\n"
            ),
            is(ServerState::Connected, false)
        );
        assert_eq!(
            reads("claude", "agon: agon mcp - ✘ Failed to connect\n"),
            is(off("agon mcp - ✘ Failed to connect"), false)
        );
        assert_eq!(
            reads("claude", "No MCP servers configured.\n"),
            is(ServerState::Missing, false)
        );
        assert_eq!(
            reads("codex", "\"name\": \"mcp__agon\" x\\n- debate: Let AI\n"),
            is(ServerState::Connected, true)
        );
        assert_eq!(
            reads("codex", "- debater: x"),
            is(ServerState::Missing, false)
        );
        assert_eq!(
            reads(
                "gemini",
                "debate [Enabled]\n○ agon: agon mcp (stdio) - Disabled\n"
            ),
            is(off("agon mcp (stdio) - Disabled"), true)
        );
        assert_eq!(
            reads(
                "gemini",
                "✓ agon: agon mcp (stdio) - Connected\ndebate [Disabled]"
            ),
            is(ServerState::Connected, false)
        );
        assert_eq!(
            reads(
                "gemini",
                "Warning: MCP servers are configured but disabled because this folder is untrusted.\n\nConfigured MCP servers:\n\n○ agon: agon mcp (stdio) - Disabled\n"
            ),
            is(
                off("it does not trust this folder: run `gemini` here and trust it"),
                false
            )
        );
        assert_eq!(
            reads(
                "opencode",
                &strip_colors("●  ✓ agon \u{1b}[90mconnected\n│      \u{1b}[90magon mcp\n")
            ),
            is(ServerState::Connected, false)
        );
        assert_eq!(
            reads("opencode", "●  ✗ agon failed\n│      x\n"),
            is(off("✗ agon failed"), false)
        );
        assert_eq!(
            reads("opencode", "[{\"name\": \"debate\", \"location\": \"x\"}]"),
            is(ServerState::Missing, true)
        );
        assert_eq!(
            reads(
                "copilot",
                "User servers:\n  agon (local)\n  debate - Let AI\n"
            ),
            is(ServerState::Listed, true)
        );
    }

    #[tokio::test]
    async fn nothing_is_left_of_an_asking() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        fs::create_dir_all(at("tmp")).unwrap();
        let chats = at(".gemini/tmp/p/chats");
        fs::create_dir_all(&chats).unwrap();
        fs::write(chats.join("session-1-skills-l.jsonl"), "before").unwrap();
        let program = at("gemini");
        let script = "#!/bin/sh\necho x > \"$TMPDIR/left.so\"\n\
            case $1 in skills) echo > \"$HOME/.gemini/tmp/p/chats/session-2-skills-l.jsonl\"\n\
            echo > \"$HOME/.gemini/tmp/p/chats/session-2-abcdefgh.jsonl\"; echo 'debate [Enabled]';; esac\n";
        fs::write(&program, script).unwrap();
        fs::set_permissions(
            &program,
            std::os::unix::fs::PermissionsExt::from_mode(0o755),
        )
        .unwrap();
        let asking = Asking {
            vars: [
                ("HOME".into(), dir.path().into()),
                ("TMPDIR".into(), at("tmp").into()),
                ("PATH".into(), "/usr/bin:/bin".into()),
            ]
            .into(),
            cwd: dir.path().to_owned(),
            cancel: CancellationToken::new(),
        };
        let host = find_host("gemini").unwrap();
        let answer = ask_host(host, &program, Some(&["debate".to_owned()]), &asking).await;
        assert_eq!(answer.skills, Some(vec!["debate".to_owned()]));
        let names = |folder: &Path| {
            let all = fs::read_dir(folder).unwrap();
            let mut names: Vec<_> = all.map(|it| it.unwrap().file_name()).collect();
            names.sort();
            names
        };
        assert_eq!(names(&at("tmp")), [""; 0]);
        assert_eq!(
            names(&chats),
            ["session-1-skills-l.jsonl", "session-2-abcdefgh.jsonl"]
        );
    }

    #[test]
    fn only_an_absolute_home_is_cleaned_up() {
        for (vars, home) in [
            (&[("HOME", "/h")][..], Some("/h")),
            (&[("HOME", "/h"), ("GEMINI_CLI_HOME", "/g")][..], Some("/g")),
            (&[("HOME", "/h"), ("GEMINI_CLI_HOME", "")][..], Some("/h")),
            (&[("HOME", "/h"), ("GEMINI_CLI_HOME", "g")][..], None),
            (&[("HOME", "")][..], None),
            (&[("HOME", "h")][..], None),
            (&[][..], None),
        ] {
            let vars = vars.iter().map(|(name, value)| (name.into(), value.into()));
            let asking = Asking {
                vars: vars.collect(),
                cwd: PathBuf::new(),
                cancel: CancellationToken::new(),
            };
            assert_eq!(home_of(&asking, "GEMINI_CLI_HOME"), home.map(Path::new));
        }
    }

    #[test]
    fn leftover_files_behind_a_link_are_kept() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        let leftover_files = find_host("gemini")
            .unwrap()
            .asks
            .leftover_files
            .unwrap()
            .files;
        fs::create_dir_all(at("own/.gemini/tmp/p/chats")).unwrap();
        let file = at("own/.gemini/tmp/p/chats/session-1-skills-l.jsonl");
        fs::write(&file, "").unwrap();
        assert_eq!(leftover_files(&at("own")), [file.as_path()]);
        for link in [
            ".gemini",
            ".gemini/tmp",
            ".gemini/tmp/p",
            ".gemini/tmp/p/chats",
            ".gemini/tmp/p/chats/session-1-skills-l.jsonl",
        ] {
            let home = at(&link.replace('/', "_"));
            let place = home.join(link);
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            symlink(at("own").join(link), &place).unwrap();
            assert_eq!(leftover_files(&home), [""; 0].map(PathBuf::from), "{link}");
        }
    }

    #[test]
    fn a_version_is_found_in_what_a_program_says() {
        for (output, version) in [
            ("2.1.197 (Claude Code)\n", Some("2.1.197")),
            ("codex-cli 0.169.0\n", Some("0.169.0")),
            ("GitHub Copilot CLI 1.0.102.\n", Some("1.0.102")),
            ("build 7 of 1.2.3\n", Some("1.2.3")),
            ("none\n", None),
        ] {
            assert_eq!(first_version(output).as_deref(), version);
        }
    }
}
