use std::collections::BTreeSet;

use super::*;

/// The longest sentence, in words.
const MAX_WORDS: usize = 25;
/// The longest page, in words.
const MAX_PAGE_WORDS: usize = 90;

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

#[test]
fn every_code_has_a_name_of_its_own() {
    let names: BTreeSet<_> = Code::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(names.len(), Code::ALL.len());
    for code in Code::ALL {
        assert_eq!(Code::from_name(code.name()), Some(*code));
        let is_plain = |c| matches!(c, 'a'..='z' | '_');
        assert!(code.name().chars().all(is_plain), "{code:?}");
    }
    assert_eq!(Code::from_name("no_such_code"), None);
}

#[test]
fn every_code_has_a_page_that_says_what_to_do() {
    for code in Code::ALL {
        let page = code.page();
        assert!(page.about.ends_with('.'), "{code:?}: {page:?}");
        assert!(words(page.about) <= 15, "{code:?}: {}", page.about);
        assert!(!page.about.contains('\n'), "{code:?}: {}", page.about);
        assert!(
            words(page.text) <= MAX_PAGE_WORDS,
            "{code:?}: {}",
            page.text
        );
        let (_, steps) = page.text.rsplit_once("\n\n").unwrap_or(("", page.text));
        let are_steps = !steps.is_empty() && steps.lines().all(|line| line.starts_with("- "));
        assert!(are_steps, "{code:?}: {steps}");
        for sentence in page.text.split(['\n', '.', ';', ':']) {
            assert!(words(sentence) <= MAX_WORDS, "{code:?}: {sentence}");
        }
    }
}

#[test]
fn every_page_belongs_to_a_code_of_its_family() {
    for code in Code::ALL {
        let family = code.family();
        let pages: Vec<_> = family
            .pages
            .lines()
            .filter_map(|line| line.strip_prefix("## "))
            .collect();
        let own = Code::ALL
            .iter()
            .filter(|it| it.family().name == family.name);
        let own: Vec<_> = own.map(|code| code.name()).collect();
        assert_eq!(pages, own, "{}", family.name);
    }
}

#[test]
fn the_code_of_a_cause_keeps_its_name() {
    let causes = [
        CauseCode::NotInstalled,
        CauseCode::LoggedOut,
        CauseCode::NoSuchModel,
        CauseCode::RateLimited,
        CauseCode::Unavailable,
        CauseCode::Timeout,
        CauseCode::Failed,
        CauseCode::Empty,
        CauseCode::Unreadable,
        CauseCode::TooLarge,
        CauseCode::NoMoves,
        CauseCode::RuleBroken,
        CauseCode::Cancelled,
        CauseCode::Bug,
    ];
    for cause in causes {
        assert_eq!(Code::from(cause).name(), cause.name());
    }
}

#[test]
fn the_schema_of_errors_enumerates_the_codes() {
    let schema = schemars::schema_for!(crate::ErrorDoc);
    let schema = schema.as_value();
    let listed = schema["$defs"]["Code"]["enum"].as_array().unwrap();
    let listed: Vec<_> = listed.iter().map(|name| name.as_str().unwrap()).collect();
    let names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(listed, names);
}
