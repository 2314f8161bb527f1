//! The tool `gate`, as a host's model calls it.

use serde_json::json;

use super::Repository;

#[test]
fn a_model_runs_a_gate_and_is_shown_where_it_stands() {
    let team = Repository::with_team();
    let add = [
        "gate",
        "add",
        "greets",
        "--",
        "sh",
        "-c",
        "echo seen; grep -q Hello greet.sh",
    ];
    team.json("lea", &add);
    team.json("lea", &["task", "add", "Greet by name", "--gate", "greets"]);
    let mut client = team.serve("ada");
    let run = json!({"op": "run", "gate": "greets", "task": "t1"});
    let ran = client.document("gate", run.clone());
    assert_eq!(
        [
            &ran["schema"],
            &ran["passed"],
            &ran["outcome"],
            &ran["output_tail"]
        ],
        [
            &json!("agon.team_gate_run/1"),
            &json!(true),
            &json!("exit 0"),
            &json!("seen")
        ]
    );
    let shown = client.document("gate", json!({"op": "show", "task": "t1"}));
    assert_eq!(shown["gates"][0]["standing"]["standing"], "passed");
    std::fs::write(team.tree("ada").join("greet.sh"), "echo Bye\n").unwrap();
    let shown = client.document("gate", json!({"op": "show", "task": "t1"}));
    assert_eq!(shown["gates"][0]["standing"]["standing"], "stale");
    assert_eq!(client.document("gate", run)["outcome"], "exit 1");
    for (arguments, code) in [
        (json!({"op": "run", "task": "t1"}), "missing_parameter"),
        (
            json!({"op": "run", "gate": "none", "task": "t1"}),
            "no_gate",
        ),
        (json!({"op": "add", "gate": "x"}), "invalid_parameter"),
    ] {
        assert_eq!(client.error("gate", arguments)["code"], code);
    }
}
