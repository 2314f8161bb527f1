//! `agon check`: whether a debate's folder is whole and keeps the rules.

mod again;

use std::collections::BTreeMap;
use std::path::Path;

use agon_engine::host::files;
use agon_record::finding::{Finding, Severity};
use agon_record::spec::FormatName;
use agon_record::state::State;
use agon_record::tally;
use agon_report::text::counted;
use agon_rules::rule;
use agon_store::foreign;
use agon_store::{CheckReport, Problem, RealDisk, RelPath, Trouble};
use agon_verdict::render::render;
use serde::Serialize;

use crate::args::{CheckArgs, Global};
use crate::command::{cited, locate, rules, section, which};
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::{BAD, ODD, Out, STRONG, styled};

/// A rule with more findings than this is told in one.
const MOST_OF_A_RULE: usize = 5;

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    debate: &'a str,
    sound: bool,
    errors: usize,
    warnings: usize,
    findings: &'a [Finding],
    folder: &'a [Wrong],
    lines: u64,
    events: u64,
    files: u64,
    /// Places that were looked up again; left out where nobody asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<usize>,
}

/// Something wrong with the folder itself.
#[derive(Debug, Serialize)]
struct Wrong {
    severity: Severity,
    code: &'static str,
    path: String,
    message: String,
    hint: String,
}

/// Checks a debate; exit 8 when there are errors.
pub(crate) fn run(
    edge: &Edge,
    global: &Global,
    args: &CheckArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let only = args.rule.as_deref().map(rules::find).transpose()?;
    let path = which::find(edge, global, args.debate.as_deref())?;
    let report =
        agon_store::check(&RealDisk, &path, &files).map_err(|error| which::of_view(&error))?;
    let mut findings = findings(&report.state);
    let mut folder = wrongs(&report);
    folder.extend(totals(&path, &report));
    if let Some(only) = only {
        findings.retain(|finding| finding.code == only.code);
        folder.clear();
    }
    let mut places = None;
    if args.evidence {
        let looked = again::look(&path, &report.state)?.ok_or_else(|| nothing_pinned(&report))?;
        places = Some(looked.places);
        folder.extend(looked.wrong);
    }
    locate::locate(&report.state, &mut findings);
    let errors = count(&findings, &folder, |severity| severity > Severity::Warning);
    let warnings = count(&findings, &folder, |severity| severity == Severity::Warning);
    if global.json {
        out.json(&Document {
            schema: "agon.check/1",
            debate: &report.state.spec.slug,
            sound: report.sound() && !folder.iter().any(|it| it.code == again::CHANGED),
            errors,
            warnings,
            findings: &findings,
            folder: &folder,
            lines: report.counts.lines,
            events: report.counts.events,
            files: report.counts.files,
            places,
        })?;
    } else {
        let grouped = match only {
            Some(_) => findings.clone(),
            None => grouped(&report.state, &findings),
        };
        out.data(&told(&path, &report, (&grouped, &folder)))?;
        let off = |wrong: &Wrong| matches!(wrong.path.as_str(), "debate.md" | "scores.json");
        let agree = !folder.iter().any(off);
        out.line(&summary(&report, &findings, (errors, warnings), agree))?;
        if let Some(places) = places {
            let places = counted(places as u64, "place");
            out.line(&format!(
                "{places} looked up again in what is kept of the source"
            ))?;
        }
    }
    Ok(if errors > 0 {
        Exit::Findings
    } else {
        Exit::Done
    })
}

fn nothing_pinned(report: &CheckReport) -> Failure {
    let slug = &report.state.spec.slug;
    let message = format!("nothing was pinned when {slug} opened, so there is nothing to look up");
    Failure::new(Exit::Usage, "no_source", message)
        .parameter("evidence")
        .hint("agon debate --context file=PATH, diff or repo pins what is cited")
}

/// What was found when the turns were admitted, and what the rules find now
/// besides.
fn findings(state: &State) -> Vec<Finding> {
    let mut findings = section::findings(state);
    for (turn, admitted) in state.spoken() {
        for found in rule::check(state, turn, &admitted.moves) {
            let known = |old: &Finding| {
                (old.turn, &old.code, &old.at) == (found.turn, &found.code, &found.at)
            };
            if !findings.iter().any(known) {
                findings.push(found);
            }
        }
    }
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}

/// The findings with those of a rule that has many told in one.
fn grouped(state: &State, findings: &[Finding]) -> Vec<Finding> {
    let mut by_rule: BTreeMap<(&str, Severity), usize> = BTreeMap::new();
    for finding in findings {
        *by_rule
            .entry((&finding.code, finding.severity))
            .or_default() += 1;
    }
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings {
        let key = (finding.code.as_str(), finding.severity);
        match by_rule.get(&key) {
            Some(&many) if many > MOST_OF_A_RULE => {
                by_rule.insert(key, 0);
                kept.push(Finding {
                    message: format!("{} (the first of {many} of this rule)", finding.message),
                    hint: format!(
                        "all of them: agon check {} --rule {}",
                        state.spec.slug, finding.code
                    ),
                    ..finding.clone()
                });
            }
            Some(0) | None => {}
            Some(_) => kept.push(finding.clone()),
        }
    }
    kept
}

fn count(findings: &[Finding], folder: &[Wrong], wanted: fn(Severity) -> bool) -> usize {
    let findings = findings.iter().map(|finding| finding.severity);
    let all = findings.chain(folder.iter().map(|wrong| wrong.severity));
    all.filter(|&severity| wanted(severity)).count()
}

fn wrongs(report: &CheckReport) -> Vec<Wrong> {
    let slug = &report.state.spec.slug;
    let problems = report
        .problems
        .iter()
        .map(|problem| of_problem(problem, slug));
    let files = report
        .files
        .iter()
        .map(|(path, trouble)| of_file(path, *trouble, slug));
    problems.chain(files).collect()
}

fn of_problem(problem: &Problem, slug: &str) -> Wrong {
    let journal = ".agon/journal.jsonl".to_owned();
    let blob = |hash: &str| format!(".agon/blobs/{hash}");
    let (severity, code, path, hint) = match problem {
        Problem::Journal(_) => {
            let hint = "what stands before it can be read; a whole copy may be in version control";
            (Severity::Error, "journal", journal, hint.to_owned())
        }
        Problem::Torn { .. } => {
            let hint =
                format!("agon resume {slug} sets it aside, unless another agon is at it now");
            (Severity::Warning, "journal", journal, hint)
        }
        Problem::BlobMissing { hash } | Problem::BlobDamaged { hash } => {
            let hint = "a whole copy may be in version control".to_owned();
            (Severity::Error, "blob", blob(hash), hint)
        }
        Problem::Manifest => {
            let hint = format!("agon resume {slug} writes it again");
            (
                Severity::Warning,
                "projection",
                ".agon/projections.json".to_owned(),
                hint,
            )
        }
    };
    Wrong {
        severity,
        code,
        path,
        message: problem.to_string(),
        hint,
    }
}

fn of_file(path: &RelPath, trouble: Trouble, slug: &str) -> Wrong {
    let path = path.to_string();
    let (severity, hint) = match trouble {
        Trouble::Missing | Trouble::Stale | Trouble::Broken => (
            Severity::Warning,
            format!("agon resume {slug} writes it again"),
        ),
        Trouble::ForeignEdit => {
            let hint =
                "it is never overwritten: move it out of the way, or put back what was there";
            (Severity::Error, hint.to_owned())
        }
    };
    let message = format!("{path} {trouble}");
    Wrong {
        severity,
        code: "projection",
        path,
        message,
        hint,
    }
}

/// Findings and what is wrong with the folder, for people.
fn told(path: &Path, report: &CheckReport, found: (&[Finding], &[Wrong])) -> String {
    let (findings, folder) = found;
    let texts: BTreeMap<_, _> = files(&report.state)
        .into_iter()
        .map(|(name, bytes)| (name.to_string(), bytes))
        .collect();
    let text = |name: &str| String::from_utf8(texts.get(name)?.clone()).ok();
    let more = |finding: &Finding| cited::lines(&report.state, finding);
    let mut out = render(findings, &text, &more, true);
    for wrong in folder {
        if !out.is_empty() {
            out.push('\n');
        }
        let style = if wrong.severity > Severity::Warning {
            BAD
        } else {
            ODD
        };
        let head = styled(style, &format!("{}[{}]", wrong.severity, wrong.code));
        let message = styled(STRONG, &agon_report::text::plain(&wrong.message));
        let at = agon_report::text::plain(&path.join(&wrong.path).display().to_string());
        out.push_str(&format!(
            "{head}: {message}\n  --> {at}\n   = help: {}\n",
            wrong.hint
        ));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// What is wrong with the totals that another tool states.
///
/// Those of a folder of ours are checked with the rest of `debate.md`.
fn totals(path: &Path, report: &CheckReport) -> Option<Wrong> {
    if !report.foreign {
        return None;
    }
    let stated = foreign::read(&RealDisk, path).ok()?.stated?;
    let computed = tally::totals(&report.state);
    let (seat, is, says) = computed.iter().find_map(|(seat, is)| {
        let says = stated.get(seat).copied().unwrap_or_default();
        let agree = says.count == is.count && (says.total - is.total).is_zero();
        (!agree).then_some((seat, is, says))
    })?;
    Some(Wrong {
        severity: Severity::Error,
        code: "totals",
        path: "debate.md".to_owned(),
        message: format!(
            "it states {} of {} for the {seat}, but the scores come to {} of {}",
            says.total, says.count, is.total, is.count
        ),
        hint: "the scores count; the next step written by agon states them right".to_owned(),
    })
}

/// How many points there are; of a formal debate also whether its totals are those of its scores.
fn points(report: &CheckReport, agree: bool) -> String {
    let points = report.state.nodes().len() as u64;
    if report.state.spec.format != FormatName::Formal {
        return counted(points, "point");
    }
    let arguments = counted(points, "argument");
    if agree {
        format!("{arguments}, totals agree")
    } else {
        arguments
    }
}

fn summary(
    report: &CheckReport,
    findings: &[Finding],
    counts: (usize, usize),
    agree: bool,
) -> String {
    let (errors, warnings) = counts;
    let count = |count: usize, one: &str| counted(count as u64, one);
    let mut codes: Vec<_> = findings
        .iter()
        .map(|finding| finding.code.as_str())
        .collect();
    codes.sort_unstable();
    codes.dedup();
    let rules = match codes.len() {
        0 => String::new(),
        some => format!(" ({})", count(some, "rule")),
    };
    let lines = counted(report.counts.lines, "line");
    let journal = match (report.foreign, report.problems.is_empty()) {
        (true, _) => "kept by another tool".to_owned(),
        (false, true) if report.state.imported.is_empty() => format!("journal intact ({lines})"),
        (false, true) => format!("imported from another tool, journal intact ({lines})"),
        (false, false) => format!("journal not intact ({lines})"),
    };
    let mut parts = vec![
        format!(
            "{}, {}{rules}",
            count(errors, "error"),
            count(warnings, "warning")
        ),
        points(report, agree),
        journal,
    ];
    match report.files.len() {
        0 => parts.push("every file as written".to_owned()),
        some => parts.push(format!("{} not as written", count(some, "file"))),
    }
    if !codes.is_empty() {
        parts.push("explain: agon rules explain CODE".to_owned());
    }
    parts.join(" · ")
}
