//! Written graphs are read back unchanged, and errors name their line.

use agon_argue::format::{GraphWithNames, ReadCause, aif, apx, bag, dot, i23, mermaid, tgf};
use agon_argue::{Af, ArgId, Edge, GraphError, Qbaf};
use proptest::prelude::*;

use crate::common::any_parts;

fn names(n: usize) -> Vec<String> {
    (0..n).map(|at| format!("n-{at}.é")).collect()
}

/// Fractions that every number parser reads exactly.
fn coarse(weight: f64) -> f64 {
    (weight * 64.0).round() / 64.0
}

/// A text made of pieces with a meaning in some format.
fn any_text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "p af 3",
        "p",
        "af",
        "1",
        "2",
        "0",
        "4294967296",
        "99999999999",
        "\n",
        "\n",
        " ",
        "\t",
        "\r\n",
        "#",
        "%",
        "arg(",
        "att(",
        "sup(",
        ")",
        ").",
        ".",
        ",",
        "a",
        "b",
        "0.5",
        "1e999",
        "NaN",
        "-1",
        "é",
        "\u{0}",
        "{",
        "}",
        "[",
        "]",
        "\"nodes\"",
        "\"edges\"",
        ":",
        "\"nodeID\":\"1\"",
        "\"text\":\"t\"",
        "\"type\":\"RA\"",
        "\"type\":\"I\"",
        "\"fromID\":\"1\"",
        "\"toID\":1",
        "\"edgeID\":\"1\"",
        "null",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_text_makes_a_reader_panic(text in prop_oneof![any_text(), any::<String>()]) {
        let lines = text.lines().count().max(1) + 1;
        for error in [
            i23::read(&text).err(),
            apx::read(&text).err(),
            bag::read(&text).err(),
            tgf::read(&text).err(),
            aif::read(&text).err(),
        ].into_iter().flatten() {
            prop_assert!((1..=lines).contains(&error.line), "{error} of {lines}");
        }
        if let Ok(aif) = aif::read(&text) {
            _ = aif.to_graph();
        }
    }

    #[test]
    fn no_bytes_make_the_fastest_reader_panic(bytes in any::<Vec<u8>>()) {
        _ = i23::read(&bytes);
        _ = i23::read([b"p af 9\n".as_slice(), &bytes].concat());
    }
}

proptest! {
    #[test]
    fn attacks_are_read_as_they_were_written((base, edges) in any_parts(9)) {
        let attacks: Vec<(u32, u32)> = edges.iter().map(|it| (it.from.0, it.to.0)).collect();
        let graph = Af::new(base.len(), &attacks).unwrap();
        prop_assert_eq!(&i23::read(i23::write(&graph)).unwrap(), &graph);
        let named = GraphWithNames { names: names(graph.len()), graph };
        prop_assert_eq!(apx::read(&apx::write(&named).unwrap()).unwrap(), named);
    }

    #[test]
    fn weighted_graphs_are_read_as_they_were_written((base, edges) in any_parts(9)) {
        let graph = Qbaf::new(base, &edges).unwrap();
        let named = GraphWithNames { names: names(graph.len()), graph };
        prop_assert_eq!(&bag::read(&bag::write(&named).unwrap()).unwrap(), &named);
        let graph = named.graph.with_base_weights(vec![0.5; named.names.len()]).unwrap();
        let plain = GraphWithNames { graph, ..named };
        prop_assert_eq!(tgf::read(&tgf::write(&plain).unwrap()).unwrap(), plain);
    }

    #[test]
    fn interchange_files_are_read_as_they_were_written((base, edges) in any_parts(9), taken in any::<bool>()) {
        let edges: Vec<Edge> = edges.into_iter().map(|it| it.with_weight(coarse(it.weight))).collect();
        let graph = Qbaf::new(base.into_iter().map(coarse).collect(), &edges).unwrap();
        let mut named = GraphWithNames { names: names(graph.len()), graph };
        if taken {
            named.names[0] = "s1".into();
        }
        let file = aif::Aif::from_graph(&named);
        let again = aif::read(&aif::write(&file)).unwrap();
        prop_assert_eq!(&again, &file);
        prop_assert_eq!(again.to_graph().unwrap(), named);
    }

    #[test]
    fn no_name_breaks_out_of_a_drawing(name in any::<String>()) {
        let graph = Qbaf::new(vec![0.5], &[Edge::attack(ArgId(0), ArgId(0))]).unwrap();
        let named = GraphWithNames { graph, names: vec![name] };
        let chart = mermaid::write(&named);
        prop_assert_eq!(chart.lines().count(), 3);
        // The remaining quotes and bars come from the format itself.
        let marks = |mark: char| chart.matches(mark).count();
        prop_assert_eq!([marks('"'), marks('|'), marks('['), marks('<')], [2, 0, 1, 0]);
        let digraph = dot::write(&named);
        prop_assert_eq!(digraph.lines().count(), 6);
        let unescaped = digraph.replace("\\\\", "").replace("\\\"", "");
        prop_assert_eq!(unescaped.matches('"').count() % 2, 0);
    }
}

#[test]
fn errors_name_the_line_and_what_is_wrong() {
    let said = [
        i23::read("").unwrap_err().to_string(),
        i23::read("# no header\n1 2\n").unwrap_err().to_string(),
        i23::read("p af 2\n1 2\n\n# three?\n1 3\n")
            .unwrap_err()
            .to_string(),
        i23::read("p af 2\n0 1\n").unwrap_err().to_string(),
        i23::read("p af 2\n1\n").unwrap_err().to_string(),
        i23::read("p af 2\n1 2 3\n").unwrap_err().to_string(),
        i23::read("p af 4000000000\n").unwrap_err().to_string(),
        apx::read("arg(a).\narg(a).").unwrap_err().to_string(),
        apx::read("arg(a).\natt(a,b).").unwrap_err().to_string(),
        apx::read("arg(a).\n\nsup(a,a).").unwrap_err().to_string(),
        apx::read("arg(a).\natt(a,").unwrap_err().to_string(),
        bag::read("arg(a,.5).\narg(b).").unwrap_err().to_string(),
        bag::read("arg(a,high).").unwrap_err().to_string(),
        bag::read("arg(a,.5).\natt(a,a,2).")
            .unwrap_err()
            .to_string(),
        tgf::read("1\n2\n#\n1 2\n1 3\n").unwrap_err().to_string(),
        tgf::read("1\n1\n").unwrap_err().to_string(),
        tgf::read("1\n#\n1 1 undercuts\n").unwrap_err().to_string(),
        aif::read("{\n\"nodes\": [\n}").unwrap_err().to_string(),
        aif::read("{\"nodes\": []}").unwrap_err().to_string(),
    ];
    let expected = [
        "line 1: expected `p af N`, with N the number of arguments",
        "line 2: expected `p af N`, with N the number of arguments",
        "line 5: no argument 2 in a graph of 2",
        "line 2: expected a number from 1",
        "line 2: expected two numbers of arguments",
        "line 2: expected the end of the line",
        "line 1: a graph has at most 16777216 arguments and 4294967295 edges",
        "line 2: argument \"a\" is declared twice",
        "line 2: unknown argument \"b\"",
        "line 3: expected `arg(a)` or `att(a,b)`",
        "line 2: expected a statement such as `att(a,b).`",
        "line 2: expected `arg(a,0.5)`, `att(a,b)` or `sup(a,b)`",
        "line 1: expected a number from 0 to 1",
        "line 2: a weight is a number from 0 to 1, not 2",
        "line 5: unknown argument \"3\"",
        "line 2: argument \"1\" is declared twice",
        "line 3: expected `att` or `sup`",
        "line 3: not JSON: expected value",
        "line 1: expected a list of `edges`",
    ];
    assert_eq!(said, expected);
}

#[test]
fn names_that_a_format_cannot_write_are_refused() {
    let graph = Af::new(1, &[]).unwrap();
    for name in ["a b", "a)", "a,b", "", "#a", "a%"] {
        let names = vec![name.to_owned()];
        let named = GraphWithNames {
            graph: graph.clone(),
            names,
        };
        assert_eq!(apx::write(&named).unwrap_err().name, name);
    }
}

const UNDERCUT: &str = r#"{
  "nodes": [
    {"nodeID": "1", "text": "use files", "type": "I", "timestamp": "2012-01-10 14:35:50"},
    {"nodeID": "2", "text": "they are simple", "type": "I", "x-weight": 0.75},
    {"nodeID": "3", "text": "Default Inference", "type": "RA"},
    {"nodeID": "4", "text": "simple is not fast", "type": "I", "x-mine": {"score": 1}},
    {"nodeID": "5", "text": "Default Conflict", "type": "CA"},
    {"nodeID": "6", "text": "Ann: they are simple", "type": "L"},
    {"nodeID": "7", "text": "Asserting", "type": "YA"}
  ],
  "edges": [
    {"edgeID": "1", "fromID": "2", "toID": "3", "formEdgeID": null},
    {"edgeID": "2", "fromID": "3", "toID": "1"},
    {"edgeID": "3", "fromID": "4", "toID": "5"},
    {"edgeID": "4", "fromID": "5", "toID": "3"},
    {"edgeID": "5", "fromID": "6", "toID": "7"},
    {"edgeID": "6", "fromID": "7", "toID": "2"}
  ],
  "locutions": [{"nodeID": "6", "personID": 1}]
}"#;

#[test]
fn an_undercut_attacks_the_inference() {
    let read = aif::read(UNDERCUT).unwrap().to_graph().unwrap();
    assert_eq!(read.names, ["1", "2", "3", "4"]);
    assert_eq!(read.graph.base_weights(), [0.5, 0.75, 0.5, 0.5]);
    let edges: Vec<Edge> = read.graph.edges().collect();
    assert_eq!(
        edges,
        [
            Edge::support(ArgId(2), ArgId(0)),
            Edge::attack(ArgId(3), ArgId(2)),
            Edge::support(ArgId(1), ArgId(2)),
        ]
    );
}

#[test]
fn unknown_keys_of_an_interchange_file_survive() {
    let file = aif::read(UNDERCUT).unwrap();
    let written = aif::write(&file);
    for kept in [
        "2012-01-10",
        "x-mine",
        "formEdgeID",
        "locutions",
        "personID",
        "\"L\"",
        "\"YA\"",
    ] {
        assert!(written.contains(kept), "{kept}");
    }
    assert_eq!(aif::read(&written).unwrap(), file);
}

#[test]
fn an_interchange_file_that_names_no_node_is_refused_where_it_does() {
    let broken = UNDERCUT.replace("\"fromID\": \"4\"", "\"fromID\": \"nine\"");
    let error = aif::read(&broken).unwrap_err();
    let name = "nine".to_owned();
    assert_eq!((error.line, error.cause), (14, ReadCause::Unknown { name }));
    let broken = UNDERCUT.replace("\"nodeID\": \"4\"", "\"nodeID\": \"2\"");
    let error = aif::read(&broken).unwrap_err();
    let name = "2".to_owned();
    assert_eq!((error.line, error.cause), (6, ReadCause::Repeated { name }));
    let heavy = aif::read(&UNDERCUT.replace("0.75", "7.5")).unwrap();
    assert_eq!(heavy.to_graph(), Err(GraphError::Weight { found: 7.5 }));
}

#[test]
fn a_witness_counts_from_one() {
    assert_eq!(i23::write_witness(&[ArgId(0), ArgId(2)]), "w 1 3");
}

#[test]
fn a_file_of_xaif_is_read_as_the_graph_in_it() {
    let graph = r#""nodes": [{"nodeID": 1, "text": "use files", "type": "I"},
        {"nodeID": "2", "text": "they are slow", "type": "I"},
        {"nodeID": "3", "text": "Default Conflict", "type": "CA"}],
        "edges": [{"edgeID": 1, "fromID": "2", "toID": "3"}, {"edgeID": 2, "fromID": "3", "toID": 1}],
        "locutions": []"#;
    let plain = aif::read(&format!("{{{graph}}}")).unwrap();
    for around in [
        format!("{{\"AIF\": {{{graph}}}}}"),
        format!("{{\"AIF\": {{{graph}}}, \"OVA\": [], \"text\": \"t\", \"dialog\": true}}"),
        format!("{{\"text\": {{\"nodes\": 1}}, \"AIF\": {{{graph}}}}}"),
    ] {
        let read = aif::read(&around).unwrap();
        assert_eq!((&read.nodes, &read.edges), (&plain.nodes, &plain.edges));
        assert_eq!(read.to_graph().unwrap(), plain.to_graph().unwrap());
        assert!(read.extra.contains_key("locutions") && !read.extra.contains_key("AIF"));
    }
    // Of two keys with the same name, the graph's own is kept.
    let twice = format!("{{\"locutions\": [1], \"AIF\": {{{graph}}}}}");
    assert_eq!(
        aif::read(&twice).unwrap().extra["locutions"],
        serde_json::json!([])
    );
    // Nodes at the top level are the graph, even if another key is called `AIF`.
    let both = aif::read(&format!("{{{graph}, \"AIF\": {{\"nodes\": 1}}}}")).unwrap();
    assert_eq!(both.nodes, plain.nodes);
    for none in [
        "{\"AIF\": 1}",
        "{\"AIF\": {\"nodes\": []}}",
        "{\"AIF\": {}}",
    ] {
        assert!(aif::read(none).is_err(), "{none}");
    }
}
