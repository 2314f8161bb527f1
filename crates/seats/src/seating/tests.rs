use agon_record::spec::FormatName;

use super::*;

fn wishes(format: FormatName, sides: [&str; 2], judges: &[&str]) -> Wishes {
    let wish = |tool: &str| SeatWish {
        tool: (!tool.is_empty()).then(|| tool.to_owned()),
        ..SeatWish::default()
    };
    Wishes {
        format,
        sides: sides.map(wish),
        judges: judges.iter().map(|judge| wish(judge)).collect(),
        same_tool: false,
    }
}

fn candidates(tools: &[(&str, &str)]) -> Vec<Candidate> {
    let tools = tools.iter().map(|(tool, vendor)| candidate(tool, vendor));
    tools.collect()
}

fn lines(seated: &ResolvedSeats) -> Vec<String> {
    let line = |(seat, seating): (&Seat, &Seating)| format!("{seat} {}", seating.tool);
    seated.seats.iter().map(line).collect()
}

fn formal(sides: [&str; 2], judges: &[&str], tools: &[(&str, &str)]) -> Vec<String> {
    let wishes = wishes(FormatName::Formal, sides, judges);
    lines(&assign_seats(&wishes, &candidates(tools)).unwrap())
}

const THREE: &[(&str, &str)] = &[
    ("claude", "anthropic"),
    ("codex", "openai"),
    ("gemini", "google"),
];

#[test]
fn empty_seats_go_to_three_vendors_where_there_are() {
    let expected = ["proposition claude", "opposition codex", "judge gemini"];
    assert_eq!(formal(["", ""], &[""], THREE), expected);
    let expected = ["proposition codex", "opposition gemini", "judge claude"];
    assert_eq!(formal(["codex", "gemini"], &[""], THREE), expected);
}

#[test]
fn one_tool_may_sit_in_every_seat() {
    let expected = ["proposition claude", "opposition claude", "judge claude"];
    assert_eq!(formal(["", ""], &[""], &THREE[..1]), expected);
    let panel = ["claude", "claude", "codex"];
    assert_eq!(
        formal(["claude", "claude"], &panel, THREE),
        [
            "proposition claude",
            "opposition claude",
            "judge claude",
            "judge-2 claude",
            "judge-3 codex"
        ]
    );
}

#[test]
fn a_duel_wants_two_tools_and_a_formal_debate_one() {
    for (tools, code) in [(&THREE[..1], Code::TooFewTools), (&[], Code::TooFewTools)] {
        let duel = wishes(FormatName::Duel, ["", ""], &[""]);
        let refused = assign_seats(&duel, &candidates(tools)).unwrap_err();
        assert_eq!(refused.code, code);
    }
    let mut twice = wishes(FormatName::Duel, ["claude", "claude"], &[""]);
    let refused = assign_seats(&twice, &candidates(THREE)).unwrap_err();
    assert_eq!(refused.code, Code::SameTool);
    twice.same_tool = true;
    let seated = assign_seats(&twice, &candidates(THREE)).unwrap();
    let expected = ["proposer claude", "challenger claude", "judge codex"];
    assert_eq!(lines(&seated), expected);
    let nobody = wishes(FormatName::Formal, ["", ""], &[""]);
    let refused = assign_seats(&nobody, &[]).unwrap_err();
    assert_eq!(refused.code, Code::TooFewTools);
}

#[test]
fn wishes_name_their_seats_by_the_format_and_every_tool_once() {
    let wishes = wishes(FormatName::Formal, ["codex", ""], &["claude", "codex"]);
    let seats: Vec<_> = wishes.seats().map(|(seat, _)| seat.to_string()).collect();
    assert_eq!(seats, ["proposition", "opposition", "judge", "judge-2"]);
    let names: Vec<_> = wishes
        .named_tools()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(names, ["claude", "codex"]);
    assert!(wishes.name_any_tool_or_model());
    let all = wishes.with_tools(["a", "b", "c"]);
    let tools: Vec<_> = all
        .seats()
        .filter_map(|(_, wish)| wish.tool.as_deref())
        .collect();
    assert_eq!(tools, ["a", "b", "c", "c"]);
}
