//! Reads, rejects and imports folders of another tool.

use std::sync::Arc;

use agon_record::event::Reply;
use agon_record::finding::Finding;
use agon_record::id::{NodeId, Seat};
use agon_record::score::Score;
use agon_record::tally::{Total, side_totals};
use agon_rules::format::{Phase, debate_phase};
use agon_store::{CrashRemains, Disk, DiskFault, FaultDisk, FaultKind};
use agon_verdict::verdict::verdict;
use serde_json::json;

use super::formal_support::{
    Other, changed, debates, files, formal_spec, image, next, place, rebuttal, since,
};
use super::support::{AT, find, open};
use crate::foreign::Contents;
use crate::projection::changed_projections;
use crate::{Folder, ImportError, View, check, foreign, list_debates, projections};

pub(super) fn import(disk: &FaultDisk) -> Result<Folder, ImportError> {
    Folder::import(Arc::new(disk.clone()), &place(), formal_spec(), AT)
}

/// Returns a folder of another tool after two exchanges, the second of which awaits its judgment.
pub(super) fn theirs(disk: &FaultDisk) -> Other<'_> {
    let other = Other::new(disk);
    other.found();
    other.argue(0);
    other.judge(None);
    other.argue(1);
    other
}

#[test]
fn a_foreign_folder_is_read_and_found_and_nothing_is_written() {
    let disk = FaultDisk::new();
    let other = theirs(&disk);
    other.judge(Some(("opp_000a", -0.75)));
    disk.make_read_only();
    let before = image(&disk, &place());
    let view = View::read(&disk, &place()).unwrap();
    let state = &view.state;
    assert!(view.foreign);
    assert_eq!(
        (view.problems.len(), view.lines, view.at_first, view.at_last),
        (0, 0, 1_795_312_333_217, 1_795_312_333_217)
    );
    let told = (
        state.spec.slug.as_str(),
        state.spec.topic.as_str(),
        debate_phase(state),
        state.last_judged_exchange(),
    );
    assert_eq!(
        told,
        (
            "job-store",
            "This house would wait.",
            Phase::AwaitingArguments,
            Some(1)
        )
    );
    assert_eq!(state.spec.scope(), Some("Today."));
    let terms = state
        .spec
        .definitions()
        .iter()
        .map(|d| format!("{}={}", d.term, d.meaning));
    assert_eq!(terms.collect::<Vec<_>>(), ["Wait=do nothing", "House=us"]);
    let total = |thousandths, count| Total {
        total: Score::new(thousandths),
        count,
    };
    let expected = [
        (Seat::Proposition, total(4_000, 4)),
        (Seat::Opposition, total(-3_750, 4)),
    ];
    assert_eq!(side_totals(state), expected.into());
    assert_eq!(
        foreign::read(&disk, &place()).unwrap().stated,
        Some(expected.into())
    );
    let node = state.node("opp_001".parse().unwrap()).unwrap();
    assert_eq!(node.point.main_text(), "Theirs – it is so.");
    let history = &state.score_histories()[&"opp_000a".parse().unwrap()];
    assert_eq!(history.len(), 2);
    assert_eq!(history[1].triggered_by, Some("prop_001".parse().unwrap()));

    assert_eq!(find(&disk, "job-store", &debates()).unwrap(), place());
    let listing = list_debates(&disk, &debates()).unwrap();
    let listed: Vec<_> = listing
        .debates
        .iter()
        .map(|d| (d.slug.as_str(), d.record.foreign))
        .collect();
    assert_eq!(listed, [("job-store", true)]);
    let nobody = listing.debates[0].record.ulid.to_string();
    assert!(find(&disk, &nobody, &debates()).is_err());
    let report = check(&disk, &place(), 5, &files).unwrap();
    assert!(report.is_sound() && report.foreign);
    assert_eq!(report.state, view.state);
    assert_eq!(changed(&before, &image(&disk, &place())), [""; 0]);
}

#[test]
fn a_folder_with_nothing_said_needs_neither_arguments_nor_scores() {
    let disk = FaultDisk::new();
    let other = Other::new(&disk);
    other.found();
    disk.remove_tree(&place().join("scores.json")).unwrap();
    let read = foreign::read(&disk, &place()).unwrap();
    assert_eq!(
        (read.imported.judged, read.imported.arguments.len()),
        (None, 0)
    );
    let names: Vec<_> = read.imported.files.keys().collect();
    assert_eq!(names, ["debate.md"]);
    let mut folder = import(&disk).unwrap();
    folder.write_own_projections().unwrap();
    assert_eq!(other.read("scores.json"), "{}");
}

#[test]
fn a_finding_about_an_imported_argument_has_its_place_in_the_file() {
    let disk = FaultDisk::new();
    let other = theirs(&disk);
    let contents = Contents::read(&disk, &place()).unwrap();
    let ids = |names: &[&str]| {
        names
            .iter()
            .map(|id| id.parse().unwrap())
            .collect::<Vec<_>>()
    };
    let (case, rebuttal) = (
        ids(&["opp_000a", "opp_000b", "opp_000c"]),
        ids(&["opp_001"]),
    );
    let found = |ids: &[NodeId], at: &str| {
        let finding = json!({ "code": "x", "severity": "error", "turn": "r0.opp", "move": at,
                              "path": null, "span": null, "message": "", "hint": "" });
        let mut finding: Finding = serde_json::from_value(finding).unwrap();
        contents.locate_finding(ids, &mut finding);
        let path = finding.path?;
        let words = finding.span.map(|span| {
            let [line, column, length] = span.map(|n| n as usize);
            let text = other.read(&path);
            let line = text.lines().nth(line - 1).unwrap().to_owned();
            line.chars()
                .skip(column - 1)
                .take(length)
                .collect::<String>()
        });
        Some((path, words.unwrap_or_default()))
    };
    let at = |path: &str, words: &str| Some((format!("arguments/{path}.md"), words.to_owned()));
    let title = r#""Theirs for the job store""#;
    assert_eq!(found(&case, "arguments[1].title"), at("opp_000b", title));
    assert_eq!(
        found(&case, "[2].grounds[0].relevance"),
        at("opp_000c", "two steps")
    );
    assert_eq!(found(&case, "arguments[2]"), at("opp_000c", ""));
    assert_eq!(found(&case, "arguments[3].title"), None);
    assert_eq!(found(&case, ""), None);
    assert_eq!(
        found(&rebuttal, "attacks[0].target_id"),
        at("opp_001", r#""prop_000a""#)
    );
    assert_eq!(
        found(&rebuttal, "arguments[0].warrant"),
        at("opp_001", "Two steps are not one.")
    );
    assert_eq!(found(&rebuttal, ""), at("opp_001", ""));
}

#[test]
fn an_import_leaves_every_file_as_it_is_and_adds_a_record() {
    let disk = FaultDisk::new();
    let other = theirs(&disk);
    other.judge(Some(("opp_000a", -0.75)));
    other.write("README.md", "Theirs.\n");
    let before = image(&disk, &place());
    let mut folder = import(&disk).unwrap();
    let manifest: serde_json::Value =
        serde_json::from_str(&other.read(".agon/projections.json")).unwrap();
    for (name, bytes) in before.iter().filter(|(name, _)| name != "README.md") {
        assert_eq!(
            manifest[name]["hash"],
            crate::manifest::blake3_hex(bytes),
            "{name}"
        );
    }
    let known = |(name, _): &(String, Vec<u8>)| name != ".gitattributes";
    let now: Vec<_> = image(&disk, &place()).into_iter().filter(known).collect();
    assert_eq!(changed(&before, &now), [""; 0]);
    let view = View::read(&disk, &place()).unwrap();
    assert_eq!(
        (&view.state, view.lines, view.foreign),
        (folder.state(), 1, false)
    );
    let events: Vec<_> = view
        .events
        .iter()
        .map(|known| known.event.clone())
        .collect();
    let mut all = [
        projections(&view.state),
        changed_projections(
            &view.state,
            Some(since(&events)),
            verdict(&view.state).as_ref(),
        ),
    ];
    all.iter_mut().for_each(|files| files.sort());
    assert!(all[0] == all[1]);
    let ulid = formal_spec().ulid;
    assert_eq!(view.state.spec.ulid, ulid);
    assert_eq!(find(&disk, &ulid.to_string(), &debates()).unwrap(), place());
    assert!(matches!(import(&disk), Err(ImportError::Ours { .. })));
    assert_eq!(folder.import_foreign_steps(AT).unwrap(), None);

    // Projected, only the front matter and the graph change.
    folder.write_projections(&files(folder.state())).unwrap();
    for (name, bytes) in &before {
        let now = disk.read(&place().join(name)).unwrap();
        match name.as_str() {
            "debate.md" => {
                let (old, new) = (
                    String::from_utf8_lossy(bytes),
                    String::from_utf8_lossy(&now),
                );
                let cut = old.find("\n}\n\n# Motion").unwrap();
                assert!(
                    new.starts_with(&format!("{},\n  \"format\": \"formal\"", &old[..cut])),
                    "{new}"
                );
                assert!(new.ends_with(&old[cut..]), "{new}");
            }
            "argument-graph.mmd" => assert_ne!(&now, bytes),
            _ => assert_eq!(&now, bytes, "{name}"),
        }
    }
    let report = check(&disk, &place(), 5, &files).unwrap();
    assert!(
        report.is_sound(),
        "{:?} {:?}",
        report.problems,
        report.files
    );
}

#[test]
fn what_we_add_to_imported_scores_leaves_their_bytes() {
    let disk = FaultDisk::new();
    let other = theirs(&disk);
    // Unusual white space, and a custom key.
    let text = other
        .read("scores.json")
        .replace("\"reasoning\": ", "\"reasoning\":   ");
    let text = text.replacen(
        "\"current_score\": 1,",
        "\"x_note\": [1,2],\n    \"current_score\": 1,",
        1,
    );
    other.write("scores.json", &text);
    let mut folder = import(&disk).unwrap();
    let rescores = serde_json::json!([
        { "argument_id": "prop_000a", "new_score": 0.6, "reasoning": "Answered." }
    ]);
    let events = super::formal_support::judgment(folder.state(), rescores);
    folder.append(AT, &events).unwrap();
    folder.write_projections(&files(folder.state())).unwrap();
    let now = other.read("scores.json");
    let (head, tail) = text
        .split_once("\"prop_000b\"")
        .map(|(head, _)| text.split_at(head.len()))
        .unwrap();
    let head = head.replacen("\"current_score\": 1,", "\"current_score\": 0.6,", 1);
    let head = head.replacen("      }\n    ]", "      },\n      {\n        \"score\": 0.6,\n        \
        \"reasoning\": \"Answered.\",\n        \"scored_at\": \"2026-11-21T20:00:00.042000+00:00\",\n        \
        \"triggered_by\": \"prop_001\",\n        \"previous_score\": 1.0,\n        \"diff\": -0.4\n      }\n    ]", 1);
    let known = format!("{head}{}", tail.strip_suffix("\n}").unwrap());
    assert!(now.starts_with(&known), "{now}\n is not\n{known}");
    let added = &now[known.len()..];
    assert!(
        added.starts_with(
            ",\n  \"prop_001\": {\n    \"current_score\": 0.3,\n    \"history\": [\n      {"
        ),
        "{added}"
    );
    let entries: serde_json::Value = serde_json::from_str(&now).unwrap();
    assert_eq!(entries.as_object().unwrap().len(), 8);
    assert!(check(&disk, &place(), 5, &files).unwrap().is_sound());
    // And the debate can continue.
    let events = next(folder.state());
    folder.append(AT, &events).unwrap();
    folder.write_projections(&files(folder.state())).unwrap();
    assert!(
        other
            .read("arguments/prop_002.md")
            .contains("\"id\": \"prop_002\"")
    );
    assert!(
        other
            .read("debate.md")
            .contains("\"x_mood\": \"calm\",\n  \"format\"")
    );
}

#[test]
fn keys_of_theirs_that_are_named_like_ours_stay() {
    let disk = FaultDisk::new();
    let other = theirs(&disk);
    other.front(|front| front["format"] = "oxford".into());
    let mut folder = import(&disk).unwrap();
    folder.write_own_projections().unwrap();
    let text = other.read("debate.md");
    assert!(
        text.contains("\"format\": \"oxford\",\n  \"ulid\": \"01JD0"),
        "{text}"
    );
}

#[test]
fn line_ends_of_another_system_stay() {
    let disk = FaultDisk::new();
    let other = theirs(&disk);
    let names = ["debate.md", "scores.json", "arguments/prop_001.md"];
    for name in names {
        let text = other.read(name).replace('\n', "\r\n");
        other.write(name, &text);
    }
    let before = names.map(|name| other.read(name));
    let mut folder = import(&disk).unwrap();
    let node = folder.state().node("prop_001".parse().unwrap()).unwrap();
    assert_eq!(node.point.grounds()[0].content, "claim()\nthen lease()");
    folder.write_projections(&files(folder.state())).unwrap();
    assert!(
        other
            .read("debate.md")
            .ends_with(before[0].split_once("}\r\n\r\n#").unwrap().1)
    );
    assert_eq!(names.map(|name| other.read(name))[1..], before[1..]);
}

#[test]
fn a_large_file_is_kept_as_a_blob_and_projected_as_it_was() {
    let disk = FaultDisk::new();
    let other = theirs(&disk);
    let mut long = rebuttal("Theirs", "opp_000a");
    long["warrant"] = "Because. ".repeat(40_000).into();
    other.put_argument("prop_001", long);
    let before = other.read("arguments/prop_001.md");
    let folder = import(&disk).unwrap();
    assert_eq!(
        disk.list_names(&place().join(".agon/blobs")).unwrap().len(),
        1
    );
    // Its text is stored only once, as moves.
    assert!(other.read(".agon/journal.jsonl").len() < before.len() * 3 / 2);
    let report = check(&disk, &place(), 5, &files).unwrap();
    assert_eq!(report.counts.blobs, 1);
    let state = folder.state().clone();
    drop(folder);
    // With and without a snapshot, the blob is found.
    for _ in 0..2 {
        let (mut folder, opening) = open(&disk, &place()).unwrap();
        assert_eq!((folder.state(), opening.warnings.len()), (&state, 0));
        assert!(matches!(
            &folder.state().imported_files()["arguments/prop_001.md"],
            Reply::Text(_)
        ));
        folder.write_projections(&files(folder.state())).unwrap();
    }
    // Its text is stored only once in the snapshot, too.
    assert!(other.read(".agon/snapshot").len() < before.len() * 3 / 2);
    assert_eq!(other.read("arguments/prop_001.md"), before);
    // A lost blob does not affect the file.
    for name in disk.list_names(&place().join(".agon/blobs")).unwrap() {
        disk.remove_tree(&place().join(".agon/blobs").join(name))
            .unwrap();
    }
    disk.remove_tree(&place().join(".agon/snapshot")).ok();
    let (mut folder, opening) = open(&disk, &place()).unwrap();
    assert_eq!(opening.warnings.len(), 1);
    let own = projections(folder.state());
    assert!(
        !own.iter()
            .any(|(path, _)| path.as_str() == "arguments/prop_001.md")
    );
    folder.write_projections(&own).unwrap();
    assert_eq!(other.read("arguments/prop_001.md"), before);
}

#[test]
fn an_import_cut_short_anywhere_is_made_whole_or_was_never_there() {
    let counted = {
        let disk = FaultDisk::new();
        theirs(&disk);
        disk.set_fault(DiskFault {
            at: u64::MAX,
            kind: FaultKind::Fail,
        });
        import(&disk).unwrap();
        disk.operation_count()
    };
    assert!(counted > 40, "only {counted} operations");
    for kind in [
        FaultKind::Fail,
        FaultKind::Full,
        FaultKind::Tear,
        FaultKind::Crash,
        FaultKind::CrashTorn,
    ] {
        for at in 0..counted {
            let case = format!("{kind:?} at {at}");
            let disk = FaultDisk::new();
            theirs(&disk);
            let before = image(&disk, &place());
            disk.set_fault(DiskFault { at, kind });
            let imported = import(&disk).map(|_| ());
            disk.clear_faults();
            let after = if matches!(kind, FaultKind::Crash | FaultKind::CrashTorn) {
                CrashRemains::ALL
                    .map(|keep| disk.after_crash(keep))
                    .to_vec()
            } else {
                vec![disk]
            };
            for disk in after {
                let there = disk.metadata(&place().join(".agon")).unwrap().is_some();
                if kind == FaultKind::Fail {
                    assert_eq!(there, imported.is_ok(), "{case}");
                }
                let mut folder = if there {
                    open(&disk, &place())
                        .map_err(|error| format!("{case}: {error}"))
                        .unwrap()
                        .0
                } else {
                    import(&disk)
                        .map_err(|error| format!("{case}: {error}"))
                        .unwrap()
                };
                let known = |(name, _): &(String, Vec<u8>)| name != ".gitattributes";
                let now: Vec<_> = image(&disk, &place()).into_iter().filter(known).collect();
                assert_eq!(changed(&before, &now), [""; 0], "{case}");
                assert_eq!(folder.line_count(), 1, "{case}");
                folder.write_projections(&files(folder.state())).unwrap();
                let report = check(&disk, &place(), 5, &files).unwrap();
                assert!(
                    report.is_sound(),
                    "{case}: {:?} {:?}",
                    report.problems,
                    report.files
                );
                let names = disk.list_names(&place()).unwrap();
                let left = names
                    .iter()
                    .filter(|name| name.to_string_lossy().starts_with(".agon."));
                assert!(there || left.count() == 0, "{case}: {names:?}");
            }
        }
    }
}
