//! `agon team start` and `agon team watch`.

use agon_report::text::plain_line;
use agon_teamwork::{Rung, StartRequest, TeamTurn, TeamWatchDoc};

use super::print;
use crate::args::{Global, StartArgs, TeamWatchArgs, TurnArgs};
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::stop::signal_cancellation_token;
use crate::surroundings::Surroundings;

/// Starts a member.
pub(super) async fn start(
    edge: &Surroundings,
    global: &Global,
    args: &StartArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = StartRequest {
        role: args.role.clone(),
        host: args.host.clone(),
        task: args.task,
        name: args.name.clone(),
        model: args.model.clone(),
        profile: args.team_profile.clone(),
        base: Some(args.base.clone()),
        wait: args.wait,
    };
    let cancel = signal_cancellation_token();
    let document = Box::pin(agon_teamwork::start(edge, &request, &cancel)).await?;
    let place = plain_line(&document.work_tree.display().to_string());
    let said = match &document.turn {
        None => format!(
            "{} is working in {place}\nnext: agon team status",
            document.member
        ),
        Some(turn) => format!("{}: {}", document.member, describe_turn(turn)),
    };
    let notes = document
        .notes
        .iter()
        .map(|note| format!("\nnote: {}", plain_line(note)));
    let said = said + &notes.collect::<String>();
    print(global, &document, &said, out)?;
    Ok(match &document.turn {
        Some(turn) if turn.state != agon_teamwork::SessionState::Finished => Exit::Lesser,
        Some(_) | None => Exit::Done,
    })
}

fn describe_turn(turn: &TeamTurn) -> String {
    let mut lines = vec![turn.said.clone()];
    if let Some(commit) = &turn.commit {
        lines.push(format!("commit {commit}"));
    }
    for tree in &turn.outside {
        lines.push(format!("changed outside its work tree: {}", tree.display()));
    }
    let lines: Vec<String> = lines.iter().map(|line| plain_line(line)).collect();
    lines.join("\n  ")
}

/// Runs a turn that another process prepared.
pub(super) async fn turn(
    edge: &Surroundings,
    args: &TurnArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let cancel = signal_cancellation_token();
    let turn = Box::pin(agon_teamwork::turn(edge, args.session, &cancel)).await?;
    out.write_json(&turn)?;
    Ok(Exit::Done)
}

/// Monitors the members that Agon started.
pub(super) async fn watch(
    edge: &Surroundings,
    global: &Global,
    args: &TeamWatchArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let cancel = signal_cancellation_token();
    let once = args.once;
    let mut see = |round: &TeamWatchDoc| -> Result<(), Failure> {
        let is_news = |it: &&agon_teamwork::WatchedSession| it.changed || it.step != Rung::None;
        if global.json {
            if once || round.sessions.iter().any(|it| is_news(&it)) {
                out.write_json(round)?;
            }
            return Ok(());
        }
        let shown = round.sessions.iter().filter(|it| once || is_news(it));
        for session in shown {
            out.write_prose(&describe_session(session))?;
        }
        if once && round.sessions.is_empty() {
            out.write_prose("no session is running")?;
        }
        Ok(())
    };
    agon_teamwork::watch(edge, once, &mut see, &cancel).await?;
    Ok(Exit::Done)
}

fn describe_session(session: &agon_teamwork::WatchedSession) -> String {
    let mut line = format!("{} {}: {}", session.session, session.member, session.state);
    if !session.evidence.is_empty() {
        line.push_str(&format!(" ({})", session.evidence.join("; ")));
    }
    if session.step != Rung::None {
        line.push_str(&format!("; step: {}", session.step));
    }
    if let Some(outcome) = &session.outcome {
        line.push_str(&format!("; {outcome}"));
    }
    plain_line(&line)
}
