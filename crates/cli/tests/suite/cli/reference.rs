//! The commands that need no debate: rules, schemas, configuration, completions, manual.

use std::process::Stdio;

use insta::assert_snapshot;

use crate::cli::harness::Agon;

#[test]
fn rules_are_listed_by_family() {
    assert_snapshot!(Agon::new().run(&["rules"]).screen());
}

#[test]
fn every_listed_rule_can_be_explained() {
    let agon = Agon::new();
    let listed = agon.run(&["rules", "--json"]).json();
    let rules = listed["rules"].as_array().unwrap();
    assert!(rules.len() > 10, "{listed}");
    for rule in rules {
        let code = rule["code"].as_str().unwrap();
        let ran = agon.run(&["rules", "explain", code]);
        assert_eq!(ran.code, Some(0), "{code}");
        assert!(ran.stdout.contains(code), "{code}: {}", ran.stdout);
    }
}

#[test]
fn a_rule_is_explained() {
    assert_snapshot!(
        Agon::new()
            .run(&["rules", "explain", "attack-target"])
            .screen()
    );
}

#[test]
fn an_unknown_rule_names_what_may_have_been_meant() {
    let agon = Agon::new();
    let text = agon.run(&["rules", "explain", "atack-target"]).screen();
    let json = agon
        .run(&["rules", "explain", "atack-target", "--json"])
        .screen();
    assert_snapshot!(format!("{text}\n{json}"));
}

#[test]
fn errors_are_listed_and_explained() {
    let agon = Agon::new();
    let listed = agon.run(&["errors", "--json"]).json();
    let errors = listed["errors"].as_array().unwrap();
    assert!(errors.len() > 100, "{listed}");
    let list = agon.run(&["errors"]);
    for error in errors {
        let line = format!("  {} ", error["code"].as_str().unwrap());
        assert!(list.stdout.contains(&line), "{line}: {}", list.stdout);
    }
    let page = agon.run(&["errors", "unknown_rule"]).screen();
    let unknown = agon.run(&["errors", "unknown_rul"]).screen();
    let as_json = agon.run(&["errors", "unknown_rule", "--json"]).screen();
    assert_snapshot!([page, unknown, as_json].join("\n"));
}

#[test]
fn schemas_are_listed_and_printed() {
    let agon = Agon::new();
    assert_snapshot!(agon.run(&["schema"]).screen());
    let listed = agon.run(&["schema", "--json"]).json();
    for document in listed["documents"].as_array().unwrap() {
        let name = document["name"].as_str().unwrap();
        let schema = agon.run(&["schema", name]).json();
        assert_eq!(schema["$id"], document["id"], "{name}");
        assert_eq!(
            schema["$schema"], "https://json-schema.org/draft/2020-12/schema",
            "{name}"
        );
    }
}

#[test]
fn an_unknown_schema_names_what_may_have_been_meant() {
    let agon = Agon::new();
    let text = agon.run(&["schema", "chalenge"]).screen();
    let json = agon.run(&["schema", "sonnet", "--json"]).screen();
    assert_snapshot!(format!("{text}\n{json}"));
}

#[test]
fn the_configuration_names_its_sources_and_keeps_secrets() {
    let agon = Agon::new().env("AGON_EFFORT", "high");
    agon.configure(
        "judge = \"gemini\"\nmax_cost = 2.5\n\n[tools.codex.child]\nallow = [\"CODEX_HOME\"]\n\n\
         [tools.codex.env]\nMY_API_KEY = \"hunter2\"\n",
    );
    agon.write("agon.toml", "rounds = 3\n");
    let text = agon
        .run(&[
            "config",
            "show",
            "config",
            "--sources",
            "--debates-dir",
            "d",
        ])
        .screen();
    assert!(!text.contains("hunter2"), "{text}");
    assert_snapshot!(text);
}

#[test]
fn the_configuration_is_a_document_too() {
    let agon = Agon::new();
    let shown = agon.run(&["config", "show", "--json"]).json();
    assert_eq!(shown["schema"], "agon.config/1");
    let settings = shown["settings"].as_array().unwrap();
    assert!(
        settings.contains(&serde_json::json!({"key": "rounds", "value": "2"})),
        "{shown}"
    );
}

#[test]
fn a_project_that_names_a_program_is_refused() {
    let agon = Agon::new();
    agon.write("agon.toml", "[tools.claude]\nprogram = \"./evil\"\n");
    let text = agon.run(&["config", "show"]).screen();
    let json = agon.run(&["config", "show", "--json"]).screen();
    assert_snapshot!(format!("{text}\n{json}"));
}

#[test]
fn the_manual_has_every_command_with_its_flags() {
    let page = Agon::new().run(&["man"]).stdout;
    assert!(page.contains(".TH agon 1"), "{page}");
    for heading in [
        "DEBATE",
        "RESUME",
        "CHECK",
        "RULES EXPLAIN",
        "CONFIG SHOW",
        "COMPLETIONS",
    ] {
        assert!(
            page.contains(&format!(".SH \"AGON {heading}\"\n")),
            "{heading}\n{page}"
        );
    }
    assert!(page.contains("max\\-tokens"), "{page}");
    let flag = ".TP\n\\fB\\-\\-debates\\-dir\\fR";
    assert_eq!(page.matches(flag).count(), 1, "global flags once\n{page}");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let agon = Agon::new();
    let mut child = agon
        .command(&["completions", "bash"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn a_full_disk_is_told() {
    let agon = Agon::new();
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = agon.command(&["schema", "verdict"]);
    let output = command.stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(6));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.starts_with("error: cannot write to stdout: No space left"),
        "{stderr}"
    );
}

#[test]
fn a_missing_topic_is_a_failure_that_programs_can_read() {
    let agon = Agon::new();
    let text = agon.run(&["debate"]).screen();
    let json = agon.run(&["debate", "--json"]).screen();
    assert_snapshot!([text, json].join("\n"));
}
