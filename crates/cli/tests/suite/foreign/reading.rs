//! Reading a folder: what it says, and not a byte of it changed.

use std::fs;

use serde_json::{Value, json};

use crate::foreign::world::worlds;

#[test]
fn a_folder_is_shown_as_it_adds_up_and_not_written_to() {
    for world in worlds() {
        let (files, times) = (world.files(), world.times());
        let name = world.name.as_str();
        let (debate, arguments) = (world.front(), world.arguments());
        let shown = world.run(&["show", "--json", name]);
        assert_eq!((shown.code, shown.stderr.as_str()), (Some(0), ""), "{name}");
        let shown = shown.document();
        assert_eq!(shown["totals"], debate["cumulative_scores"], "{name}");
        assert_eq!(shown["phase"], debate["current_phase"], "{name}");
        let told = shown["arguments"].as_array().unwrap();
        assert_eq!(told.len(), arguments.len(), "{name}");
        let scores = world.scores();
        for one in told {
            let entry = &scores[one["id"].as_str().unwrap()];
            assert_eq!(one["score"], entry["current_score"], "{name}: {one}");
        }
        let checked = world.run(&["check", "--json", name]);
        assert_eq!(
            (checked.code, checked.stderr.as_str()),
            (Some(0), ""),
            "{name}"
        );
        let checked = checked.document();
        let counts = (&checked["sound"], &checked["errors"], &checked["warnings"]);
        let warnings = &shown["findings"]["warning"];
        assert_eq!(counts, (&json!(true), &json!(0), warnings), "{name}");
        let found = checked["findings"].as_array().unwrap();
        assert_eq!(json!(found.len()), *warnings, "{name}");
        eprintln!("{name}: {} arguments, {} findings", told.len(), found.len());
        let long = |part: &str| {
            let all = found
                .iter()
                .filter(|one| one["move"].as_str().unwrap().ends_with(part));
            let mut all: Vec<_> = all.map(|one| &one["path"]).cloned().collect();
            all.sort_by_key(ToString::to_string);
            all
        };
        let outside = |part: &str, (least, most): (usize, usize)| {
            let words = |front: &Value| front[part].as_str().unwrap().split_whitespace().count();
            let all = arguments
                .iter()
                .filter(|(_, front)| !(least..=most).contains(&words(front)));
            let mut all: Vec<_> = all
                .map(|(id, _)| json!(format!("arguments/{id}.md")))
                .collect();
            all.sort_by_key(ToString::to_string);
            all
        };
        assert_eq!(long("title"), outside("title", (5, 7)), "{name}");
        assert_eq!(long("claim"), outside("claim", (1, 25)), "{name}");
        for one in found {
            let path = one["path"].as_str().unwrap();
            let text = String::from_utf8(files[path].clone()).unwrap();
            let at = |nth: usize| usize::try_from(one["span"][nth].as_u64().unwrap()).unwrap();
            let line = text.lines().nth(at(0) - 1).unwrap();
            assert!(at(1) - 1 + at(2) <= line.chars().count(), "{name}: {one}");
        }
        let listed = world.run(&["list", "--json"]);
        assert_eq!(listed.code, Some(0), "{name}: {}", listed.stderr);
        let listed = listed.document();
        assert_eq!(listed["debates"][0]["debate"], json!(name));
        assert_eq!(listed["unreadable"], json!([]));
        for args in [&["show", name][..], &["check", name], &["list"]] {
            let said = world.run(args);
            assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{args:?}");
        }
        assert!(files == world.files(), "{name}");
        assert_eq!(times, world.times(), "{name}");
    }
}

#[test]
fn a_report_of_a_folder_goes_to_a_file_and_not_into_the_folder() {
    for world in worlds() {
        let (files, times) = (world.files(), world.times());
        let name = world.name.as_str();
        for (format, begins) in [
            ("md", "# "),
            ("transcript", "# Transcript: "),
            ("html", "<!DOCTYPE html>"),
            ("mermaid", "---\ntitle: "),
            ("svg", "<svg "),
            ("png", ""),
        ] {
            let file = world.beside(format);
            let path = file.to_str().unwrap();
            let said = world.run(&["report", name, "--format", format, "-o", path]);
            assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{format}");
            let bytes = fs::read(&file).unwrap();
            if format == "png" {
                assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{name}");
                continue;
            }
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.starts_with(begins), "{name}: {format}");
            // Every argument is in every picture of the whole.
            let whole = format != "md";
            for id in world.arguments().keys().filter(|_| whole) {
                assert!(text.contains(id), "{name}: {format} lacks {id}");
            }
        }
        assert!(files == world.files(), "{name}");
        assert_eq!(times, world.times(), "{name}");
    }
}

#[test]
fn a_report_into_the_folder_of_another_tool_is_refused_with_what_it_would_replace() {
    for world in worlds() {
        let (files, name) = (world.files(), world.name.as_str());
        let said = world.run(&["report", name]);
        assert_eq!(said.code, Some(6), "{}", said.stderr);
        for told in ["argument-graph.mmd", "debate.md", "-o DIR", "--force"] {
            assert!(
                said.stderr.contains(told),
                "{name}: {told}: {}",
                said.stderr
            );
        }
        let into = world.beside("report/");
        let said = world.run(&["report", name, "-o", into.to_str().unwrap()]);
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{name}");
        assert!(into.join("report.html").is_file());
        assert!(files == world.files(), "{name}");
    }
}
