use std::path::Path;

use super::*;
use crate::identity::{ContextFiles, shape};

fn seating(transport: &str) -> Seating {
    let seating = serde_json::json!({
        "tool": transport,
        "transport": transport,
        "vendor": "",
        "model": null,
        "effort": "low",
        "version": null,
    });
    serde_json::from_value(seating).unwrap()
}

#[test]
fn a_person_in_any_seat_is_refused() {
    let seats = |judge: &str| {
        BTreeMap::from([
            (Seat::Proposer, seating("cli")),
            (Seat::JUDGE, seating(judge)),
        ])
    };
    assert_eq!(refuse_people(&seats("http")), Ok(()));
    let failure = refuse_people(&seats("human")).unwrap_err();
    assert_eq!(failure.message, "a person cannot be the judge in a batch");
}

#[test]
fn the_time_is_that_of_the_planned_tool_that_takes_the_fewest_calls() {
    let settings = settings::Settings {
        batch_calls: 64,
        ..settings::Settings::default()
    };
    let estimate = |tools: &[&str]| {
        let seated = tools.iter().map(|tool| SeatedTool {
            tool: tool.parse().unwrap(),
            model: None,
        });
        let (request, files) = (StartRequest::default(), ContextFiles::new(Path::new("/")));
        let shape = shape(&request, &settings, &files);
        Estimate {
            debates: 100,
            groups: BTreeMap::from([(shape, seated.collect())]),
            ..Estimate::default()
        }
    };
    let seconds = |tools: &[&str]| {
        let mut estimate = estimate(tools);
        let sum = Sum {
            debates: 1,
            ms: [64_000, 128_000],
            ..Sum::default()
        };
        let at_once = calls_at_once(&settings, &estimate).unwrap();
        sum.finish(&mut estimate, at_once);
        (at_once, estimate.seconds.unwrap())
    };
    let profiles = profiles(&settings).unwrap();
    let codex = profiles.find(&"codex".parse().unwrap()).unwrap();
    let calls = codex.concurrency as u64;
    // A program takes as many calls as its profile says.
    assert!(calls < 64);
    let wanted = [6_400 / calls, 12_800 / calls];
    assert_eq!(seconds(&["codex"]), (codex.concurrency, wanted));
    // No tool is known.
    assert_eq!(seconds(&[]), (64, [100, 200]));
}
