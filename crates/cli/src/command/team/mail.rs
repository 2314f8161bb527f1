//! `agon team mail`: messages between members.

use std::fs::File;
use std::io::{IsTerminal, Read};

use agon_report::text::{count_with_noun, plain_line};
use agon_teamwork::{FetchRequest, MailFilter, MailHeader, MailState, SendRequest, TeamMailDoc};

use super::print;
use crate::args::{Global, SendArgs, TeamMailCommand};
use crate::error::{Code, Exit, Failure};
use crate::output::{Out, align_columns};
use crate::surroundings::Surroundings;

// More than any team allows, so that a longer message is refused without reading all of it.
/// The maximum number of bytes read of a message.
const MAX_READ: u64 = 1 << 20;

/// Runs `agon team mail`.
pub(super) fn run(
    edge: &Surroundings,
    global: &Global,
    command: &TeamMailCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match command {
        TeamMailCommand::Send(args) => {
            let request = SendRequest {
                to: args.to.clone(),
                body: read_body(edge, args)?,
                thread: args.thread,
                urgent: args.urgent,
                key: args.key.clone(),
            };
            let document = agon_teamwork::send(edge, &request)?;
            let (message, thread) = (document.message, document.thread);
            let said = match document.repeated {
                true => format!("{message} was sent already, in thread {thread}"),
                false => format!("{message} sent, in thread {thread}"),
            };
            print(global, &document, &said, out)
        }
        TeamMailCommand::Fetch(args) => {
            let request = FetchRequest {
                max: usize::from(args.max),
                again: args.again,
                budget: None,
            };
            agon_teamwork::fetch(edge, &request, |document| {
                print(global, document, &describe_mail(document), out).map(drop)
            })?;
            Ok(Exit::Done)
        }
        TeamMailCommand::List(args) => {
            let filter = MailFilter {
                unread: args.unread,
                urgent: args.urgent,
            };
            let document = agon_teamwork::mail_list(edge, &filter, None)?;
            let rows: Vec<[String; 4]> = document.messages.iter().map(header_row).collect();
            let said = match rows.as_slice() {
                [] => "no messages".to_owned(),
                rows => align_columns(rows, edge.table_width),
            };
            print(global, &document, said.trim_end(), out)
        }
        TeamMailCommand::Ack { messages } => {
            let document = agon_teamwork::acknowledge(edge, messages)?;
            let count = document.acknowledged.len() as u64;
            let said = format!("{} acknowledged", count_with_noun(count, "message"));
            print(global, &document, &said, out)
        }
        TeamMailCommand::Thread { thread } => {
            let document = agon_teamwork::thread(edge, *thread, None, None)?;
            print(global, &document, &describe_mail(&document), out)
        }
    }
}

/// Reads the message from the arguments, a file or stdin.
fn read_body(edge: &Surroundings, args: &SendArgs) -> Result<String, Failure> {
    let refused = |message: String, parameter: &'static str| {
        Failure::new(Code::InvalidParameter, message).parameter(parameter)
    };
    if let Some(path) = &args.file {
        let file = File::open(edge.cwd.join(path)).and_then(read_bounded);
        let named = path.display();
        return file.map_err(|cause| refused(format!("cannot read {named}: {cause}"), "file"));
    }
    if args.text == ["-"] || args.text.is_empty() && !std::io::stdin().is_terminal() {
        return read_bounded(std::io::stdin())
            .map_err(|cause| refused(format!("cannot read stdin: {cause}"), "text"));
    }
    Ok(args.text.join(" "))
}

/// Reads `source` up to the maximum size; replaces bytes that are not UTF-8.
pub(super) fn read_bounded(source: impl Read) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    source.take(MAX_READ).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Formats sender and recipient of a message, and its state for each recipient.
fn header_row(header: &MailHeader) -> [String; 4] {
    let readers: Vec<String> = header
        .readers
        .iter()
        .map(|(name, state)| match state {
            MailState::Queued | MailState::Leased => format!("{name} unread"),
            MailState::Delivered => format!("{name} fetched"),
            MailState::Acknowledged => format!("{name} read"),
        })
        .collect();
    let at = agon_teamwork::format_mail_time(header);
    let mut facts = vec![
        readers.join(", "),
        format!("thread {}", header.thread),
        format!("{} bytes", header.bytes),
    ];
    if header.urgent {
        facts.insert(0, "urgent".to_owned());
    }
    [
        header.message.to_string(),
        at,
        format!("{} to {}", plain_line(&header.from), plain_line(&header.to)),
        facts.join("; "),
    ]
}

/// Formats the messages for a person, each in a fenced block.
fn describe_mail(document: &TeamMailDoc) -> String {
    let mut parts: Vec<String> = document
        .letters
        .iter()
        .map(|letter| letter.text.clone())
        .collect();
    if parts.is_empty() {
        parts.push("no messages".to_owned());
    }
    if document.unread > 0 {
        let more = count_with_noun(document.unread, "message");
        parts.push(format!("{more} more: agon team mail fetch"));
    }
    parts.join("\n\n")
}
