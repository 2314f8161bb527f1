//! Graphs in files: read, solved, and rejected with the faulty line.

use agon_caller::{Code, IgnoreNotes};
use agon_debates::read::graph;
use agon_debates::request::{
    FileFormat, Gradual, GraphFormat, GraphRequest, MeasureName, Reading, Semantics, Task,
};
use serde_json::json;

use super::{document, request, screen, solve, solved};
use crate::project::Project;

/// Returns a project with these files; a graph needs no debate.
fn project(files: &[(&str, &str)]) -> Project {
    let project = Project::new();
    for (name, text) in files {
        project.write(name, text);
    }
    project
}

const CHAIN: &str = "p af 3\n1 2\n2 3\n";
const ODD: &str = "p af 3\n1 2\n2 3\n3 1\n";
const MUTUAL: &str =
    "arg(a). arg(b). arg(c). arg(d).\natt(a,b). att(b,a). att(a,c). att(b,c). att(c,d).";
const CLAIM: &str = "arg(claim,0.5). arg(p1,0.7). arg(p2,0.4). arg(c1,0.6). arg(d,0.9). arg(e,0.3).\n\
                     sup(p1,claim). sup(p2,claim). att(c1,claim). att(d,c1). sup(e,p2).";

fn by_sets(file: &str, semantics: Semantics) -> GraphRequest {
    GraphRequest {
        semantics: Some(Reading::Sets(semantics)),
        ..request(file)
    }
}

#[test]
fn sets_are_printed_one_a_line() {
    let project = project(&[("chain.af", CHAIN), ("odd.af", ODD), ("mutual.apx", MUTUAL)]);
    let accepted = GraphRequest {
        task: Some(Task::Acceptance),
        ..by_sets("mutual.apx", Semantics::Preferred)
    };
    let first = |request| GraphRequest {
        limit: 1,
        ..request
    };
    let struck = GraphRequest {
        without: vec!["d".to_owned()],
        ..by_sets("mutual.apx", Semantics::Stable)
    };
    for (request, begins) in [
        (
            request("chain.af"),
            "chain.af · i23 · 3 nodes, 2 edges · grounded\n{1 3}\n1 extension\n",
        ),
        (
            by_sets("odd.af", Semantics::Stable),
            "odd.af · i23 · 3 nodes, 3 edges · stable\nno extensions\n",
        ),
        (
            by_sets("odd.af", Semantics::Grounded),
            "odd.af · i23 · 3 nodes, 3 edges · grounded\n{}\n1 extension\n",
        ),
        (
            accepted,
            "mutual.apx · apx · 4 nodes, 5 edges · preferred\nnode  some  every\na     yes   no\n\
             b     yes   no\nc     no    no\nd     yes   yes\n",
        ),
        (
            first(struck),
            "mutual.apx · apx · 3 nodes, 4 edges · stable · without d\n",
        ),
    ] {
        let printed = screen(&solved(&project.caller, &request).document);
        assert!(printed.starts_with(begins), "{request:?}: {printed}");
    }
    let stable = by_sets("mutual.apx", Semantics::Stable);
    let two = document(&project.caller, &stable);
    let mut sets: Vec<_> = two["extensions"].as_array().unwrap().clone();
    sets.sort_by_key(ToString::to_string);
    assert_eq!(json!(sets), json!([["a", "d"], ["b", "d"]]));
    let one = screen(&solved(&project.caller, &first(stable)).document);
    assert!(
        one.ends_with("first 1 extension, there may be more\n"),
        "{one}"
    );
}

#[test]
fn strengths_and_what_moves_them_are_those_of_the_definitions() {
    let project = project(&[("t3.bag", CLAIM)]);
    let by = |semantics| GraphRequest {
        semantics: Some(Reading::Gradual(semantics)),
        ..request("t3.bag")
    };
    for (semantics, claim) in [
        (Gradual::DfQuad, 0.907),
        (Gradual::QuadraticEnergy, 0.700456223),
        (Gradual::Euler, 0.620476181),
        (Gradual::Mlp, 0.688867974),
    ] {
        let document = document(&project.caller, &by(semantics));
        let found = document["strengths"][0]["strength"].as_f64().unwrap();
        assert!((found - claim).abs() < 1e-9, "{semantics:?}: {found}");
    }
    for (measure, p1, c1) in [
        (MeasureName::Removal, 0.147, -0.030),
        (MeasureName::Intrinsic, 0.147, -0.300),
        (MeasureName::Shapley, 0.259, -0.165),
        (MeasureName::Gradient, 0.210, -0.050),
    ] {
        let request = GraphRequest {
            task: Some(Task::Contributions),
            topic: Some("claim".to_owned()),
            measure: Some(measure),
            ..by(Gradual::DfQuad)
        };
        let document = document(&project.caller, &request);
        let values = document["contributions"][0]["values"].as_array().unwrap();
        for (id, expected) in [("p1", p1), ("c1", c1)] {
            let found = values.iter().find(|it| it["id"] == id).unwrap();
            let found = found["value"].as_f64().unwrap();
            assert!((found - expected).abs() < 6e-4, "{measure:?} {id}: {found}");
        }
    }
    let struck = GraphRequest {
        without: vec!["p1".to_owned()],
        ..by(Gradual::DfQuad)
    };
    let expected = "\
t3.bag · bag · 5 nodes, 4 edges · df-quad · exact · without p1

node   before  after    change
claim  0.907   0.760    -0.147
p1     0.700   removed
4 others unchanged
";
    let struck = solved(&project.caller, &struck);
    assert_eq!(screen(&struck.document), expected);
}

#[test]
fn what_turns_a_comparison_is_found_or_given_up_in_so_many_words() {
    let two = "arg(x,0.5). arg(y,0.5). arg(r,0.6). arg(s,0.6). arg(t,0.5).\n\
               sup(r,x). sup(s,x). sup(t,y).";
    let project = project(&[("two.bag", two)]);
    let flip = GraphRequest {
        task: Some(Task::Flip),
        ..request("two.bag")
    };
    let between = |topic: &str| GraphRequest {
        topic: Some(topic.to_owned()),
        against: Some("y".to_owned()),
        ..flip.clone()
    };
    let found = solved(&project.caller, &between("x"));
    let printed = screen(&found.document);
    let last = "hangs on r, s: without it, y is ahead of x\n";
    assert!(!found.is_given_up && printed.ends_with(last), "{printed}");
    let short = GraphRequest {
        work: 2,
        ..between("x")
    };
    let short = solved(&project.caller, &short);
    let printed = screen(&short.document);
    let none = "found no nodes whose removal puts y ahead of x";
    assert!(short.is_given_up && printed.contains(none), "{printed}");
    let never = solved(&project.caller, &between("t"));
    let document = serde_json::to_value(&never.document).unwrap();
    assert!(!never.is_given_up);
    assert_eq!(document["flip"]["sets"], json!([]));
    let alone = solve(&project.caller, &flip).unwrap_err();
    assert_eq!(alone.parameter.as_deref(), Some("topic"));
}

#[test]
fn a_bad_file_is_refused_with_its_line() {
    let project = project(&[
        ("far.af", "p af 2\n1 2\n1 3\n"),
        ("weight.bag", "arg(a,0.5).\narg(b,1.5).\n"),
        ("unknown.apx", "arg(a).\n\natt(a,b).\n"),
        ("word.tgf", "a\nb\n#\na b maybe\n"),
        ("shape.json", "{\"nodes\": []}"),
        ("broken.json", "{\n\"nodes\": [\n"),
        ("notes.txt", "a\n"),
        ("control.apx", "arg(a).\natt(a,\u{1b}[31mb).\n"),
    ]);
    project.write("bytes.bag", b"arg(a,0.5).\narg(\xff,0.5).\n");
    for (file, code, says) in [
        (
            "far.af",
            Code::NotAGraph,
            "far.af:3: no argument 2 in a graph of 2",
        ),
        (
            "weight.bag",
            Code::NotAGraph,
            "weight.bag:2: a weight is a number from 0 to 1, not 1.5",
        ),
        (
            "unknown.apx",
            Code::NotAGraph,
            "unknown.apx:3: unknown argument \"b\"",
        ),
        (
            "word.tgf",
            Code::NotAGraph,
            "word.tgf:4: expected `att` or `sup`",
        ),
        (
            "shape.json",
            Code::NotAGraph,
            "shape.json:1: expected a list of `edges`",
        ),
        ("broken.json", Code::NotAGraph, "broken.json:3: not JSON"),
        ("bytes.bag", Code::NotAGraph, "bytes.bag:2: not UTF-8"),
        (
            "notes.txt",
            Code::MissingParameter,
            "cannot tell the format of notes.txt from its extension",
        ),
        ("gone.bag", Code::NoFile, "there is no file gone.bag"),
        ("nothing", Code::UnknownDebate, "nothing"),
    ] {
        let failure = solve(&project.caller, &request(file)).unwrap_err();
        assert_eq!(failure.code, code, "{file}: {failure:?}");
        assert!(failure.message.contains(says), "{file}: {failure:?}");
    }
    let shown = solve(&project.caller, &request("control.apx")).unwrap_err();
    assert!(!shown.message.contains('\u{1b}'), "{shown:?}");
}

#[test]
fn a_graph_is_read_from_the_input_when_its_format_is_said() {
    let project = Project::new();
    let request = GraphRequest {
        from: Some(FileFormat::I23),
        ..request("-")
    };
    let mut input = CHAIN.as_bytes();
    let (caller, format) = (&project.caller, GraphFormat::Apx);
    let text = graph::export(caller, &request, format, &mut input, &mut IgnoreNotes);
    let expected = "arg(1).\narg(2).\narg(3).\natt(1,2).\natt(2,3).\n";
    assert_eq!(text.unwrap(), expected);
}
