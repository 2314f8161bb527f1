//! What can be opened and run, and what is rejected before any call.

use agon_caller::bounds::Bounds;
use agon_caller::{Caller, Code, FailureKind};
use agon_debates::request::{JudgesRequest, NewRequest, PlayRequest, SeatsRequest};
use agon_debates::run::formal_run;
use agon_debates::status::outcome::Outcome;

use super::table::{MOTION, Table, named, rebuttals, seats};
use crate::front::Recorder;

fn unnamed(motion: &str) -> NewRequest {
    NewRequest {
        motion: Some(motion.to_owned()),
        ..NewRequest::default()
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_name_that_is_there_is_refused_with_a_list_and_a_suggested_one_gets_a_number() {
    let table = Table::laid().await;
    table.open(&named("other")).await.unwrap();
    let refused = table.open(&named("S")).await.unwrap_err();
    assert_eq!(refused.code, Code::SlugTaken, "{refused:?}");
    let hint = refused.hint.unwrap().typed();
    assert!(hint.contains("other, s"), "{hint}");
    for name in [
        "read-every-change-before-it-is-merged",
        "read-every-change-before-it-is-merged-2",
    ] {
        let opened = table.open(&unnamed(MOTION)).await.unwrap();
        assert_eq!(opened.folder, format!("debates/{name}"));
    }
}

#[tokio::test(flavor = "current_thread")]
async fn what_cannot_be_opened_says_which_parameter_is_wrong() {
    let table = Table::bare();
    let defined = |terms: &[&str]| NewRequest {
        definitions: terms.iter().map(|&term| term.to_owned()).collect(),
        ..unnamed("m")
    };
    let strict = NewRequest {
        strict: true,
        ..named("s")
    };
    let (missing, invalid) = (Code::MissingParameter, Code::InvalidParameter);
    for (request, code, parameter) in [
        (NewRequest::default(), missing, "motion"),
        (unnamed(" "), invalid, "motion"),
        (unnamed("a\u{202e}b"), invalid, "motion"),
        (unnamed(&"x".repeat(20_000)), invalid, "motion"),
        (defined(&["car"]), invalid, "define"),
        (defined(&["a=b", "a=c"]), invalid, "define"),
        (strict, missing, "thesis-for"),
    ] {
        let failure = table.open(&request).await.unwrap_err();
        let found = (failure.code, failure.parameter.as_deref());
        assert_eq!(found, (code, Some(parameter)), "{request:?}");
    }
    assert!(!table.debates().exists(), "nothing was opened");
}

#[tokio::test(flavor = "current_thread")]
async fn what_cannot_be_run_is_refused_before_anybody_is_called() {
    let refused = async |table: &Table, request: &PlayRequest| {
        let failure = table.play(request).await.unwrap_err();
        let parameter = failure.parameter.unwrap_or_default();
        (failure.kind, failure.code, parameter, failure.hint)
    };
    let any = PlayRequest::default();
    let (_, code, parameter, _) = refused(&Table::bare(), &any).await;
    assert_eq!(
        (code, parameter.as_str()),
        (Code::MissingParameter, "debate")
    );
    let table = Table::laid().await;
    table.open(&named("t")).await.unwrap();
    let (_, code, _, hint) = refused(&table, &any).await;
    assert_eq!(code, Code::MissingParameter);
    assert_eq!(hint.unwrap().typed(), "latest first: t, s");

    let seated = |seats| PlayRequest {
        seats,
        ..rebuttals(1)
    };
    let judged = |tools: &[&str], models: &[&str]| {
        let all = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        seated(SeatsRequest {
            judges: JudgesRequest {
                tools: all(tools),
                models: all(models),
                effort: None,
            },
            ..SeatsRequest::default()
        })
    };
    let nowhere = PlayRequest {
        debate: Some("nowhere".to_owned()),
        ..rebuttals(1)
    };
    let raised = PlayRequest {
        bounds: Bounds {
            max_calls: Some(99),
            ..Bounds::default()
        },
        ..rebuttals(1)
    };
    let strict = PlayRequest {
        strict: true,
        ..rebuttals(1)
    };
    let invalid = Code::InvalidParameter;
    for (request, code, parameter) in [
        (nowhere, Code::UnknownDebate, "debate"),
        (
            seated(seats("nobody", "", "")),
            Code::UnknownTool,
            "proposition",
        ),
        (judged(&["codex", "no"], &[]), Code::UnknownTool, "judge-2"),
        (judged(&[], &["a", "b"]), invalid, "model-judge"),
        (judged(&["codex"; 10], &[]), invalid, "judge"),
        (raised, Code::LimitRaised, "max-calls"),
        (strict, Code::MissingParameter, "proposition"),
    ] {
        let (_, found, named, _) = refused(&table, &request).await;
        assert_eq!((found, named.as_str()), (code, parameter), "{request:?}");
    }
    let missing = seated(seats("", "copilot", ""));
    let (kind, code, ..) = refused(&table, &missing).await;
    assert_eq!((kind, code), (FailureKind::Tool, Code::ToolMissing));
    assert_eq!(table.asks_since(0), [] as [&str; 0]);
}

#[tokio::test(flavor = "current_thread")]
async fn a_dry_run_says_what_it_would_do_and_does_nothing() {
    let table = Table::laid().await;
    let before = table.files();
    let request = PlayRequest {
        dry_run: true,
        seats: seats("claude", "codex", "gemini"),
        ..rebuttals(3)
    };
    let mut front = Recorder::default();
    let planned = formal_run::play(&table.place.caller, &request, &mut front).await;
    let Outcome::Planned(planned) = planned.unwrap() else {
        panic!("a dry run plans");
    };
    let plan = serde_json::to_value(planned.document()).unwrap();
    assert_eq!(plan["schema"], "agon.plan/1");
    assert_eq!(
        (&plan["calls"], &plan["caps"]["calls"]),
        (&13.into(), &17.into())
    );
    assert_eq!(plan["seats"]["opposition"]["tool"], "codex");
    assert_eq!(table.files(), before);
    assert_eq!(table.asks_since(0), [] as [&str; 0]);
}

#[tokio::test(flavor = "current_thread")]
async fn a_debater_can_neither_open_nor_run_a_debate() {
    let table = Table::laid().await;
    let mut vars = table.place.caller.vars_os.clone();
    vars.insert("AGON_DEPTH".into(), "1".into());
    let inside = Caller::new(vars, table.place.caller.cwd.clone());
    let mut front = Recorder::default();
    let opened = formal_run::open(&inside, &named("t"), &mut front).await;
    assert_eq!(opened.unwrap_err().code, Code::Depth);
    let played = formal_run::play(&inside, &rebuttals(1), &mut front).await;
    assert_eq!(played.unwrap_err().code, Code::Depth);
}
