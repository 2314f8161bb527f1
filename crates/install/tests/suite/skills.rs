//! Skills: imported from others, chosen for a request, checked.

use std::fs;

use agon_caller::{Caller, Code};
use agon_hosts::lint::Finding;
use agon_install::hosts::lint as lint_files;
use agon_install::skills::{
    GivenSkillDoc, ImportRequest, MatchRequest, choose, import, lint, show,
};
use agon_testkit::add;
use serde_json::json;

use crate::place::Place;

/// A project with skills of others in `theirs`: one whose budget is too small, a broken one, and a
/// folder without a manifest.
fn place() -> Place {
    let place = Place::new();
    let project = &place.caller.cwd;
    let entry = "---\nname: design-first\nversion: 5.1.0\n---\n\n# Design first\n\nDraw it.\n";
    for (name, version) in [("design-first", "1.0.0"), ("broken", "one")] {
        let manifest = json!({
            "name": name,
            "version": version,
            "description": "Design before you build",
            "triggers": ["design", "plan"],
            "applicable_agents": ["planner", "worker"],
            "max_context_tokens": 20,
            "entry_file": "SKILL.md",
        });
        let below = |file: &str| format!("theirs/{name}/{file}");
        add(project, &below("manifest.json"), &manifest.to_string());
        add(project, &below("SKILL.md"), entry);
    }
    add(project, "theirs/notes/README.md", "Nothing.\n");
    place
}

/// The skills in this folder, to be put into `skills`.
fn from(folder: &str) -> ImportRequest {
    ImportRequest {
        from: folder.into(),
        to: "skills".into(),
        ..ImportRequest::default()
    }
}

#[test]
fn what_is_imported_is_a_document_and_what_is_there_stays() {
    let place = place();
    let written = place.caller.cwd.join("skills/design-first/SKILL.md");
    let planned = ImportRequest {
        is_dry_run: true,
        ..from("theirs")
    };
    let planned = import(&place.caller, &planned).unwrap();
    assert!(planned.dry_run && !written.exists());
    let imported = import(&place.caller, &from("theirs/design-first")).unwrap();
    assert!(!imported.is_partial());
    let skill = &imported.skills[0];
    assert_eq!(skill.action, "add");
    assert!(skill.max_context_tokens >= skill.tokens, "{skill:?}");
    fs::write(&written, "mine").unwrap();
    let again = import(&place.caller, &from("theirs/design-first")).unwrap();
    assert!(again.is_partial());
    assert_eq!(again.skills[0].action, "keep");
    assert_eq!(fs::read_to_string(&written).unwrap(), "mine");
    let theirs = [place.caller.cwd.join("theirs/design-first")];
    let linted = lint_files(&place.caller, &theirs, None).unwrap();
    assert!(!linted.findings.is_empty(), "our check takes no other form");
}

#[test]
fn a_folder_without_skills_is_refused_and_a_debater_imports_nothing() {
    let place = place();
    let refused = |caller: &Caller, folder| import(caller, &from(folder)).unwrap_err().code;
    assert_eq!(refused(&place.caller, "nosuch"), Code::Unreadable);
    fs::create_dir(place.caller.cwd.join("empty")).unwrap();
    assert_eq!(refused(&place.caller, "empty"), Code::NoSkills);
    let mut vars = place.caller.vars_os.clone();
    vars.insert("AGON_DEPTH".into(), "1".into());
    let inside = Caller::new(vars, place.caller.cwd.as_path());
    assert_eq!(refused(&inside, "theirs"), Code::Depth);
}

#[test]
fn a_skill_is_shown_by_each_of_its_names_without_front_matter() {
    let place = Place::new();
    let shown = |name| show(&place.caller, name, &[]).unwrap();
    let own = shown("context-engineering");
    assert_eq!(own, shown("cek-context-engineering"));
    assert!(own.text.starts_with("# "), "{}", own.text);
}

fn wanted(request: &str) -> MatchRequest {
    MatchRequest {
        request: request.to_owned(),
        ..MatchRequest::default()
    }
}

/// A skill that bakes, which names itself `name`.
fn baking(name: &str, description: &str, body: &str) -> String {
    format!("---\nname: \"{name}\"\ndescription: \"{description}.\"\n---\n\n{body}\n")
}

#[test]
fn skills_of_a_folder_are_chosen_too_and_broken_ones_are_named() {
    let place = Place::new();
    let project = &place.caller.cwd;
    for (folder, name) in [
        ("sourdough", "sourdough"),
        ("cake", "tart"),
        ("debate", "debate"),
    ] {
        let text = baking(name, "Bake sourdough bread", &"Feed it. ".repeat(90));
        add(project, &format!("mine/{folder}/SKILL.md"), &text);
    }
    let given = |request: &MatchRequest| -> Vec<GivenSkillDoc> {
        choose(&place.caller, request).unwrap().given
    };
    let bake = MatchRequest {
        from: vec!["mine".into()],
        ..wanted("bake sourdough bread")
    };
    let first = &given(&bake)[0];
    assert_eq!(first.name, "sourdough");
    assert!(first.text.contains("Feed it."), "{}", first.text);
    let findings = choose(&place.caller, &bake).unwrap().findings;
    let place_of = |finding: &Finding| (finding.path.clone(), finding.code);
    let found: Vec<_> = findings.iter().map(place_of).collect();
    let named = ["mine/cake/SKILL.md", "mine/debate/SKILL.md"];
    assert_eq!(found, named.map(|path| (path.to_owned(), "name")));
    let bounded = MatchRequest {
        budget: Some(150),
        ..bake
    };
    let pointer = &given(&bounded)[0].text;
    let path = project.join("mine/sourdough/SKILL.md");
    let read = format!("read {}\n", path.display());
    assert!(pointer.ends_with(&read), "{pointer}");
    assert!(given(&wanted("bake sourdough bread")).is_empty());
}

#[test]
fn skills_that_take_more_together_than_a_host_lists_are_a_fault() {
    let place = Place::new();
    assert!(!lint(&place.caller, None).unwrap().has_faults());
    for number in 0..12 {
        let name = format!("s{number}");
        let words = "bake sourdough bread slowly ".repeat(36);
        let text = baking(&name, &words, "Feed it.");
        let path = format!("mine/{name}/SKILL.md");
        add(&place.caller.cwd, &path, &text);
    }
    let mine = place.caller.cwd.join("mine");
    let linted = lint(&place.caller, Some(&mine)).unwrap();
    assert!(linted.has_faults());
    assert_eq!(linted.findings, []);
    let over: Vec<_> = linted
        .listings
        .iter()
        .map(|it| it.tokens > it.limit)
        .collect();
    assert_eq!(over[..2], [true, false], "{linted:?}");
}
