//! The graph of a debate: who leads, what the lead depends on, and the effect of striking points.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use agon_caller::{Caller, Code, IgnoreNotes};
use agon_debates::read::show;
use agon_debates::report::{self, Report, ReportRequest};
use agon_debates::request::{
    BaseWeights, FileFormat, Gradual, GraphFormat, GraphRequest, MeasureName, Reading, Semantics,
    Task,
};
use agon_report::ReportKind;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{document, request, screen, solve, solved, written};
use crate::ops::world::World;
use crate::project::Project;

fn job_store() -> GraphRequest {
    request("job-store")
}

fn without(ids: &[&str]) -> GraphRequest {
    GraphRequest {
        without: ids.iter().map(|&id| id.to_owned()).collect(),
        ..job_store()
    }
}

fn read(path: &std::path::Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn strength(document: &Value, id: &str) -> Option<f64> {
    let rows = document["strengths"].as_array().unwrap();
    rows.iter().find(|row| row["id"] == id).unwrap()["strength"].as_f64()
}

#[test]
fn what_a_closed_duel_hangs_on_turns_its_graph_when_it_is_struck_and_no_part_of_it_does() {
    let project = Project::finished();
    let caller = &project.caller;
    let shown = show::show(caller, None, &mut IgnoreNotes).unwrap();
    let shown = serde_json::to_value(shown.ended.document()).unwrap();
    let verdict = read(&project.folder().join("verdict.json"));
    assert_eq!(shown["hangs_on"], verdict["decisive"]);
    assert_eq!(shown["graph_hangs_on"], verdict["graph_hangs_on"]);
    assert_eq!(shown["winner"], "proposer");
    let reading = &verdict["readings"]["graph"];
    assert_eq!(reading["winner"], verdict["winner"]);
    let hangs_on = ["pro_001a", "pro_001b"];
    assert_eq!(verdict["graph_hangs_on"], json!(hangs_on));

    let whole = document(caller, &job_store());
    assert_eq!(whole["lead"]["winner"], "proposer");
    assert_eq!(whole["flip"]["sets"], json!([hangs_on]));
    for seat in ["proposer", "challenger"] {
        let found = strength(&whole, &format!("position.{seat}")).unwrap();
        assert!((found - reading["strengths"][seat].as_f64().unwrap()).abs() < 1e-6);
    }
    let struck = document(caller, &without(&hangs_on));
    let expected = json!({ "winner": "challenger", "before": "proposer", "equal": "challenger" });
    assert_eq!(struck["lead"], expected);
    assert_eq!(struck["without"], json!(hangs_on));
    assert_eq!(strength(&struck, "pro_001a"), None);
    for id in hangs_on {
        let less = document(caller, &without(&[id]));
        assert_eq!(less["lead"]["winner"], "proposer", "{id}");
    }
    let told = screen(&solved(caller, &without(&hangs_on)).document);
    let line = "the challenger leads, 0.600 to 0.540; previously: the proposer leads";
    assert!(told.contains(line), "{told}");
    let md = fs::read_to_string(project.folder().join("verdict.md")).unwrap();
    let line = "and the challenger (Plain files) is ahead.";
    assert!(md.contains(line), "{md}");
}

#[test]
fn a_written_graph_is_read_back_as_the_same_graph() {
    let project = Project::finished();
    let caller = &project.caller;
    let strengths = |document: &Value| -> BTreeMap<String, f64> {
        let rows = document["strengths"].as_array().unwrap().iter();
        let row = |row: &Value| {
            let id = row["id"].as_str().unwrap().to_owned();
            (id, row["strength"].as_f64().unwrap())
        };
        rows.map(row).collect()
    };
    let whole = document(caller, &job_store());
    for (format, read_as, file) in [
        (GraphFormat::Bag, FileFormat::Bag, "written.bag"),
        (GraphFormat::Tgf, FileFormat::Tgf, "written.tgf"),
        (GraphFormat::Aif, FileFormat::Aif, "written.json"),
    ] {
        project.write(file, written(caller, &job_store(), format));
        let read = document(caller, &request(file));
        assert_eq!(strengths(&read), strengths(&whole), "{format:?}");
        assert_eq!(
            (&read["graph"], &read["format"]),
            (&json!(file), &json!(read_as.name()))
        );
    }
    for (format, file) in [
        (GraphFormat::I23, "written.af"),
        (GraphFormat::Apx, "written.apx"),
    ] {
        project.write(file, written(caller, &job_store(), format));
        let accepted = |graph: &str| -> Vec<Value> {
            let request = GraphRequest {
                task: Some(Task::Acceptance),
                semantics: Some(Reading::Sets(Semantics::Preferred)),
                ..request(graph)
            };
            let document = document(caller, &request);
            let rows = document["acceptance"].as_array().unwrap().iter();
            rows.map(|row| json!([row["some"], row["every"]])).collect()
        };
        assert_eq!(accepted("job-store"), accepted(file), "{format:?}");
    }
}

/// Returns the report of this kind as text.
async fn report(caller: &Caller, kind: &str) -> String {
    let request = ReportRequest {
        kind: ReportKind::find(kind),
        ..ReportRequest::default()
    };
    assert!(request.kind.is_some(), "{kind}");
    let stop = CancellationToken::new;
    let rendered = report::report(caller, &request, &stop, &mut IgnoreNotes).await;
    match rendered.unwrap().report {
        Report::Text(text) => text,
        other => panic!("{kind}: {other:?}"),
    }
}

#[tokio::test]
async fn a_duel_has_pictures_too() {
    let project = Project::finished();
    let caller = &project.caller;
    let mermaid = report(caller, "mermaid").await;
    assert_eq!(mermaid, written(caller, &job_store(), GraphFormat::Mermaid));
    assert!(
        mermaid.contains("pro_001a") && mermaid.contains("unsupported"),
        "{mermaid}"
    );
    let dot = report(caller, "dot").await;
    assert_eq!(dot, written(caller, &job_store(), GraphFormat::Dot));
    assert!(
        dot.starts_with("digraph {\n") && dot.contains("label=\"pro_001a\\n"),
        "{dot}"
    );
    assert!(report(caller, "svg").await.starts_with("<svg"));
    let struck = written(caller, &without(&["pro_001a"]), GraphFormat::Mermaid);
    assert!(!struck.contains("pro_001a"), "{struck}");
}

#[test]
fn contributions_of_a_duel_are_to_both_positions_and_add_up() {
    let project = Project::finished();
    let caller = &project.caller;
    let shares = GraphRequest {
        task: Some(Task::Contributions),
        measure: Some(MeasureName::Shapley),
        ..job_store()
    };
    let shares = document(caller, &shares);
    let lists = shares["contributions"].as_array().unwrap();
    let topics: Vec<_> = lists.iter().map(|list| &list["topic"]).collect();
    assert_eq!(topics, ["position.proposer", "position.challenger"]);
    let strengths = document(caller, &job_store());
    for list in lists {
        let values = list["values"].as_array().unwrap().iter();
        let sum: f64 = values.map(|value| value["value"].as_f64().unwrap()).sum();
        let strength = strength(&strengths, list["topic"].as_str().unwrap()).unwrap();
        assert!((sum - (strength - 0.5)).abs() < 1e-9, "{list}");
    }
    let one = GraphRequest {
        topic: Some("pro_001a".to_owned()),
        ..job_store()
    };
    let one = document(caller, &one);
    assert_eq!(one["task"], "contributions");
    let first = &one["contributions"][0];
    assert_eq!(
        (&first["topic"], &first["measure"]),
        (&json!("pro_001a"), &json!("removal"))
    );
}

#[test]
fn a_formal_debate_starts_from_its_scores() {
    let world = World::before(2);
    let scored = document(world.caller(), &request("d"));
    let equal = GraphRequest {
        base: BaseWeights::All(0.5),
        ..request("d")
    };
    let equal = document(world.caller(), &equal);
    let bases = |document: &Value| -> Vec<f64> {
        let rows = document["strengths"].as_array().unwrap().iter();
        rows.map(|row| row["base"].as_f64().unwrap()).collect()
    };
    assert_eq!(bases(&equal), [0.5; 10]);
    let scores = read(&world.folder().join("scores.json"));
    for row in &scored["strengths"].as_array().unwrap()[2..] {
        let score = &scores[row["id"].as_str().unwrap()]["current_score"];
        let base = row["base"].as_f64().unwrap();
        let expected = (1.0 + score.as_f64().unwrap()) / 2.0;
        assert!((base - expected).abs() < 1e-9, "{row}");
    }
    let verdict = read(&world.folder().join("verdict.json"));
    let reading = &verdict["readings"]["graph"];
    assert_eq!(reading["winner"], scored["lead"]["winner"]);
    assert_eq!(reading["equal"]["winner"], equal["lead"]["winner"]);
    let flips = GraphRequest {
        task: Some(Task::Flip),
        ..request("d")
    };
    let flips = document(world.caller(), &flips);
    assert_ne!(verdict["graph_hangs_on"], json!([]));
    assert_eq!(flips["flip"]["sets"][0], verdict["graph_hangs_on"]);
}

#[test]
fn a_node_that_is_not_there_is_not_struck_but_the_nearest_are_named() {
    let project = Project::finished();
    let topic = GraphRequest {
        topic: Some("pro_1a".to_owned()),
        ..job_store()
    };
    let read_as = |task, reading| GraphRequest {
        task: Some(task),
        semantics: Some(reading),
        ..job_store()
    };
    for (request, code, says) in [
        (
            without(&["pro_001x"]),
            Code::UnknownNode,
            "did you mean pro_001",
        ),
        (topic, Code::UnknownNode, "did you mean pro_001a"),
        (
            without(&["position.proposer"]),
            Code::Position,
            "strike the points",
        ),
        (
            read_as(Task::Flip, Reading::Sets(Semantics::Grounded)),
            Code::Semantics,
            "by strength",
        ),
        (
            read_as(Task::Acceptance, Reading::Gradual(Gradual::Mlp)),
            Code::Semantics,
            "by sets",
        ),
    ] {
        let failure = solve(&project.caller, &request).unwrap_err();
        assert_eq!(failure.code, code, "{request:?}");
        assert!(
            failure.hint.as_ref().unwrap().typed().contains(says),
            "{failure:?}"
        );
    }
}

#[test]
fn a_folder_is_read_and_not_written_to() {
    let project = Project::finished();
    let folder = project.folder();
    let times = || -> BTreeMap<_, _> {
        let entries = fs::read_dir(&folder).unwrap().flatten();
        entries
            .map(|entry| (entry.path(), entry.metadata().unwrap().modified().unwrap()))
            .collect()
    };
    let before = times();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    let solved = solve(&project.caller, &job_store());
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(solved.is_ok(), "{solved:?}");
    assert_eq!(times(), before);
}
