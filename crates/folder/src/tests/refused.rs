//! Folders of another tool that cannot be read, and why.

use agon_store::{Disk, FaultDisk};

use super::formal_support::{Other, argument, changed, image, place};
use super::import::{import, theirs};
use crate::{ForeignError, ImportError, View, ViewError, foreign};

/// Returns the error for a folder of another tool after `spoil`.
fn refusal(spoil: impl Fn(&Other<'_>)) -> String {
    let disk = FaultDisk::new();
    let other = theirs(&disk);
    spoil(&other);
    let before = image(&disk, &place());
    let error = foreign::read(&disk, &place()).unwrap_err();
    assert!(error.hint().is_some_and(|hint| !hint.is_empty()), "{error}");
    let shown = View::read(&disk, &place()).unwrap_err();
    assert!(matches!(&shown, ViewError::Foreign(_)), "{shown:?}");
    assert_eq!(shown.to_string(), error.to_string());
    let refused = import(&disk).unwrap_err();
    assert!(matches!(
        &refused,
        ImportError::Foreign(ForeignError::File { .. })
    ));
    assert_eq!(changed(&before, &image(&disk, &place())), [""; 0]);
    assert!(disk.metadata(&place().join(".agon")).unwrap().is_none());
    let names = disk.list_names(&place()).unwrap();
    assert!(
        !names
            .iter()
            .any(|name| name.to_string_lossy().starts_with(".agon"))
    );
    error.to_string()
}

#[test]
fn what_cannot_be_read_is_named_with_file_and_line() {
    let replace = |name: &'static str, old: &'static str, new: &'static str| {
        move |other: &Other<'_>| {
            let text = other.read(name);
            assert!(text.contains(old), "{old}");
            other.write(name, &text.replacen(old, new, 1));
        }
    };
    let put = |name: &'static str, bytes: Vec<u8>| {
        move |other: &Other<'_>| other.disk.place_file(&other.at.join(name), &bytes)
    };
    let gone = |name: &'static str| {
        move |other: &Other<'_>| other.disk.remove_tree(&other.at.join(name)).unwrap()
    };
    let large = vec![b' '; 2 * 1024 * 1024];
    type Spoil<'a> = Box<dyn Fn(&Other<'_>) + 'a>;
    let cases: Vec<(Spoil<'_>, &str)> = vec![
        (
            Box::new(replace(
                "debate.md",
                "awaiting_judgment",
                "awaiting_verdict",
            )),
            "debate.md:4: `awaiting_verdict` is not a phase of a formal debate",
        ),
        (
            Box::new(replace("debate.md", "awaiting_judgment", "asleep")),
            "debate.md:4: unknown variant `asleep`",
        ),
        (
            Box::new(replace(
                "debate.md",
                "\"current_exchange\": 1",
                "\"current_exchange\": -1",
            )),
            "debate.md:3: invalid value: integer `-1`, expected u16",
        ),
        (
            Box::new(replace("debate.md", "\"current_exchange\": 1,", "")),
            "debate.md:16: missing field `current_exchange`",
        ),
        (
            Box::new(replace("debate.md", "# Motion", "# Notion")),
            "debate.md:31: has no motion",
        ),
        (
            Box::new(replace("debate.md", "}\n\n#", "\n\n#")),
            "debate.md:18: expected",
        ),
        (
            Box::new(put("debate.md", [&b"{}\n\n"[..], &[0xff, 0xfe]].concat())),
            "debate.md:3: is not UTF-8",
        ),
        (
            Box::new(put("debate.md", [&b"{"[..], &large].concat())),
            "debate.md: is too large: 2097153 bytes, the limit is 1048576",
        ),
        (
            Box::new(put("arguments/prop_001.md", large.clone())),
            "arguments/prop_001.md: is too large: 2097152 bytes, the limit is 1048576",
        ),
        (
            Box::new(put("arguments/prop_001.md", vec![b'{', b'\n', 0x80])),
            "arguments/prop_001.md:2: is not UTF-8",
        ),
        (
            Box::new(put("arguments/prop_001.md", vec![])),
            "arguments/prop_001.md:1: does not begin with a JSON object",
        ),
        (
            Box::new(put("arguments/prop_001.md", b"{}\n\n## Claim\n".to_vec())),
            "arguments/prop_001.md:1: missing field `id`",
        ),
        (
            Box::new(put("arguments/notes.md", b"x".to_vec())),
            "arguments/notes.md: is not named like an argument",
        ),
        (
            Box::new(put("arguments/judge_001.md", b"x".to_vec())),
            "arguments/judge_001.md: is not named like an argument",
        ),
        (
            Box::new(put("arguments/prop_1.md", b"x".to_vec())),
            "arguments/prop_1.md: is not named like an argument",
        ),
        (
            Box::new(replace(
                "arguments/prop_001.md",
                "\"id\": \"prop_001\"",
                "\"id\": \"prop_002\"",
            )),
            "arguments/prop_001.md:2: says id `prop_002`, but the file is named prop_001.md",
        ),
        (
            Box::new(replace(
                "arguments/prop_001.md",
                "\"side\": \"prop\"",
                "\"side\": \"opp\"",
            )),
            "arguments/prop_001.md:3: says side `opp`, but the file is named prop_001.md",
        ),
        (
            Box::new(replace(
                "arguments/prop_001.md",
                "\"exchange\": 1",
                "\"exchange\": 2",
            )),
            "arguments/prop_001.md:4: says exchange `2`, but the file is named prop_001.md",
        ),
        (
            Box::new(replace(
                "arguments/prop_001.md",
                "warrant_attack\"",
                "insult\"",
            )),
            "arguments/prop_001.md:10: unknown variant `insult`",
        ),
        (
            Box::new(replace(
                "arguments/prop_001.md",
                "\"target_id\": \"opp_000a\"",
                "\"target_id\": \"../x\"",
            )),
            "arguments/prop_001.md:9: `../x` is not a valid node id",
        ),
        (
            Box::new(replace("arguments/prop_001.md", "## Warrant", "## Why")),
            "arguments/prop_001.md:39: has no `## Warrant`",
        ),
        (
            Box::new(replace("arguments/prop_001.md", "## Grounds", "## Basis")),
            "arguments/prop_001.md:39: has no `## Grounds`",
        ),
        (
            Box::new(gone("arguments/opp_001.md")),
            "debate.md:3: awaits the judgment of exchange 1, but the opposition has no argument of exchange 1",
        ),
        (
            Box::new(gone("arguments/prop_000a.md")),
            "scores.json: scores prop_000a, which has no file in arguments/",
        ),
        (
            Box::new(gone("scores.json")),
            "scores.json: does not score prop_000a, although debate.md says that exchange 0 is over",
        ),
        (
            Box::new(|other: &Other<'_>| other.put_argument("prop_002", argument("Early"))),
            "arguments/prop_002.md: belongs to exchange 2, but debate.md awaits the judgment of exchange 1",
        ),
        (
            Box::new(|other: &Other<'_>| other.front(|front| front["current_exchange"] = 4.into())),
            "debate.md:3: awaits the judgment of exchange 4, but the proposition has no argument of exchange 2",
        ),
        (
            Box::new(|other: &Other<'_>| {
                other.front(|front| front["current_phase"] = "awaiting_arguments".into())
            }),
            "arguments/prop_001.md: belongs to exchange 1, but debate.md awaits the arguments of exchange 1",
        ),
        (
            Box::new(replace("scores.json", "prop_000a", "prop_001")),
            "scores.json: scores prop_001, but debate.md awaits the judgment of exchange 1",
        ),
        (
            Box::new(replace("scores.json", "prop_000a", "prop_000b")),
            "scores.json: has prop_000b twice",
        ),
        (
            Box::new(replace("scores.json", "prop_000a", "the first")),
            "scores.json:2: `the first` is not an argument id",
        ),
        (
            Box::new(replace(
                "scores.json",
                "\"current_score\": 1",
                "\"current_score\": 0.5",
            )),
            "scores.json:3: prop_000a has the current score +0.500, but its last score is +1.000",
        ),
        (
            Box::new(replace("scores.json", "\"score\": 1", "\"score\": NaN")),
            "scores.json:",
        ),
        (
            Box::new(replace("scores.json", "\"score\": 1", "\"score\": \"1\"")),
            "scores.json:6: invalid type: string",
        ),
        (
            Box::new(|other: &Other<'_>| {
                other.write(
                    "scores.json",
                    &other.read("scores.json").replace(": 1,", ": 1.2,"),
                )
            }),
            "scores.json:3: prop_000a is scored +1.200",
        ),
        (
            Box::new(put("scores.json", "[".repeat(500_000).into_bytes())),
            "scores.json:1: ",
        ),
        (
            Box::new(put("scores.json", b"[]".to_vec())),
            "scores.json:1: invalid type: sequence, expected an object",
        ),
    ];
    let found: Vec<_> = cases.iter().map(|(spoil, _)| refusal(spoil)).collect();
    let wrong = cases.iter().zip(&found);
    let wrong = wrong.filter(|((_, expected), found)| !found.starts_with(expected));
    let wrong: Vec<_> = wrong
        .map(|((_, expected), found)| (found, expected))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
