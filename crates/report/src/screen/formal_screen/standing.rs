//! The current state of a formal debate: theses, totals, counts and next steps.

use agon_record::finding::Severity;
use agon_record::id::Seat;
use agon_record::score::Score;
use agon_record::state::{State, TurnEnd};
use agon_record::tally::{leading_side, side_totals};
use agon_rules::format::first_unjudged_exchange;

use super::{
    LABEL, attack_defense_concession_counts, exchange_lines, format_total, label_first_line,
    usize_with_noun,
};
use crate::screen::clamp_width;
use crate::screen::detail::Detail;
use crate::screen::line::{Line, Style, seat_style};
use crate::text::{abbreviate_count, count_with_noun, display_width, format_duration, plain_line};

// Chosen so that the bar with its label fits 40 columns.
/// The cells of a bar on each side of its middle.
const CELLS: usize = 10;
// About the lead of 2.05 that the proposition had after seven arguments in a real debate.
/// The lead, in thousandths, that fills half of a bar.
const HALF: u64 = 2_000;

/// Returns the thesis of each side; empty until the theses are known.
pub fn theses_lines(state: &State, width: usize) -> Vec<Line> {
    let width = clamp_width(width);
    let Some(theses) = state.theses() else {
        return Vec::new();
    };
    let of = |seat: Seat| {
        labelled_text_lines(
            &seat.to_string(),
            theses.thesis(seat).unwrap_or_default(),
            width,
        )
    };
    let sides = state.spec.format().sides();
    sides.into_iter().flat_map(of).collect()
}

/// Returns the number of judged exchanges, in words.
fn judged_rounds(state: &State) -> String {
    let judged = format!("judged {}", state.format_rules().rounds.one);
    count_with_noun(state.rounds_completed(), &judged)
}

/// Returns the complete text behind its label.
fn labelled_text_lines(label: &str, text: &str, width: usize) -> Vec<Line> {
    let text = Line::default().with_ids(Style::Plain, &plain_line(text));
    let lines = label_first_line(label, vec![text]).into_iter();
    lines
        .flat_map(|line| line.wrap_to_width(LABEL, width))
        .collect()
}

/// Returns both totals, with a bar towards the leading side.
pub fn totals_lines(state: &State, width: usize) -> Vec<Line> {
    let width = clamp_width(width);
    let totals = side_totals(state);
    let sides = state.spec.format().sides();
    let known = sides.map(|seat| totals.get(&seat).copied().unwrap_or_default());
    let [one, other] = [0, 1].map(|at| format_total(sides[at], known[at].total, known[at].count));
    let bar = lead_bar(known[0].total - known[1].total);
    let leads = match leading_side(state) {
        Some(seat) => format!("the {seat} leads"),
        None => "neither side leads".to_owned(),
    };
    let wide = LABEL
        + display_width(&one)
        + display_width(&bar)
        + display_width(&other)
        + display_width(&leads)
        + 9;
    let lines = if wide <= width {
        vec![
            Line::default()
                .with(seat_style(sides[0]), one)
                .with(Style::Dim, format!("   {bar}   "))
                .with(seat_style(sides[1]), other)
                .with(Style::Strong, format!("   {leads}")),
        ]
    } else {
        vec![
            Line::default().with(seat_style(sides[0]), one),
            Line::default().with(seat_style(sides[1]), other),
            Line::default()
                .with(Style::Dim, format!("{bar}  "))
                .with(Style::Strong, leads),
        ]
    };
    let lines = label_first_line("totals", lines).into_iter();
    lines
        .flat_map(|line| line.wrap_to_width(LABEL, width))
        .collect()
}

/// Returns a bar for the lead: to the left of the middle for the first side, to the right for the
/// second.
///
/// The bar grows more and more slowly, so that a greater lead is always longer and none fills it.
fn lead_bar(lead: Score) -> String {
    let size = if lead.is_zero_within_tolerance() {
        0
    } else {
        let lead = u64::from(lead.thousandths().unsigned_abs());
        let cells = CELLS as u64 * lead / (lead + HALF);
        usize::try_from(cells).unwrap_or(CELLS).clamp(1, CELLS)
    };
    let blocks = "▇".repeat(size);
    match lead > Score::ZERO {
        true => format!("{blocks:>CELLS$}|{:CELLS$}", ""),
        false => format!("{:CELLS$}|{blocks:<CELLS$}", ""),
    }
}

/// Returns what the totals mean, the cost of the debate, its folder and the next commands.
pub(super) fn accounting_lines(state: &State, folder: &str, width: usize) -> Vec<Line> {
    let sign = "The side with the positive total leads: the judge found its arguments stronger than \
                those of the other side. The new scores of each exchange add up to zero. A rescore \
                may change the sum.";
    let mut lines = labelled_text_lines("meaning", sign, width);
    lines.extend(labelled_text_lines("cost", &cost_summary(state), width));
    lines.extend(labelled_text_lines(
        "saved",
        &format!("{}/", plain_line(folder).trim_end_matches('/')),
        width,
    ));
    lines.extend(next_step_lines(state, width));
    lines
        .into_iter()
        .flat_map(|line| line.wrap_to_width(LABEL, width))
        .collect()
}

/// Returns the motion, the seats, the theses, the last exchange and the totals.
pub fn formal_overview_lines(
    state: &State,
    folder: &str,
    detail: Detail,
    width: usize,
) -> Vec<Line> {
    let width = clamp_width(width);
    let mut lines = labelled_text_lines("motion", &state.spec.topic, width);
    let about = [
        state.format_rules().name.to_owned(),
        judged_rounds(state),
        plain_line(folder),
    ];
    let about = about.join(" · ");
    lines.extend(labelled_text_lines("debate", &about, width));
    let seats = state.seats.iter().map(|(seat, seating)| {
        let model = state.model(*seat).map(plain_line);
        let model = model.map(|model| format!(" {model}")).unwrap_or_default();
        format!("{seat} {}{model}", seating.tool)
    });
    let seats: Vec<_> = seats.collect();
    if !seats.is_empty() {
        lines.extend(labelled_text_lines("seats", &seats.join(", "), width));
    }
    for definition in state.spec.definitions() {
        let text = format!(
            "{}: {}",
            plain_line(&definition.term),
            plain_line(&definition.meaning)
        );
        lines.extend(labelled_text_lines("definition", &text, width));
    }
    if let Some(scope) = state.spec.scope() {
        lines.extend(labelled_text_lines("scope", scope, width));
    }
    lines.extend(theses_lines(state, width));
    if let Some(last) = state.last_judged_exchange() {
        lines.extend(exchange_lines(state, last, detail, width));
    }
    let now = first_unjudged_exchange(state);
    lines.extend(exchange_lines(state, now, detail, width));
    lines.extend(totals_lines(state, width));
    lines.extend(labelled_text_lines(
        "made",
        &debate_counts_summary(state),
        width,
    ));
    lines
        .into_iter()
        .flat_map(|line| line.wrap_to_width(LABEL, width))
        .collect()
}

fn debate_counts_summary(state: &State) -> String {
    let [attacks, defenses, concessions] = attack_defense_concession_counts(state);
    let rescores = state
        .score_histories()
        .values()
        .map(|all| all.len().saturating_sub(1));
    let mut parts = vec![
        format!(
            "{} in {}",
            usize_with_noun(state.nodes().len(), "argument"),
            judged_rounds(state)
        ),
        usize_with_noun(attacks, "attack"),
        usize_with_noun(defenses, "defense"),
    ];
    if concessions > 0 {
        parts.push(usize_with_noun(concessions, "concession"));
    }
    parts.push(usize_with_noun(rescores.sum(), "rescore"));
    parts.join(" · ")
}

fn cost_summary(state: &State) -> String {
    let spent = &state.spent;
    let mut parts = vec![
        usize_with_noun(spent.calls as usize, "call"),
        format_duration(spent.clock_ms),
        format!("{} tokens", abbreviate_count(spent.total_tokens())),
    ];
    if state.sent_back > 0 {
        let back = match state.sent_back {
            1 => "1 reply sent back".to_owned(),
            replies => format!("{replies} replies sent back"),
        };
        parts.push(back);
    }
    parts.join(" · ")
}

/// Returns the next commands and the number of findings.
fn next_step_lines(state: &State, width: usize) -> Vec<Line> {
    let name = state.command_name();
    let commands = format!("agon run {name} 3 · agon report {name}");
    let findings = finding_counts(state);
    let check = match findings.as_slice() {
        [] => String::new(),
        some => format!("{}: agon check {name}", some.join(", ")),
    };
    let line = Line::default().with(Style::Strong, commands.clone());
    let lines = if check.is_empty() {
        vec![line]
    } else if LABEL + display_width(&commands) + display_width(&check) + 3 <= width {
        vec![line.with(Style::Plain, "   ").with(Style::Warn, check)]
    } else {
        vec![line, Line::default().with(Style::Warn, check)]
    };
    label_first_line("next", lines)
}

/// Returns the number of findings by severity, such as `1 error`, `2 warnings`.
fn finding_counts(state: &State) -> Vec<String> {
    let admitted = state.turns.values().filter_map(|turn| match &turn.end {
        Some(TurnEnd::Admitted(admitted)) => Some(&admitted.findings),
        Some(TurnEnd::Lost { .. }) | None => None,
    });
    let all: Vec<_> = admitted.flatten().map(|finding| finding.severity).collect();
    let kinds = [
        (Severity::Fatal, "fatal finding"),
        (Severity::Error, "error"),
        (Severity::Warning, "warning"),
    ];
    let some = kinds.into_iter().filter_map(|(severity, name)| {
        let count = all.iter().filter(|&&known| known == severity).count();
        (count > 0).then(|| usize_with_noun(count, name))
    });
    some.collect()
}
