//! `agon show`: shows the verdict of a debate, or its progress.

use agon_debates::read::section::Section;
use agon_debates::read::show;
use agon_debates::read::show::ShownDebate;
use agon_debates::request::NodeId;
use agon_report::screen::{
    Detail, Line, findings_text, point_lines, progress_lines, synthesis_lines, transcript_lines,
    whole_point_lines,
};
use agon_verdict::fixed_line::fixed_line;

use crate::args::{self, Global, ShowArgs};
use crate::error::{Exit, Failure};
use crate::output::{Out, line_to_ansi};
use crate::surroundings::Surroundings;
use crate::{outcome, pager};

/// Shows a debate, or a section of it.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &ShowArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let lone = show::point_unless_debate_name(edge, args.debate.as_deref());
    let lone = lone.filter(|_| args.point.is_none());
    let debate = args.debate.as_deref().filter(|_| lone.is_none());
    let shown = show::show(edge, debate, out)?;
    pager::begin(edge, global, out);
    if let Some(point) = args.point.or(lone) {
        print_point(edge, global, &shown, point, out)?;
        return Ok(Exit::Done);
    }
    match args.section.map(section_from_arg) {
        Some(section) if global.json => out.write_json(&shown.section(section, args.limit))?,
        Some(Section::Arguments) if args.full => print_points(&shown, args.limit, edge.width, out)?,
        Some(section) => print_section(&shown, section, args.limit, edge, out)?,
        None if args.full && !global.json && shown.has_verdict => {
            outcome::print_ended_in_full(edge, &shown.ended, out)?;
        }
        None if global.json || shown.has_verdict => {
            outcome::print_ended(edge, global, &shown.ended, out)?;
        }
        None => {
            let ended = &shown.ended;
            let next = shown.next_step();
            let detail = match args.full {
                true => Detail::Whole,
                false => Detail::Claims,
            };
            if let Some(fixed) = fixed_line(&ended.state) {
                out.write_line(&fixed)?;
            }
            let lines = progress_lines(&ended.state, &ended.folder, &next, detail, edge.width);
            print_lines(&lines, out)?;
        }
    }
    Ok(Exit::Done)
}

/// Prints one point in full.
fn print_point(
    edge: &Surroundings,
    global: &Global,
    shown: &ShownDebate,
    point: NodeId,
    out: &mut Out,
) -> Result<(), Failure> {
    if global.json {
        return out.write_json(&shown.point(point)?);
    }
    let lines = whole_point_lines(&shown.ended.state, point, edge.width)
        .ok_or_else(|| shown.no_such_point(point))?;
    print_lines(&lines, out)
}

fn section_from_arg(section: args::SectionName) -> Section {
    match section {
        args::SectionName::Transcript => Section::Transcript,
        args::SectionName::Findings => Section::Findings,
        args::SectionName::Arguments => Section::Arguments,
        args::SectionName::Synthesis => Section::Synthesis,
    }
}

/// Prints every point in full.
fn print_points(
    shown: &ShownDebate,
    limit: Option<usize>,
    width: usize,
    out: &mut Out,
) -> Result<(), Failure> {
    let state = &shown.ended.state;
    let nodes = state.nodes().into_iter();
    for (nth, node) in nodes.take(limit.unwrap_or(usize::MAX)).enumerate() {
        if nth > 0 {
            out.write_line("")?;
        }
        let lines = whole_point_lines(state, node.id, width).unwrap_or_default();
        print_lines(&lines, out)?;
    }
    Ok(())
}

/// Prints a section for people.
fn print_section(
    shown: &ShownDebate,
    section: Section,
    limit: Option<usize>,
    edge: &Surroundings,
    out: &mut Out,
) -> Result<(), Failure> {
    let state = &shown.ended.state;
    let limit = limit.unwrap_or(usize::MAX);
    match section {
        Section::Transcript => print_lines(&transcript_lines(state, limit, edge.width), out),
        Section::Arguments => print_lines(&point_lines(state, limit, edge.table_width), out),
        Section::Synthesis => {
            let lines = synthesis_lines(state, limit, edge.width);
            if lines.is_empty() {
                out.eprint_line("no verdict yet");
            }
            print_lines(&lines, out)
        }
        Section::Findings => {
            let findings = shown.findings(limit);
            out.write_stdout(&findings_text(state, &findings, &|_| None, edge.width))?;
            if findings.is_empty() {
                out.eprint_line("no rule was broken");
            }
            Ok(())
        }
    }
}

fn print_lines(lines: &[Line], out: &mut Out) -> Result<(), Failure> {
    lines
        .iter()
        .try_for_each(|line| out.write_line(&line_to_ansi(line)))
}
