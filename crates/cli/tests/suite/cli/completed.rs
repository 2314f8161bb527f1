//! Completions: what a shell gets, and what it is answered.

use std::process::Command;

use agon_testkit::Script;

use crate::cli::folder::{debate, spec};
use crate::cli::harness::Agon;

/// What bash would offer for the last of `words`, by the script that is installed in it.
fn offered(agon: &Agon, words: &[&str]) -> Vec<String> {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_agon"));
    let line = words
        .iter()
        .map(|word| format!("'{word}'"))
        .collect::<Vec<_>>()
        .join(" ");
    let script = format!(
        "source <(agon completions bash)\n\
         COMP_WORDS=({line})\nCOMP_CWORD={}\n_CLAP_COMPLETE_SPACE=true\n\
         \"$(complete -p agon | grep -oE -- '-F [^ ]+' | cut -d' ' -f2)\" agon '{}' ''\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        words.len() - 1,
        words.last().unwrap(),
    );
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let mut command = Command::new("bash");
    let output = command
        .args(["-c", &script])
        .current_dir(agon.project())
        .env_clear()
        .env("HOME", agon.project())
        .env("PATH", path)
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr, "", "{script}");
    let stdout = String::from_utf8(output.stdout).unwrap();
    stdout.lines().map(str::to_owned).collect()
}

#[test]
fn a_shell_completes_the_debates_here_and_the_tools() {
    let agon = Agon::new();
    let debates = agon.project().join("debates");
    debate(&debates, spec("job-store"), &Script::job_store(), 1);
    assert_eq!(offered(&agon, &["agon", "show", "jo"]), ["job-store"]);
    assert_eq!(offered(&agon, &["agon", "rm", ""])[0], "job-store");
    assert_eq!(
        offered(&agon, &["agon", "debate", "x", "--proposer", "cl"]),
        ["claude"]
    );
    assert_eq!(offered(&agon, &["agon", "complet"]), ["completions"]);
    let flags = offered(&agon, &["agon", "debate", "--max-to"]);
    assert_eq!(flags, ["--max-tokens"]);
}

#[test]
fn a_folder_with_a_name_that_a_shell_would_run_is_not_offered() {
    let agon = Agon::new();
    let debates = agon.project().join("debates");
    let made = debate(&debates, spec("sql"), &Script::job_store(), 1);
    for name in [
        "sql-$(touch PWNED)",
        "sql-`touch PWNED`",
        "sql;touch PWNED",
        "sql|x",
        "sql>x",
        "sql x",
        "sql-\u{1b}[31m",
        "sql-\u{b}",
        "sql-\u{202e}",
        "sql-*",
        "*",
        "-rf",
    ] {
        let named = debates.join(name);
        std::fs::rename(&made, &named).unwrap();
        for word in ["show", "rm", "resume", "ask"] {
            assert_eq!(offered(&agon, &["agon", word, "sq"]), [""], "{name:?}");
        }
        let all = offered(&agon, &["agon", "show", ""]);
        assert!(!all.iter().any(|one| one == name), "{name:?}: {all:?}");
        assert!(!agon.project().join("PWNED").exists(), "{name:?}");
        std::fs::rename(&named, &made).unwrap();
    }
    assert_eq!(offered(&agon, &["agon", "show", "sq"]), ["sql"]);
}

#[test]
fn every_shell_gets_a_script_that_asks_the_program() {
    let agon = Agon::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = agon.run(&["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{shell}");
        assert!(
            ran.stdout.contains("AGON_COMPLETE"),
            "{shell}: {}",
            ran.stdout
        );
    }
}

#[test]
fn without_a_shell_it_says_how_to_install() {
    let all = Agon::new().run(&["completions"]).stdout;
    assert_eq!(all.lines().count(), 5, "{all}");
    let of_user = Agon::new()
        .env("SHELL", "/usr/bin/fish")
        .run(&["completions"])
        .stdout;
    assert!(of_user.starts_with("fish "), "{of_user}");
    let help = Agon::new().run(&["completions", "--help"]).stdout;
    for line in all.lines() {
        assert!(help.contains(line.trim_end()), "{line}\n{help}");
    }
    for idle in ["--json", "--debates-dir", "--profile"] {
        assert!(!help.contains(idle), "{idle}\n{help}");
    }
}
