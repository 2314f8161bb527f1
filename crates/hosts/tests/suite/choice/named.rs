//! Every skill is found by its name and by each of its phrases; the tables come from the content.

use agon_hosts::choice::{ChoiceRequest, GivenSkill, SkillSet};
use agon_hosts::content::Skill;
use agon_selection::{Asker, PortionForm};

use super::measure::{BUDGET, skills};

/// What `request` gets, the best first.
fn given(set: &SkillSet, request: &str) -> Vec<GivenSkill> {
    let choice = set.choose(&ChoiceRequest {
        request,
        asker: Asker::default(),
        pinned: &[],
        budget: BUDGET,
    });
    choice.given
}

fn names(skills: impl IntoIterator<Item = GivenSkill>) -> Vec<String> {
    skills.into_iter().map(|skill| skill.name).collect()
}

/// The requests of `table`, each with its skill, that do not get it; a pointer does not count.
fn missed<'a>(
    set: &SkillSet,
    table: impl IntoIterator<Item = (&'a str, String)>,
) -> Vec<(&'a str, String, Vec<String>)> {
    let found = table.into_iter().map(|(skill, request)| {
        let given = given(set, &request).into_iter();
        let texts = given.filter(|skill| skill.form != PortionForm::Pointer);
        (skill, request, names(texts))
    });
    found
        .filter(|(skill, _, given)| !given.iter().any(|name| name == skill))
        .collect()
}

fn of_each(skill: &Skill, texts: impl Fn(&Skill) -> Vec<String>) -> Vec<(&str, String)> {
    let texts = texts(skill).into_iter();
    texts.map(|text| (skill.name.as_str(), text)).collect()
}

#[test]
fn every_skill_is_found_by_its_name() {
    let set = SkillSet::new(skills());
    let requests = |skill: &Skill| {
        let name = &skill.name;
        let blanks = name.replace('-', " ");
        vec![
            name.clone(),
            blanks.clone(),
            format!("use {name} here"),
            format!("Use the skill {name} for this."),
            format!("please use {blanks} here"),
        ]
    };
    let skills = skills();
    assert_eq!(skills.len(), 25);
    let table = skills.iter().flat_map(|skill| of_each(skill, requests));
    assert_eq!(missed(&set, table), []);
}

#[test]
fn every_skill_is_found_by_each_of_its_triggers() {
    let set = SkillSet::new(skills());
    let skills = skills();
    let triggers = |skill: &Skill| skill.list("agon-triggers");
    let table = skills.iter().flat_map(|skill| of_each(skill, triggers));
    assert_eq!(missed(&set, table), []);
}

#[test]
fn every_skill_is_found_by_each_sentence_of_its_description() {
    let set = SkillSet::new(skills());
    let skills = skills();
    let sentences = |skill: &Skill| {
        let sentences = skill.description.split(". ").map(str::to_owned);
        // Where it refers to another skill, that one may be meant.
        let own = sentences.filter(|sentence| !sentence.contains("skill debate"));
        own.chain([skill.description.clone()]).collect()
    };
    let table = skills.iter().flat_map(|skill| of_each(skill, sentences));
    assert_eq!(missed(&set, table), []);
}

/// Phrases of the manifests in which others ship skills of these names.
const KNOWN_ELSEWHERE: &[(&str, &[&str])] = &[
    (
        "debate",
        &[
            "debate",
            "argue",
            "stress test",
            "devils advocate",
            "counter argument",
            "debate this",
            "argue about",
            "stress test this idea",
            "devil's advocate",
        ],
    ),
    (
        "context-degradation",
        &[
            "context degradation",
            "lost in middle",
            "context poisoning",
            "context confusion",
            "attention pattern",
            "diagnose context problems",
            "debug agent failures",
            "context clash",
            "agent performance degradation",
        ],
    ),
    (
        "design-first",
        &[
            "design",
            "architecture",
            "plan",
            "schema",
            "api",
            "interface",
        ],
    ),
];

#[test]
fn the_triggers_of_other_manifests_find_the_skill() {
    let set = SkillSet::new(skills());
    let table = (KNOWN_ELSEWHERE.iter())
        .flat_map(|(skill, phrases)| phrases.iter().map(|phrase| (*skill, (*phrase).to_owned())));
    assert_eq!(missed(&set, table), []);
}

#[test]
fn a_call_for_a_debate_gets_the_debate_and_not_the_poll() {
    let set = SkillSet::new(skills());
    let mut requests = Vec::new();
    for topic in [
        "SQLite or plain files for the job store?",
        "rust vs go",
        "whether we should use Redis",
        "moving the billing service to the cloud",
    ] {
        requests.push(format!("debate this: {topic}"));
        requests.push(format!("argue about {topic}"));
        requests.push(format!("stress test this idea: {topic}"));
        requests.push(format!("play devil's advocate on {topic}"));
        for (one, other) in [
            ("claude", "codex"),
            ("gemini", "copilot"),
            ("opencode", "claude"),
        ] {
            requests.push(format!("let {one} and {other} debate {topic}"));
        }
    }
    // With the margin the skill takes more than the budget: some of these get a line that says how to
    // read it.
    for request in requests {
        let given = names(given(&set, &request));
        assert_eq!(
            given.first().map(String::as_str),
            Some("debate"),
            "{request}"
        );
        assert!(!given.iter().any(|name| name == "consult"), "{request}");
    }
}

#[test]
fn a_request_that_declines_a_debate_or_asks_about_a_plan_gets_no_skill() {
    let set = SkillSet::new(skills());
    for request in [
        "no debate",
        "no debate please",
        "do not debate this",
        "don't debate this, just decide",
        "Please don't argue about it.",
        "never use the skill debate for this",
        "answer without a debate",
        "what is the plan",
        "what was the plan?",
        "where is the schema",
        "what's the design",
        "is there a plan",
    ] {
        assert_eq!(names(given(&set, request)), [""; 0], "{request}");
    }
}
