//! The graphs of debates that another tool keeps.

use crate::foreign::world::worlds;

#[test]
fn debates_of_another_tool_are_read_as_they_are() {
    for world in worlds() {
        let times = world.times();
        let name = world.name.as_str();
        let run = |args: &[&str]| {
            let said = world.run(&[&["graph", name, "--json"], args].concat());
            assert_eq!(
                (said.code, said.stderr.as_str()),
                (Some(0), ""),
                "{name} {args:?}"
            );
            said.document()
        };
        let strengths = run(&[]);
        let nodes = world.arguments().len() + 2;
        assert_eq!(strengths["nodes"], nodes, "{name}");
        assert_eq!(strengths["status"], "exact");
        let winner = &strengths["lead"]["winner"];
        let set = &strengths["flip"]["sets"][0];
        eprintln!("{name}: {winner} leads, hangs on {set}");
        let set: Vec<&str> = set
            .as_array()
            .unwrap()
            .iter()
            .map(|id| id.as_str().unwrap())
            .collect();
        let struck = run(&["--without", &set.join(",")]);
        assert_eq!(struck["lead"]["before"], *winner, "{name}");
        assert!(struck["lead"]["winner"].is_string() && struck["lead"]["winner"] != *winner);
        for measure in ["removal", "intrinsic", "shapley", "gradient"] {
            let found = run(&["--task", "contributions", "--measure", measure]);
            assert_eq!(
                found["contributions"].as_array().unwrap().len(),
                2,
                "{name} {measure}"
            );
        }
        let preferred = run(&["--semantics", "preferred"]);
        assert_eq!(preferred["complete"], true, "{name}");
        let mermaid = world.run(&["graph", name, "--format", "mermaid"]).stdout;
        assert_eq!(
            mermaid,
            world.run(&["report", name, "--format", "mermaid"]).stdout
        );
        assert!(!mermaid.contains("[\"propos"), "{mermaid}");
        assert_eq!(world.times(), times, "{name}");
    }
}
