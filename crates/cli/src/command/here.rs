//! `agon` without arguments: what you can do in this folder, in at most six lines.

use agon_debates::status::overview::{FolderOverview, LatestDebate};
use agon_debates::status::{RunState, overview};
use agon_report::screen::run_state_words;
use agon_report::text::{plain_line, truncate_to_width};
use agon_seats::tools::overview::ToolEntry;

use crate::error::{Exit, Failure};
use crate::output::{DIM, Out, apply_style};
use crate::surroundings::Surroundings;

const ABOUT: &str = "Agon makes AI tools argue a decision, and gives a verdict that you can check.";
/// A question that most readers know, and that the built-in model can answer too.
const QUESTION: &str = "agon debate \"REST or GraphQL?\"";

/// Prints the screen; it succeeds whatever it finds.
pub(crate) async fn run(edge: &Surroundings, out: &mut Out) -> Result<Exit, Failure> {
    let here = overview::folder_overview(edge).await?;
    out.write_line(ABOUT)?;
    let mut label_before = "";
    for (label, text) in overview_rows(&here) {
        let shown = if label == label_before { "" } else { label };
        label_before = label;
        let text = truncate_to_width(&text, edge.table_width.saturating_sub(LABEL + 1));
        let label = apply_style(DIM, &format!("{shown:<LABEL$}"));
        out.write_line(&format!("{label}{text}"))?;
    }
    Ok(Exit::Done)
}

/// The width of a label, in columns.
const LABEL: usize = 8;

/// Returns at most five lines, each with its label.
fn overview_rows(here: &FolderOverview) -> Vec<(&'static str, String)> {
    let mut rows = vec![("Tools", describe_tools(&here.tools))];
    if let Some(latest) = &here.latest {
        rows.push(("Latest", describe_latest(latest)));
        rows.push(("Next", command_for_debate(latest)));
    }
    if here.tools.iter().any(|tool| tool.usable) {
        rows.push(("Next", QUESTION.to_owned()));
    } else {
        if here.latest.is_none() {
            rows.push((
                "Next",
                "agon demo   (a recorded debate, offline)".to_owned(),
            ));
        }
        if !here.tools.is_empty() {
            rows.push(("Next", "agon tools   (how to log in)".to_owned()));
        }
        if here.has_built_in_model {
            let start = format!("{QUESTION} --allow-download   (98 MB, once)");
            rows.push(("Next", start));
        }
    }
    rows.push(("Help", "agon --help".to_owned()));
    rows
}

/// Lists the tools by the state of their login.
fn describe_tools(tools: &[ToolEntry]) -> String {
    let names = |login: &str| {
        let those = tools.iter().filter(|tool| tool.login == login);
        those.map(|tool| plain_line(&tool.tool)).collect::<Vec<_>>()
    };
    let kinds = [
        ("logged_in", "ready"),
        // The probe has little time here; `agon tools` waits for the answer.
        ("unknown", "login not checked"),
        ("logged_out", "logged out"),
    ];
    let mut parts = Vec::new();
    for (login, title) in kinds {
        let names = names(login);
        if !names.is_empty() {
            parts.push(format!("{title}: {}", names.join(", ")));
        }
    }
    match parts.is_empty() {
        true => "none installed; `agon tools` shows how to install one".to_owned(),
        false => parts.join(" · "),
    }
}

/// Describes the debate by its answer or, if it has none yet, by its topic and state.
fn describe_latest(latest: &LatestDebate) -> String {
    let about = match &latest.answer {
        Some(answer) => plain_line(answer),
        None => format!(
            "{} ({})",
            plain_line(&latest.topic),
            run_state_words(latest.run_state)
        ),
    };
    format!("{}: {about}", plain_line(&latest.slug))
}

fn command_for_debate(latest: &LatestDebate) -> String {
    let name = &latest.typed;
    match latest.run_state {
        RunState::Done => format!("agon show {name}"),
        RunState::Running => format!("agon watch {name}"),
        RunState::WaitingForPerson | RunState::Stopped | RunState::Failed => {
            format!("agon resume {name}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn here(latest: Option<LatestDebate>, has_built_in_model: bool) -> FolderOverview {
        FolderOverview {
            tools: Vec::new(),
            latest,
            has_built_in_model,
        }
    }

    #[test]
    fn six_lines_name_the_latest_debate_and_the_next_command() {
        let latest = |run_state| LatestDebate {
            slug: "job-store".to_owned(),
            typed: "job-store".to_owned(),
            topic: "SQLite or plain files?".to_owned(),
            answer: None,
            run_state,
        };
        let commands = [
            (RunState::Done, "agon show job-store"),
            (RunState::Running, "agon watch job-store"),
            (RunState::Stopped, "agon resume job-store"),
            (RunState::WaitingForPerson, "agon resume job-store"),
            (RunState::Failed, "agon resume job-store"),
        ];
        for (run_state, command) in commands {
            let rows = overview_rows(&here(Some(latest(run_state)), true));
            assert_eq!(rows.len(), 5, "{rows:?}");
            assert_eq!(rows[2], ("Next", command.to_owned()));
        }
        let answered = LatestDebate {
            answer: Some("Use \u{1b}[31mSQLite".to_owned()),
            ..latest(RunState::Done)
        };
        let told = describe_latest(&answered);
        assert!(!told.contains('\u{1b}'), "{told:?}");
        let first = overview_rows(&here(None, false));
        assert!(first[1].1.starts_with("agon demo "), "{first:?}");
        assert_eq!(first.len(), 3, "{first:?}");
        let built_in = overview_rows(&here(None, true));
        assert!(built_in[2].1.contains("--allow-download"), "{built_in:?}");
    }
}
