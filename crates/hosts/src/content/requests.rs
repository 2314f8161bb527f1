//! Example requests for our skills in five languages, with which a request is compared.

/// Embeds the example requests of a skill: one per line, below a heading for each language.
macro_rules! requests {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../content/requests/",
                $name,
                ".txt"
            )),
        )
    };
}

/// The example requests of each skill. Add a new skill here.
const REQUESTS: &[(&str, &str)] = &[
    requests!("advanced-evaluation"),
    requests!("consult"),
    requests!("context-degradation"),
    requests!("context-engineering"),
    requests!("debate"),
    requests!("decision-record"),
    requests!("design-first"),
    requests!("dispatching-parallel-agents"),
    requests!("drift-analysis"),
    requests!("evaluation"),
    requests!("executing-plans"),
    requests!("formal-debate"),
    requests!("handoff-protocols"),
    requests!("judge-with-debate"),
    requests!("parallel-investigation"),
    requests!("prompt-engineering"),
    requests!("reflexion-critique"),
    requests!("reflexion-reflect"),
    requests!("root-cause-analysis"),
    requests!("structured-code-review"),
    requests!("task-decomposition"),
    requests!("test-prompt"),
    requests!("thought-based-reasoning"),
    requests!("verification-before-completion"),
    requests!("verification-gates"),
];

/// Requests that do not call for a skill. Some share words with a skill.
const ORDINARY: (&str, &str) = requests!("none");

/// Returns the example requests of the skill `name`, or an empty list if it is not ours.
pub(crate) fn requests_of(name: &str) -> Vec<String> {
    let text = REQUESTS.iter().find(|(of, _)| *of == name);
    let lines = text.into_iter().flat_map(|(_, text)| lines(text));
    lines.map(str::to_owned).collect()
}

/// Returns requests that call for no skill.
pub(crate) fn requests_without_skill() -> Vec<&'static str> {
    lines(ORDINARY.1).collect()
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("# "))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    use super::*;
    use crate::library::own_skills;

    #[test]
    fn every_skill_and_no_other_has_examples_in_all_languages() {
        let skills = own_skills().unwrap().into_iter().map(|skill| skill.name);
        let named = REQUESTS.iter().map(|(name, _)| (*name).to_owned());
        assert_eq!(
            named.collect::<BTreeSet<_>>(),
            skills.collect::<BTreeSet<_>>()
        );
        for (name, text) in REQUESTS.iter().chain([&ORDINARY]) {
            let languages: Vec<&str> = (text.lines())
                .filter_map(|line| line.strip_prefix("# "))
                .collect();
            assert_eq!(languages, ["en", "de", "fr", "es", "zh"], "{name}");
            for part in text.split("\n\n") {
                assert!(lines(part).count() >= 10, "{name}: {part}");
            }
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content/requests");
        let files = std::fs::read_dir(folder).unwrap().count();
        assert_eq!(files, REQUESTS.len() + 1);
    }

    #[test]
    fn no_example_belongs_to_two_skills() {
        let mut owners = BTreeMap::new();
        for (name, text) in REQUESTS.iter().chain([&ORDINARY]) {
            for line in lines(text) {
                assert_eq!(owners.insert(line, name), None, "{line}");
            }
        }
    }
}
