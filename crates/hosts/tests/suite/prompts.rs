//! Requests that call for a skill of a team, and near ones that do not.
//!
//! They are written by those who wrote the skills: what they show is that each skill has a border,
//! not how well one is chosen.

use std::collections::BTreeMap;
use std::path::Path;

use agon_hosts::content::{self, Skill};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PromptSet {
    /// Requests that call for the skill.
    calls: Vec<String>,
    near_misses: Vec<NearMiss>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NearMiss {
    prompt: String,
    /// The skill that it calls for, or `none`.
    instead: String,
}

/// The sets by the name of their skill.
fn sets() -> BTreeMap<String, PromptSet> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/prompts");
    let files = std::fs::read_dir(folder).unwrap();
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let set = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, set)
    };
    files.map(|file| read(file.unwrap().path())).collect()
}

fn skills() -> BTreeMap<String, Skill> {
    let all = [content::embedded().unwrap(), content::team().unwrap()];
    let skills = all.into_iter().flat_map(|content| content.skills);
    skills.map(|skill| (skill.name.clone(), skill)).collect()
}

/// The phrases of a skill under `key`.
fn phrases<'a>(skill: &'a Skill, key: &str) -> Vec<&'a str> {
    let text = skill.metadata.get(key).map(String::as_str);
    text.unwrap_or_default()
        .split("; ")
        .filter(|it| !it.is_empty())
        .collect()
}

fn has_one(prompt: &str, phrases: &[&str]) -> bool {
    let prompt = prompt.to_lowercase();
    phrases.iter().any(|phrase| prompt.contains(phrase))
}

#[test]
fn every_skill_of_a_team_and_the_debate_have_a_set() {
    let team = content::team().unwrap().skills.into_iter();
    let mut expected: Vec<_> = team.map(|skill| skill.name).collect();
    expected.push("debate".to_owned());
    expected.sort_unstable();
    assert_eq!(sets().into_keys().collect::<Vec<_>>(), expected);
    for (name, set) in sets() {
        assert!(set.calls.len() >= 3 && set.near_misses.len() >= 4, "{name}");
        // A set whose near misses all belong to none says nothing of its neighbours.
        let neighbours = set.near_misses.iter().filter(|miss| miss.instead != "none");
        assert!(neighbours.count() >= 1, "{name}");
    }
}

#[test]
fn a_near_miss_names_a_skill_that_is_there_and_another_one() {
    let skills = skills();
    for (name, set) in sets() {
        for miss in set.near_misses {
            let is_there = miss.instead == "none" || skills.contains_key(&miss.instead);
            assert!(is_there && miss.instead != name, "{name}: {}", miss.prompt);
        }
    }
}

#[test]
fn no_request_is_labelled_twice() {
    let mut labels = BTreeMap::new();
    for (name, set) in sets() {
        let calls = set.calls.into_iter().map(|prompt| (prompt, name.clone()));
        let misses = set
            .near_misses
            .into_iter()
            .map(|miss| (miss.prompt, miss.instead));
        for (prompt, label) in calls.chain(misses) {
            assert_eq!(labels.insert(prompt.clone(), label), None, "{prompt}");
        }
    }
}

#[test]
fn no_counter_phrase_stands_in_a_request_that_calls_for_the_skill() {
    let skills = skills();
    for (name, set) in sets() {
        let against = phrases(&skills[&name], "agon-counter-phrases");
        for prompt in set.calls {
            assert!(!has_one(&prompt, &against), "{name}: {prompt}");
        }
    }
}

#[test]
fn phrases_alone_decide_no_set() {
    let skills = skills();
    for (name, set) in sets() {
        let triggers = phrases(&skills[&name], "agon-triggers");
        let has_none = |prompt: &&String| !has_one(prompt, &triggers);
        assert!(set.calls.iter().any(|it| has_none(&it)), "{name}: calls");
        let mut misses = set.near_misses.iter().map(|miss| &miss.prompt);
        assert!(misses.any(|it| !has_none(&it)), "{name}: near misses");
    }
}
