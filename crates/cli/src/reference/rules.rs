//! `docs/rules.md`: the rules that code enforces, with their pages.

use std::fmt::Write as _;

use agon_debates::read::rules;

use super::check_generated;

const INTRODUCTION: &str = "\
# Rules

Code checks every reply against these rules. A reply that breaks one is sent back once, with the
rule and the place. If the second reply still breaks it, the severity decides:

| severity | what happens |
|---|---|
| `fatal` | The reply does not count. The turn is lost. |
| `error` | The reply counts, and the verdict lists the broken rule. |
| `warning` | Nothing is sent back. `agon check` lists it. |

`agon rules explain CODE` prints one rule. `[rules]` in [the settings](settings.md) changes a
severity. This page is generated from the program.
";

#[test]
fn the_page_of_rules_is_what_the_program_says() {
    let mut page = INTRODUCTION.to_owned();
    let mut family = "";
    let all = rules::all().rules;
    for rule in &all {
        if rule.family != family {
            family = rule.family;
            writeln!(page, "\n| {family} | severity | rule |\n|---|---|---|").unwrap();
        }
        writeln!(
            page,
            "| [`{0}`](#{0}) | {1} | {2} |",
            rule.code, rule.severity, rule.about
        )
        .unwrap();
    }
    for rule in &all {
        let explained = rules::explain(rule.code).unwrap();
        // Add a `#` to each heading, because a rule's page becomes a section of this page.
        for line in explained.explain.trim_end().lines() {
            let level = if line.starts_with('#') { "#" } else { "" };
            writeln!(
                page,
                "{}{level}{line}",
                if line.starts_with("# ") { "\n" } else { "" }
            )
            .unwrap();
        }
    }
    check_generated("rules.md", &page);
}
