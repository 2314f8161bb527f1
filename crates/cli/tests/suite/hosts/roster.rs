//! What the texts for AI tools say of this program: every command and flag is there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agon_record::moves::{Challenge, Opening};
use agon_testkit::Sandbox;
use agon_verdict::fixed_line;

use crate::support::Place;

fn content() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content")
}

/// Every text of `content/`, by its path there.
fn texts() -> BTreeMap<PathBuf, String> {
    let mut open = vec![content()];
    let mut texts = BTreeMap::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => {
                    // A command line that goes on in the next line is one.
                    let text = fs::read_to_string(&path).unwrap().replace("\\\n", " ");
                    texts.insert(path.strip_prefix(content()).unwrap().to_owned(), text);
                }
            }
        }
    }
    texts
}

/// The command lines of this program in `text`: in code, from `agon ` to its end.
fn command_lines(text: &str) -> Vec<&str> {
    // Code between single backticks, and lines of code between fences.
    let spans = text
        .lines()
        .flat_map(|line| line.split('`').skip(1).step_by(2));
    let is_list = |line: &&str| line.starts_with("agon = [");
    let whole = text
        .lines()
        .filter(|line| line.starts_with("agon ") && !is_list(line));
    let quoted = text.lines().filter(|line| line.starts_with("commands = "));
    let quoted = quoted.flat_map(|line| line.split('"').skip(1).step_by(2));
    let all = spans.chain(whole).chain(quoted);
    all.filter(|code| code.starts_with("agon ")).collect()
}

/// The words that name a command, and its flags; what is quoted in the line is neither.
fn parts(line: &str) -> (Vec<String>, Vec<String>) {
    let bare: String = line.split('"').step_by(2).collect::<Vec<_>>().join(" ");
    let words: Vec<_> = bare.split_whitespace().skip(1).map(str::to_owned).collect();
    let is_name = |word: &&String| {
        let plain = word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        plain && !word.starts_with('-')
    };
    let names = words.iter().take_while(is_name).cloned().collect();
    let flags = words.iter().filter(|word| word.starts_with("--"));
    let flag = |word: &String| word.split('=').next().unwrap_or_default().to_owned();
    (names, flags.map(flag).collect())
}

fn place() -> Place {
    let sandbox = Sandbox::new();
    let env = sandbox.command_env();
    Place::new(sandbox, env)
}

#[test]
fn every_command_and_flag_that_a_text_names_exists() {
    let place = place();
    let mut helps: BTreeMap<Vec<String>, String> = BTreeMap::new();
    let mut looked_at = 0;
    let texts = texts();
    for (path, text) in &texts {
        for line in command_lines(text) {
            let (names, flags) = parts(line);
            assert!(!names.is_empty(), "{}: {line}", path.display());
            // `agon consult claude` has one name and an argument; `agon team task add` has three.
            let most = names.len().min(3);
            // Of a team a second and a third name are no arguments.
            let least = match names.as_slice() {
                [team, group, _, ..]
                    if team == "team" && ["task", "gate", "lock", "mail"].contains(&&**group) =>
                {
                    3
                }
                [team, _, ..] if team == "team" => 2,
                _ => 1,
            };
            let ran = (least..=most).rev().find_map(|count| {
                let names = names[..count].to_vec();
                if let Some(help) = helps.get(&names) {
                    return Some(help.clone());
                }
                let args = names.iter().map(String::as_str).chain(["--help-all"]);
                let ran = place.run(&args.collect::<Vec<_>>());
                let wanted = format!("Usage: agon {}", names.join(" "));
                let is_its = ran.code == Some(0) && ran.stdout.contains(&wanted);
                is_its.then(|| helps.entry(names).or_insert(ran.stdout).clone())
            });
            let help = ran.unwrap_or_else(|| panic!("{}: no command `{line}`", path.display()));
            for flag in flags {
                let has_it = help
                    .split([' ', '\n', '=', ',', '['])
                    .any(|word| word == flag);
                assert!(has_it, "{}: `{line}` has no {flag}", path.display());
            }
            looked_at += 1;
        }
    }
    assert!(looked_at > 80, "{looked_at}");
}

#[test]
fn each_text_names_the_commands_that_do_its_work() {
    let texts = texts();
    for (path, commands) in [
        (
            "skills/context-degradation/SKILL.md",
            &["agon context.", "agon context --handover > HANDOVER.md"][..],
        ),
        (
            "skills/handoff-protocols/SKILL.md",
            &["agon context --handover > HANDOVER.md", "agon team status"],
        ),
        (
            "skills/verification-gates/SKILL.md",
            &["agon team gate run tests", "agon team gate show"],
        ),
        (
            "skills/task-decomposition/SKILL.md",
            &["agon team task add"],
        ),
        (
            "commands/status.md",
            &[
                "agon team status",
                "agon team lock list",
                "agon context.",
                "agon context --handover",
            ],
        ),
        (
            "commands/plan.md",
            &["agon team task add", "agon team status"],
        ),
        (
            "commands/quality.md",
            &["agon team gate show", "agon team gate run"],
        ),
        (
            "commands/debate-run.md",
            &["agon resume DEBATE", "agon resume DEBATE --replace"],
        ),
    ] {
        let text = &texts[Path::new(path)];
        let lines = command_lines(text);
        for command in commands {
            // With a full stop it is the whole line.
            let named = match command.strip_suffix('.') {
                Some(whole) => lines.contains(&whole),
                None => lines.iter().any(|line| line.starts_with(command)),
            };
            assert!(named, "{path}: {command}");
        }
    }
    // What a host reads itself, which is not AGENTS.md everywhere.
    let init = &texts[Path::new("commands/init.md")];
    for line in [
        "Claude Code: `CLAUDE.md` with the one line `@AGENTS.md`",
        "Gemini CLI: `GEMINI.md` with the one line `@./AGENTS.md`",
    ] {
        assert!(init.contains(line), "{line}");
    }
}

#[test]
fn the_skill_and_the_orchestrator_print_the_fixed_lines_and_the_whole_synthesis() {
    let texts = texts();
    let aborted = "[ERROR] Debate aborted: proposer ({tool}) failed on opening round. {error}";
    for path in ["skills/debate/SKILL.md", "agents/debate-orchestrator.md"] {
        let text = &texts[Path::new(path)];
        for line in [
            aborted,
            fixed_line::CHALLENGER_FAILED,
            fixed_line::ALL_TIMED_OUT,
            fixed_line::NO_EXCHANGES,
        ] {
            assert!(text.contains(&format!("- `{line}`\n")), "{path}: {line}");
        }
        for part in [
            "fixed_line",
            "answer",
            "do_next",
            "unless",
            "authority",
            "evidence",
            "proposer",
            "challenger",
            "hangs_on",
            "graph_hangs_on",
            "conceded",
            "to_settle",
            "genuine_disagreement",
            "challenge_depth",
            "rigor",
            "left_out",
        ] {
            assert!(text.contains(&format!("`{part}`")), "{path}: {part}");
        }
        for option in [
            "--proposer=TOOL",
            "--challenger=TOOL",
            "--rounds=N",
            "--effort=LEVEL",
            "--model-proposer=MODEL",
            "--model-challenger=MODEL",
        ] {
            assert!(text.contains(&format!("`{option}`")), "{path}: {option}");
        }
        for heading in ["Agreements", "Disagreements", "Open questions", "Quality"] {
            assert!(text.contains(heading), "{path}: {heading}");
        }
    }
    let orchestrator = &texts[Path::new("agents/debate-orchestrator.md")];
    for line in [
        "`{\"error\": \"Missing required parameter: {param}. The caller must resolve all parameters \
         before spawning this agent.\"}`",
        "`--- Round {round}: {tool} (Proposer) ---`",
        "`--- Round {round}: {tool} (Challenger) ---`",
    ] {
        assert!(orchestrator.contains(line), "{line}");
    }
}

#[test]
fn a_skill_that_names_a_command_says_what_to_do_without_a_shell() {
    let ways = [
        "cannot run",
        "neither a shell",
        "ithout a shell",
        "a shell. Without one",
    ];
    let texts = texts();
    let skills = texts.iter().filter(|(path, _)| path.starts_with("skills"));
    let mut checked = 0;
    for (path, text) in skills.filter(|(_, text)| !command_lines(text).is_empty()) {
        let says = ways.iter().any(|way| text.contains(way));
        assert!(says, "{}", path.display());
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn those_who_object_return_moves_that_a_debate_takes() {
    let json = |role: &str| {
        let text = fs::read_to_string(content().join(format!("roles/{role}.md"))).unwrap();
        let (_, rest) = text.split_once("```json\n").unwrap();
        rest.split_once("```").unwrap().0.to_owned()
    };
    let challenge: Challenge = serde_json::from_str(&json("critic")).unwrap();
    assert_eq!(challenge.objections.len(), 1);
    let opening: Opening = serde_json::from_str(&json("devil")).unwrap();
    assert_eq!(opening.arguments.len(), 1);
}
