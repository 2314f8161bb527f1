//! The lines printed before the first call.

mod choices;

use agon_record::format::Judging;
use agon_record::id::Seat;
use agon_record::precedent::Precedent;
use agon_record::spec::{Caps, Context, Seating, Spec};
use agon_record::state::State;
use agon_rules::format::{first_unjudged_exchange, remaining_calls};

use super::clamp_width;
use super::demonstration::{self, is_demonstration};
use super::line::{Line, Style, seat_style};
use crate::text::{abbreviate_count, count_with_noun, display_width, format_dollars, plain_line};

/// Returns the lines before the first call: the plan, the seats and the limits.
///
/// `folder` is the debate's folder as the user would write it. `expected` is the expected time and
/// tokens, such as `about 6–9 min`.
pub fn header_lines(
    state: &State,
    folder: &str,
    expected: Option<&str>,
    width: usize,
) -> Vec<Line> {
    let width = clamp_width(width);
    if is_demonstration(state) {
        return demonstration::header_lines(state, expected, width);
    }
    let spec = &state.spec;
    let calls = match has_no_added_rounds(state) {
        true => spec.planned_calls(),
        false => remaining_calls(state),
    };
    let mut bounds = vec![count_with_noun(calls, "call")];
    bounds.extend(expected.map(plain_line));
    let bounds = format!(
        "  {} · {}",
        bounds.join(", "),
        describe_caps(&remaining_caps(state))
    );
    let bounds = Line::default().with(Style::Plain, bounds);

    let mut lines = vec![plan_line(state, folder)];
    lines.extend(choices::default_context_line(spec));
    lines.extend(excluded_files_lines(&spec.context, width));
    lines.extend(submodule_lines(&spec.context, width));
    lines.extend(seat_lines(state, width));
    lines.extend(substituted_seat_lines(state));
    lines.extend(choices::ignored_effort_line(state));
    lines.extend(option_lines(state));
    lines.extend(precedents_line(&spec.precedents));
    lines.push(bounds);
    if state.format_rules().has_theses {
        lines.extend(motion_lines(state, width));
    }
    lines
        .into_iter()
        .flat_map(|line| line.wrap_to_width(4, width))
        .collect()
}

/// Returns the lines before the playback of a recorded debate: the question, the plan, the seats
/// and the viewer's keys.
pub fn playback_header_lines(
    state: &State,
    folder: &str,
    has_keys: bool,
    width: usize,
) -> Vec<Line> {
    let width = clamp_width(width);
    let topic = plain_line(&state.spec.topic);
    let mut lines = vec![
        Line::default().with(Style::Strong, topic),
        plan_line(state, folder),
    ];
    lines.extend(seat_lines(state, width));
    lines.extend(option_lines(state));
    let keys = match has_keys {
        true => "space pause · enter or → next turn · q quit",
        false => "^C stop",
    };
    let keys = format!("  a recording: no tool is called · {keys}");
    lines.push(Line::default().with(Style::Dim, keys));
    lines
        .into_iter()
        .flat_map(|line| line.wrap_to_width(4, width))
        .collect()
}

/// Returns the line with the format, the length, the context and the folder.
fn plan_line(state: &State, folder: &str) -> Line {
    let mut plan = vec![state.spec.format().to_string(), rounds_or_exchanges(state)];
    plan.extend(choices::effort_label(state));
    plan.extend(context_label(&state.spec));
    plan.push(plain_line(folder));
    Line::default().with(Style::Plain, plan.join(" · "))
}

/// Returns the planned rounds of a duel, or the exchanges that a formal debate still runs; after
/// those, the number of judged exchanges.
fn rounds_or_exchanges(state: &State) -> String {
    let rules = state.format_rules();
    let one = rules.rounds.one;
    if rules.judging == Judging::AtTheEnd {
        return count_with_noun(state.planned_rounds(), one);
    }
    let first = first_unjudged_exchange(state);
    match state.through {
        Some(through) if first < through => format!("{one}s {first} to {through}"),
        Some(through) if first == through => format!("{one} {first}"),
        Some(_) | None => count_with_noun(state.rounds_completed(), &format!("judged {one}")),
    }
}

/// Returns whether the debate runs to the end planned at its start: it is a duel without added
/// rounds.
fn has_no_added_rounds(state: &State) -> bool {
    state.format_rules().judging == Judging::AtTheEnd && state.through.is_none()
}

/// Returns the limits of this run, less what earlier runs spent.
fn remaining_caps(state: &State) -> Caps {
    let caps = state.caps;
    if has_no_added_rounds(state) {
        return caps;
    }
    let spent = &state.spent;
    Caps {
        calls: caps.calls.saturating_sub(spent.calls),
        tokens: caps.tokens.saturating_sub(spent.total_tokens()),
        time_ms: caps.time_ms.saturating_sub(spent.clock_ms),
        cost_micros: caps
            .cost_micros
            .map(|cap| cap.saturating_sub(spent.total_cost_micros())),
        reasks: caps.reasks.saturating_sub(state.sent_back),
    }
}

/// Returns a line for each substitute that took a seat.
fn substituted_seat_lines(state: &State) -> impl Iterator<Item = Line> {
    state.replaced.iter().map(|replaced| {
        let text = format!("  {}", plain_line(&replaced.describe()));
        Line::default().with(Style::Warn, text)
    })
}

/// Returns the option that each side of a duel was assigned.
fn option_lines(state: &State) -> Vec<Line> {
    let Some(options) = state.spec.options() else {
        return Vec::new();
    };
    let sides = state.spec.format().sides().into_iter();
    let lines = sides.filter_map(|seat| {
        let option = options.seat(seat)?;
        let label = format!("  {:<13}", seat.to_string());
        let line = Line::default().with(Style::Dim, label);
        Some(line.with(Style::Strong, plain_line(&option.name)))
    });
    lines.collect()
}

/// Returns the motion and the known theses.
fn motion_lines(state: &State, width: usize) -> Vec<Line> {
    let row = |label: Line, style, text: &str| {
        label.with(style, plain_line(text)).wrap_to_width(15, width)
    };
    let label = |style, label: &str| Line::default().with(style, format!("  {label:<13}"));
    let motion = label(Style::Dim, "motion");
    let mut lines = row(motion, Style::Strong, &state.spec.topic);
    for seat in state.spec.format().sides() {
        let thesis = state.theses().and_then(|theses| theses.thesis(seat));
        let Some(thesis) = thesis else { continue };
        let side = label(seat_style(seat), &seat.to_string());
        lines.extend(row(side, Style::Plain, thesis));
    }
    lines
}

/// Returns the line that lists the keys; empty for a demonstration, which takes about a minute.
pub fn key_help_lines(state: &State, width: usize) -> Vec<Line> {
    if is_demonstration(state) {
        return Vec::new();
    }
    let orders = match state.format_rules().judging {
        Judging::AtTheEnd => " · j judge now · + add a round",
        Judging::EachRound => "",
    };
    let name = state.command_name();
    let keys = format!("  keys: n note{orders} · ^C stop (agon resume {name})");
    Line::default()
        .with(Style::Dim, keys)
        .wrap_to_width(4, clamp_width(width))
}

/// Returns the line that says how to stop and continue later.
pub fn stop_help_lines(state: &State, width: usize) -> Vec<Line> {
    if is_demonstration(state) {
        return Vec::new();
    }
    let resume = format!("  ^C stop (agon resume {})", state.command_name());
    Line::default()
        .with(Style::Dim, resume)
        .wrap_to_width(4, clamp_width(width))
}

fn context_label(spec: &Spec) -> Option<String> {
    match &spec.context {
        Context::None => choices::no_context_label(spec),
        Context::Diff { commit, since, .. } => {
            let short = |commit: &str| plain_line(commit).chars().take(7).collect::<String>();
            Some(match since {
                Some(since) => format!("changes from {} to {}", short(since), short(commit)),
                None => format!("changes on {}", short(commit)),
            })
        }
        Context::Files { files } => {
            let first = files.first().map_or("", |file| file.path.as_str());
            let count = count_with_noun(files.len() as u64, "file");
            Some(format!("{count} ({}, …)", plain_line(first)))
        }
        Context::File { path, .. } => Some(plain_line(path)),
        Context::Repo(repo) => Some(plain_line(&repo.summary())),
    }
}

/// Returns the lines that name the files left out of the tools' copies of the project.
fn excluded_files_lines(context: &Context, width: usize) -> Vec<Line> {
    let Context::Repo(repo) = context else {
        return Vec::new();
    };
    let secrets = repo.secrets.first().map(|first| {
        let files = count_with_noun(repo.secrets.len() as u64, "file");
        let more = if repo.secrets.len() > 1 { ", …" } else { "" };
        format!(
            "{files} that may contain a secret ({}{more}; --allow-secrets)",
            plain_line(first)
        )
    });
    let debates = repo.debates.first().map(|first| {
        let more = if repo.debates.len() > 1 { ", …" } else { "" };
        format!("{}/{more}", plain_line(first).trim_end_matches('/'))
    });
    let others = repo.left_out.iter().map(|kind| plain_line(kind));
    let kinds: Vec<_> = secrets.into_iter().chain(debates).chain(others).collect();
    if kinds.is_empty() {
        return Vec::new();
    }
    let said = format!("hidden from the tools: {}", kinds.join(" · "));
    Line::default()
        .with(Style::Dim, format!("  {said}"))
        .wrap_to_width(4, width)
}

/// Returns the lines that name the project's submodules. A debate sees their commits, not their
/// files.
fn submodule_lines(context: &Context, width: usize) -> Vec<Line> {
    /// Maximum number of submodules named.
    const NAMED: usize = 5;
    let all = context.submodules();
    if all.is_empty() {
        return Vec::new();
    }
    let named: Vec<_> = all
        .iter()
        .take(NAMED)
        .map(|path| plain_line(path))
        .collect();
    let more = if all.len() > NAMED { ", …" } else { "" };
    let count = count_with_noun(all.len() as u64, "submodule");
    let said = format!("{count}, contents not examined: {}{more}", named.join(", "));
    Line::default()
        .with(Style::Dim, format!("  {said}"))
        .wrap_to_width(4, width)
}

/// Returns the line that names the earlier verdicts in every prompt; `None` if there are none.
fn precedents_line(precedents: &[Precedent]) -> Option<Line> {
    let entries = precedents.iter().map(|one| {
        let debate = plain_line(&one.debate);
        format!("{debate} ({})", plain_line(&one.day))
    });
    let entries: Vec<_> = entries.collect();
    let text = format!(
        "  {} in every prompt: {}",
        count_with_noun(entries.len() as u64, "earlier verdict"),
        entries.join(", ")
    );
    (!entries.is_empty()).then(|| Line::default().with(Style::Plain, text))
}

/// The transport of most tools, a program started for each answer. It is not printed.
const USUAL_TRANSPORT: &str = "cli";

/// Returns the seats on one line if they fit, else on a line each.
fn seat_lines(state: &State, width: usize) -> Vec<Line> {
    let seats = state.seats.iter().map(|(&seat, seating)| {
        let mut who = vec![seating.tool.to_string()];
        who.extend(state.model(seat).map(plain_line));
        who.extend(choices::refused_model(seating));
        let transport = Some(plain_line(&seating.transport)).filter(|it| it != USUAL_TRANSPORT);
        let mut how: Vec<_> = transport.into_iter().collect();
        how.extend(unmeasured_version(seating));
        how.extend(
            seat.is_judge()
                .then(|| judge_relation_to_sides(state, seating))
                .flatten(),
        );
        let who = match seating.is_human() {
            true => format!(" {}", plain_line(seating.tool.as_str())),
            false if how.is_empty() => format!(" {}", who.join(" ")),
            false => format!(" {} ({})", who.join(" "), how.join(", ")),
        };
        (seat, who)
    });
    let seats: Vec<_> = seats.collect();
    if seats.is_empty() {
        return Vec::new();
    }
    let wide: usize = seats
        .iter()
        .map(|(seat, who)| display_width(&seat.to_string()) + display_width(who) + 3)
        .sum();
    if wide < width {
        let line =
            seats
                .into_iter()
                .enumerate()
                .fold(Line::default(), |line, (at, (seat, who))| {
                    let gap = if at == 0 { "  " } else { "   " };
                    line.with(seat_style(seat), format!("{gap}{seat}"))
                        .with(Style::Plain, who)
                });
        return vec![line];
    }
    let line = |(seat, who): (Seat, String)| {
        Line::default()
            .with(seat_style(seat), format!("  {:<10}", seat.to_string()))
            .with(Style::Plain, who)
    };
    seats.into_iter().map(line).collect()
}

/// Returns the version of a tool whose version was not measured.
fn unmeasured_version(seating: &Seating) -> Option<String> {
    let version = seating.version.as_deref();
    let version = version.map_or_else(|| "unknown version".to_owned(), plain_line);
    seating
        .unmeasured
        .then(|| format!("{version}, not measured"))
}

/// Returns whether the judge shares a tool or vendor with a side; `None` if the tools differ and a
/// vendor is unknown.
fn judge_relation_to_sides(state: &State, judge: &Seating) -> Option<String> {
    let sides = state.spec.format().sides();
    let side = |near: &dyn Fn(&Seating) -> bool| {
        sides
            .into_iter()
            .find(|seat| state.seats.get(seat).is_some_and(near))
    };
    if let Some(side) = side(&|seating| seating.tool == judge.tool) {
        return Some(format!("the {side}'s tool"));
    }
    if judge.vendor.is_empty() || side(&|seating| seating.vendor.is_empty()).is_some() {
        return None;
    }
    match side(&|seating| seating.vendor == judge.vendor) {
        Some(side) => Some(format!("the {side}'s vendor")),
        None => {
            let vendors = sides.map(|seat| state.seats.get(&seat).map(|side| &side.vendor));
            let is_third = vendors[0] != vendors[1];
            Some(
                if is_third {
                    "third vendor"
                } else {
                    "another vendor"
                }
                .to_owned(),
            )
        }
    }
}

fn describe_caps(caps: &Caps) -> String {
    let minutes = match (caps.time_ms / 1_000, caps.time_ms / 60_000) {
        (seconds, 0) => format!("{seconds} s"),
        (_, minutes) => format!("{minutes} min"),
    };
    let cost = caps
        .cost_micros
        .map(|micros| format!(", {}", format_dollars(micros as f64 / 1e6)));
    format!(
        "stops at {}, {} tokens{} or {minutes}",
        count_with_noun(caps.calls, "call"),
        abbreviate_count(caps.tokens),
        cost.unwrap_or_default(),
    )
}
