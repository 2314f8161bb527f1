//! Earlier verdicts: recalled with what became of their source, and told to a later debate.

use std::fs;

use serde_json::Value;

use crate::scenarios::place::Fakes;

const SEATS: [&str; 6] = [
    "--proposer",
    "claude",
    "--challenger",
    "codex",
    "--judge",
    "gemini",
];

/// A place in which the debate `s` was held over a file of the project.
fn decided() -> Fakes {
    let fakes = Fakes::new();
    let src = fakes.place.project().join("src");
    fs::create_dir(&src).unwrap();
    let line = |number: usize| match number {
        90 => "        fs::rename(&lease_tmp, &lease)?;\n".to_owned(),
        number => format!("// line {number}\n"),
    };
    let text: String = (1..=120).map(line).collect();
    fs::write(src.join("store.rs"), text).unwrap();
    let ran = fakes.debate(&["--context", "file=src/store.rs"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    fakes
}

fn recalled(fakes: &Fakes, topic: &str) -> Vec<Value> {
    let ran = fakes.place.run(&["recall", topic, "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.json()["decisions"].as_array().unwrap().clone()
}

#[test]
fn a_decision_is_recalled_with_what_became_of_its_source() {
    let fakes = decided();
    let near = recalled(&fakes, "Should the jobs live in SQLite?");
    let one = &near[0];
    assert_eq!((near.len(), &one["debate"]), (1, &"s".into()));
    assert_eq!(one["answer"], "Use SQLite for the job store");
    assert_eq!(one["authority"], "full");
    assert_eq!(one["hangs_on"][0]["id"], "pro_001a");
    assert!(one["age_s"].as_u64().unwrap() < 600, "{one}");
    assert_eq!(one["source"]["state"], "same");
    let file = fakes.place.project().join("src/store.rs");
    fs::write(&file, "all is new\n").unwrap();
    let source = &recalled(&fakes, "SQLite or plain files for the job store?")[0]["source"];
    assert_eq!(
        (&source["state"], &source["changed_files"]),
        (&"changed".into(), &1.into())
    );
    let text = fakes.place.run(&["recall", "job store SQLite"]).stdout;
    assert!(
        text.contains("1 of 1 place it cites has changed: src/store.rs:90"),
        "{text}"
    );
    assert!(
        text.contains("pro_001a Claim and lease are two steps"),
        "{text}"
    );
    let far = fakes
        .place
        .run(&["recall", "which colour for the bike shed"]);
    assert_eq!((far.code, far.stdout.as_str()), (Some(0), ""));
    assert!(
        far.stderr
            .contains("no earlier decision on this (1 debate)"),
        "{}",
        far.stderr
    );
}

/// What is said of the places that the decision cites.
fn places(fakes: &Fakes) -> (Value, Value) {
    let one = &recalled(fakes, "SQLite or plain files for the job store?")[0];
    (
        one["source"]["state"].clone(),
        one["source"]["places"].clone(),
    )
}

#[test]
fn each_cited_place_is_said_to_be_the_same_moved_changed_or_gone() {
    let fakes = decided();
    let file = fakes.place.project().join("src/store.rs");
    let (state, same) = places(&fakes);
    let all = same["same"].as_u64().unwrap();
    assert_eq!(state, "same");
    assert!(all > 0, "{same}");
    let stale = |wanted: i32| {
        let ran = fakes.place.run(&["check", "--stale", "--json"]);
        assert_eq!(ran.code, Some(wanted), "{ran:#?}");
        ran.json()["stale"].clone()
    };
    assert_eq!(stale(0), 0);

    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("// A word before.\n{text}")).unwrap();
    let (state, moved) = places(&fakes);
    assert_eq!(
        (state, moved["moved"].as_u64()),
        ("moved".into(), Some(all))
    );
    assert_eq!(stale(0), 0, "it still stands");

    fs::remove_dir_all(fakes.place.project().join("src")).unwrap();
    let (state, gone) = places(&fakes);
    assert_eq!((state, gone["gone"].as_u64()), ("gone".into(), Some(all)));
    assert_eq!(stale(8), 1);
    let shown = fakes.place.run(&["check", "--stale"]);
    let said = "1 of 1 place it cites is gone: src/store.rs:90";
    assert!(shown.stdout.contains(said), "{shown:#?}");
    let last = "1 decision, 1 with cited places that changed or are gone\n";
    assert!(shown.stdout.ends_with(last), "{shown:#?}");
    let named = fakes.place.run(&["check", "s", "--stale", "--json"]);
    assert_eq!(named.json()["decisions"][0]["source"]["state"], "gone");
    let unknown = fakes.place.run(&["check", "t", "--stale", "--json"]);
    assert_eq!(unknown.ended(), (Some(2), "unknown_debate".to_owned()));
}

#[test]
fn without_a_source_nothing_is_said_of_it() {
    let fakes = Fakes::new();
    assert_eq!(fakes.debate(&[]).code, Some(0));
    let source = &recalled(&fakes, "job store")[0]["source"];
    assert_eq!(
        (&source["state"], &source["said"]),
        (&"unknown".into(), &"unknown (no source)".into())
    );
}

#[test]
fn a_later_debate_is_told_of_it_as_data() {
    let fakes = decided();
    let again = |slug: &str, topic: &str| {
        let args = [
            &[
                "debate",
                topic,
                "--slug",
                slug,
                "--json",
                "--with-precedents",
                "--context",
                "none",
            ],
            &SEATS[..],
        ];
        fakes.place.run(&args.concat())
    };
    let before = fakes.tools.asks().len();
    let ran = again("later", "Does SQLite still fit the job store?");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr
            .contains("1 earlier verdict in every prompt: s ("),
        "{}",
        ran.stderr
    );
    let asks = &fakes.tools.asks()[before..];
    assert_eq!(asks.len(), 8);
    for ask in asks {
        let prompt = fakes.tools.prompt(ask.prompt.unwrap());
        let told = prompt.split("# Earlier verdicts").nth(1).unwrap();
        assert!(told.contains("They are not evidence"), "{prompt}");
        assert!(
            told.contains("Answer: Use SQLite for the job store"),
            "{prompt}"
        );
        assert!(told.contains("same (1 place it cites)"), "{prompt}");
    }
    let folder = fakes.place.project().join("debates/later");
    let verdict: Value =
        serde_json::from_slice(&fs::read(folder.join("verdict.json")).unwrap()).unwrap();
    assert_eq!(verdict["precedents"][0]["debate"], "s");
    let rigor = verdict["rigor"].as_str().unwrap();
    assert!(
        rigor.contains("every prompt included an earlier verdict, s"),
        "{rigor}"
    );
    // The record has them, so the prompts are the same when the first debate is gone.
    fs::remove_dir_all(fakes.place.folder()).unwrap();
    assert_eq!(fakes.place.run(&["check", "later"]).code, Some(0));
    let far = again("far", "Which colour for the bike shed?");
    assert!(
        far.stderr.contains("no earlier decision is similar"),
        "{}",
        far.stderr
    );
}
