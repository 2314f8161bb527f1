//! What the texts for AI tools say of this program: every command and flag is there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agon_record::moves::{Challenge, Opening};
use agon_testkit::Sandbox;

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
            // `agon consult claude` has one name and an argument; `agon tools doctor` has two.
            let most = names.len().min(2);
            let ran = (1..=most).rev().find_map(|count| {
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
