//! A third format needs one file in `agon-rules`, a variant and a line in the registry; it is
//! played, shown and reported like the others.

use std::time::Duration;

use agon_engine::host::{Host, MemoryHost};
use agon_engine::observer::Unwatched;
use agon_engine::run::{RunEnd, run_debate};
use agon_record::event::Outcome;
use agon_record::spec::{DuelSpec, FormatName, Kind, Spec};
use agon_record::state::State;
use agon_report::screen::{Line, conclusion_lines, header_lines};
use agon_report::{readme_md, render_documents};
use agon_rules::format::remaining_calls;
use agon_verdict::verdict::verdict;
use tokio_util::sync::CancellationToken;

use crate::scripted;

fn spec() -> Spec {
    let duel = scripted::spec();
    let quick = DuelSpec::default();
    Spec {
        kind: Kind::Ruled(FormatName::Toy, quick),
        ruleset: "toy/1".to_owned(),
        ..duel
    }
}

#[tokio::test(start_paused = true)]
async fn a_third_format_plays_and_is_shown_and_reported() {
    let (context, asked) = crate::table(Duration::from_secs(1));
    let mut host = MemoryHost::open(spec());
    assert_eq!(remaining_calls(host.state()), 4);
    let cancel = CancellationToken::new();
    let ended = run_debate(&mut host, &context, &mut Unwatched, &cancel)
        .await
        .unwrap();
    assert_eq!(
        (ended, host.state().closed),
        (RunEnd::Settled, Some(Outcome::Judged))
    );
    assert_eq!(
        *asked.lock().unwrap(),
        ["r1.pro", "r1.cha", "r2.pro", "verdict.judge"]
    );
    assert_eq!(&State::replay(host.events()).unwrap(), host.state());
    let json = serde_json::to_string(host.state()).unwrap();
    assert_eq!(&serde_json::from_str::<State>(&json).unwrap(), host.state());

    let state = host.state();
    let text =
        |lines: Vec<Line>| -> String { lines.iter().map(|line| line.to_string() + "\n").collect() };
    let head = text(header_lines(state, "debates/toy", None, 100));
    assert!(head.starts_with("toy · "), "{head}");
    let found = verdict(state);
    let end = text(conclusion_lines(
        state,
        || found.as_ref(),
        "debates/toy",
        100,
    ));
    assert!(end.contains("Use SQLite for the job store"), "{end}");
    let files = render_documents(state, found.as_ref());
    let transcript = files.iter().find(|(path, _)| path == "transcript.md");
    let transcript = String::from_utf8(transcript.unwrap().1.clone()).unwrap();
    assert!(transcript.contains("## Round 2"), "{transcript}");
    assert!(!transcript.contains("Round 3"), "{transcript}");
    assert!(readme_md(state, found.as_ref(), None).contains("SQLite"));
}
