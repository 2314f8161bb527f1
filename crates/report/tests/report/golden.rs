//! Each screen at the widths that terminals have, and without one.

use agon_record::state::State;
use agon_report::screen::{self, Detail, Line, NextStep, Style, UNLIMITED};
use agon_report::text::display_width;
use agon_verdict::verdict::verdict;

use crate::debates::{FOLDER, answered_otherwise, flipped, shown, with_findings};
use crate::exchanges::played;
use agon_samples::job_store::{Debate, job_store};

/// The widths of terminals, from half of a small one to a large one, and that of a pipe.
const WIDTHS: [usize; 5] = [40, 80, 120, 200, UNLIMITED];

fn name(screen: &str, width: usize) -> String {
    match width {
        UNLIMITED => format!("{screen}_piped"),
        width => format!("{screen}_{width}"),
    }
}

/// The letters of lines, without what frames and spaces them.
fn letters(lines: &[Line]) -> String {
    let text = shown(lines);
    text.chars()
        .filter(|c| !c.is_whitespace() && *c != '━')
        .collect()
}

/// Takes a picture of a screen at every width. None of it is wider than it may be, and none of it is
/// lost where it is narrow.
fn at_every_width(name_of_screen: &str, lines: &dyn Fn(usize) -> Vec<Line>) {
    let whole = letters(&lines(UNLIMITED));
    for width in WIDTHS {
        let lines = lines(width);
        for line in &lines {
            let text = line.to_string();
            assert!(display_width(&text) <= width, "{text:?} in {width}");
            assert_eq!(text, text.trim_end(), "space at the end in {width}");
        }
        if !name_of_screen.starts_with("formal") {
            assert_eq!(letters(&lines), whole, "{name_of_screen} at {width}");
        }
        insta::assert_snapshot!(name(name_of_screen, width), shown(&lines));
    }
}

fn verdict_screen(state: &State, width: usize) -> Vec<Line> {
    screen::full_verdict_lines(state, &verdict(state).unwrap(), FOLDER, width)
}

fn short_verdict_screen(state: &State, width: usize) -> Vec<Line> {
    screen::verdict_lines(state, &verdict(state).unwrap(), FOLDER, width)
}

#[test]
fn a_verdict_at_every_width() {
    let state = with_findings().state();
    at_every_width("golden_verdict", &|width| verdict_screen(&state, width));
    at_every_width("golden_short_verdict", &|width| {
        short_verdict_screen(&state, width)
    });
}

#[test]
fn a_running_debate_at_every_width() {
    let mut debate = Debate::open();
    debate.speak_until("r1.pro");
    let state = debate.state();
    let next = NextStep::Running("agon watch job-store · agon stop job-store".to_owned());
    at_every_width("golden_running", &|width| {
        screen::progress_lines(&state, FOLDER, &next, Detail::Claims, width)
    });
}

#[test]
fn a_transcript_at_every_width() {
    let state = with_findings().state();
    at_every_width("golden_transcript", &|width| {
        screen::transcript_lines(&state, usize::MAX, width)
    });
}

#[test]
fn a_header_at_every_width() {
    let state = job_store().state();
    at_every_width("golden_header", &|width| {
        let expected = Some("about 6–9 min, 60–150k tokens");
        let mut lines = screen::header_lines(&state, FOLDER, expected, width);
        lines.extend(screen::key_help_lines(&state, width));
        lines
    });
}

#[test]
fn a_formal_debate_at_every_width() {
    let state = played(2).state();
    at_every_width("formal_standing", &|width| {
        screen::formal_overview_lines(&state, FOLDER, Detail::Whole, width)
    });
    at_every_width("formal_verdict", &|width| {
        screen::formal_verdict_lines(&state, FOLDER, width)
    });
    at_every_width("formal_transcript", &|width| {
        screen::transcript_lines(&state, usize::MAX, width)
    });
}

/// The parts of lines in a style.
fn parts(lines: &[Line], style: Style) -> Vec<String> {
    let spans = lines.iter().flat_map(|line| &line.spans);
    let of_it = spans.filter(|span| span.style == style);
    of_it.map(|span| span.text.trim().to_owned()).collect()
}

#[test]
fn each_style_says_one_thing_on_every_screen() {
    let state = with_findings().state();
    let mut lines = screen::transcript_lines(&state, usize::MAX, 110);
    lines.extend(verdict_screen(&state, 110));
    let bad = parts(&lines, Style::Bad);
    assert_eq!(bad, ["blocker", "error[duel-grounds] objection 2:"]);
    let sides = [
        (Style::For, "claude", "pro_"),
        (Style::Against, "codex", "cha_"),
    ];
    for (style, tool, ids) in sides {
        let names = parts(&lines, style);
        assert!(names.len() > 20, "{names:?}");
        let other = names
            .iter()
            .find(|name| !name.starts_with(tool) && !name.starts_with(ids));
        assert_eq!(other, None);
    }
    // A verdict that hangs on who sat where is never green.
    for (state, good) in [(job_store().state(), 1), (flipped().state(), 0)] {
        let lines = verdict_screen(&state, 110);
        let whole = parts(&lines, Style::Good);
        let head = whole
            .iter()
            .filter(|text| text.starts_with("the proposer (claude) wins"));
        assert_eq!(head.count(), good, "{whole:?}");
    }
    let other = verdict_screen(&answered_otherwise().state(), 110);
    assert_eq!(parts(&other, Style::Bad), [""; 0]);
}
