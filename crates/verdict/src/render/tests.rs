use insta::assert_snapshot;

use super::*;

fn finding(severity: Severity, path: Option<&str>, span: Option<[u32; 3]>) -> Finding {
    Finding {
        code: "attack-target".to_owned(),
        severity,
        turn: "r3.opp".parse().unwrap(),
        at: "attacks[1].target_id".to_owned(),
        path: path.map(str::to_owned),
        span,
        message: "opposition attacks its own argument".to_owned(),
        hint: "possible targets in exchange 3: prop_001, prop_002".to_owned(),
    }
}

fn file(name: &str) -> Option<String> {
    let lines = "{\n  \"id\": \"opp_003\",\n      \"target_id\": \"opp_001\",\n}\n";
    (name == "arguments/opp_003.md").then(|| lines.to_owned())
}

const PATH: Option<&str> = Some("arguments/opp_003.md");

#[test]
fn a_finding_in_a_file_shows_the_line() {
    let found = [finding(Severity::Error, PATH, Some([3, 20, 9]))];
    assert_snapshot!(render_findings(&found, &file, &|_| Vec::new(), false, 110), @r#"
    error[attack-target]: opposition attacks its own argument
     --> arguments/opp_003.md:3:20
      |
    3 |       "target_id": "opp_001",
      |                    ^^^^^^^^^ attack 2, target id
      |
      = help: possible targets in exchange 3: prop_001, prop_002
    "#);
}

#[test]
fn a_finding_in_a_reply_names_the_turn() {
    let found = [
        finding(Severity::Fatal, None, None),
        Finding {
            at: String::new(),
            hint: String::new(),
            ..finding(Severity::Warning, None, None)
        },
    ];
    assert_snapshot!(render_findings(&found, &file, &|_| Vec::new(), false, 110), @r#"
    fatal[attack-target]: opposition attacks its own argument
    --> opposition, exchange 3, attack 2, target id
     = help: possible targets in exchange 3: prop_001, prop_002

    warning[attack-target]: opposition attacks its own argument
    --> opposition, exchange 3
    "#);
}

#[test]
fn a_file_that_is_gone_or_shorter_leaves_the_place() {
    let found = [
        finding(Severity::Error, Some("arguments/gone.md"), Some([3, 20, 9])),
        finding(Severity::Error, PATH, Some([30, 20, 9])),
        finding(Severity::Error, PATH, None),
        finding(Severity::Error, PATH, Some([0, 0, 0])),
    ];
    assert_snapshot!(render_findings(&found, &file, &|_| Vec::new(), false, 110), @r#"
    error[attack-target]: opposition attacks its own argument
    --> arguments/gone.md:3:20 attack 2, target id
     = help: possible targets in exchange 3: prop_001, prop_002

    error[attack-target]: opposition attacks its own argument
    --> arguments/opp_003.md:30:20 attack 2, target id
     = help: possible targets in exchange 3: prop_001, prop_002

    error[attack-target]: opposition attacks its own argument
    --> arguments/opp_003.md attack 2, target id
     = help: possible targets in exchange 3: prop_001, prop_002

    error[attack-target]: opposition attacks its own argument
    --> arguments/opp_003.md attack 2, target id
     = help: possible targets in exchange 3: prop_001, prop_002
    "#);
}

#[test]
fn a_span_beyond_the_line_ends_with_it() {
    let found = [
        finding(Severity::Error, PATH, Some([3, 20, 900])),
        finding(Severity::Error, PATH, Some([3, 900, 5])),
    ];
    assert_snapshot!(render_findings(&found, &file, &|_| Vec::new(), false, 110), @r#"
    error[attack-target]: opposition attacks its own argument
     --> arguments/opp_003.md:3:20
      |
    3 |       "target_id": "opp_001",
      |                    ^^^^^^^^^^ attack 2, target id
      |
      = help: possible targets in exchange 3: prop_001, prop_002

    error[attack-target]: opposition attacks its own argument
     --> arguments/opp_003.md:3:30
      |
    3 |       "target_id": "opp_001",
      |                              ^ attack 2, target id
      |
      = help: possible targets in exchange 3: prop_001, prop_002
    "#);
}

#[test]
fn hostile_text_cannot_move_the_cursor() {
    let hostile = "a\u{1b}[2J\u{1b}]0;x\u{7}b\u{202e}c\nd\u{9b}1mé";
    let found = [Finding {
        code: hostile.to_owned(),
        at: hostile.to_owned(),
        path: Some(hostile.to_owned()),
        span: Some([1, 7, 2]),
        message: hostile.to_owned(),
        hint: hostile.to_owned(),
        ..finding(Severity::Error, None, None)
    }];
    let files = |_: &str| Some("x\u{1b}[31m\u{202e}yz\u{7}".to_owned());
    let plain = render_findings(&found, &files, &|_| Vec::new(), false, 110);
    assert!(
        !plain
            .chars()
            .any(|c| c != '\n' && (c.is_control() || c == '\u{202e}')),
        "{plain:?}"
    );
    assert_snapshot!(plain, @r#"
    error[abc dé]: abc dé
     --> abc dé:1:7
      |
    1 | x�[31m�yz�
      |       ^^ abc dé
      |
      = help: abc dé
    "#);
}

#[test]
fn colour_adds_escapes_and_nothing_else() {
    let found = [finding(Severity::Error, PATH, Some([3, 20, 9]))];
    let colored = render_findings(&found, &file, &|_| Vec::new(), true, 110);
    assert!(colored.contains('\u{1b}'));
    assert_eq!(
        agon_record::text::strip_control_characters(&colored),
        render_findings(&found, &file, &|_| Vec::new(), false, 110)
    );
}

#[test]
fn no_findings_print_nothing() {
    assert_eq!(render_findings(&[], &file, &|_| Vec::new(), false, 110), "");
}

#[test]
fn a_long_line_is_cut_around_what_the_finding_is_about() {
    let files = |_: &str| {
        Some(format!(
            "{}\"opp_001\"{}",
            "before ".repeat(40),
            " after".repeat(40)
        ))
    };
    let about = Finding {
        message: "a message that is too long for a narrow terminal is wrapped at its words"
            .to_owned(),
        ..finding(Severity::Error, PATH, Some([1, 281, 900]))
    };
    let text = render_findings(&[about], &files, &|_| Vec::new(), false, 60);
    assert_eq!(
        text.lines().find(|line| line.chars().count() > 60),
        None,
        "{text}"
    );
    assert!(text.contains("arguments/opp_003.md:1:281"), "{text}");
    assert_snapshot!(text);
}
