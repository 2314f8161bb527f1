//! The arguments with which a tool is started.

use std::ffi::OsString;
use std::path::Path;

use serde_json::Value;

use super::overlay::overlay_json;
use super::private_folder::USAGE_FILE;
use super::user_file::read_table_keys;
use super::{Acp, ArgsPerTableKey, Cli, Confinement, Conversations};
use crate::ask::Ask;
use crate::conversation::SavedConversation;
use crate::environment::Environment;

/// Merges the JSON object `ours` into `theirs`; on conflict, `ours` wins. Returns `ours` alone if
/// `theirs` is not a JSON object.
pub(crate) fn merge_json(theirs: Option<&str>, ours: &str) -> String {
    let theirs = theirs.and_then(|text| serde_json::from_str::<Value>(text).ok());
    let (Some(mut base), Ok(over)) = (theirs, serde_json::from_str::<Value>(ours)) else {
        return ours.to_owned();
    };
    overlay_json(&mut base, over);
    base.to_string()
}

/// Returns the arguments of one call.
///
/// With no model, an empty one, `auto` or `omit`, the tool chooses. The saved conversation `kept`
/// begins or continues with this call; `private` is the folder of the call. Reads the user's own
/// files if the profile turns off servers by name.
pub fn command_args(
    cli: &Cli,
    here: &Environment,
    ask: Ask<'_>,
    private: &Path,
    kept: Option<&SavedConversation>,
) -> Vec<OsString> {
    let mut args: Vec<OsString> = Vec::new();
    for arg in &cli.args {
        match arg.as_str() {
            "{model}" => {
                if let Some(name) = explicit_model(ask.model) {
                    push_args(&mut args, &fill_name(&cli.model, name));
                }
            }
            "{effort}" => push_args(
                &mut args,
                cli.effort.get(&ask.effort).map_or(&[], Vec::as_slice),
            ),
            "{turns}" => {
                let turns = match ask.reads {
                    Some(_) => &cli.reading_turns,
                    None => &cli.turns,
                };
                push_args(&mut args, turns.get(&ask.effort).map_or(&[], Vec::as_slice));
            }
            "{read_only}" => push_args(
                &mut args,
                match ask.reads {
                    Some(_) => &cli.reads,
                    None => &cli.read_only,
                },
            ),
            "{no_mcp}" => {
                append_no_mcp_args(&mut args, &cli.no_mcp, cli.no_mcp_each.as_ref(), here)
            }
            "{session}" => {
                let session = cli.session.as_ref();
                args.extend(
                    session
                        .into_iter()
                        .flat_map(|session| session_args(session, kept)),
                );
            }
            "{usage_file}" => args.push(private.join(USAGE_FILE).into()),
            _ => args.push(arg.into()),
        }
    }
    fill_private_folder(args, private)
}

/// Replaces `{private}` in the arguments with the private folder.
fn fill_private_folder(args: Vec<OsString>, private: &Path) -> Vec<OsString> {
    let place = |arg: OsString| match arg.to_str() {
        Some(text) if text.contains("{private}") => {
            let mut whole = OsString::new();
            for (at, part) in text.split("{private}").enumerate() {
                if at > 0 {
                    whole.push(private);
                }
                whole.push(part);
            }
            whole
        }
        Some(_) | None => arg,
    };
    args.into_iter().map(place).collect()
}

/// Returns the arguments with which an agent is started for a conversation.
pub(crate) fn acp_args(
    acp: &Acp,
    confinement: &Confinement,
    here: &Environment,
    model: Option<&str>,
    private: &Path,
) -> Vec<OsString> {
    let mut args = Vec::new();
    for arg in &acp.args {
        match arg.as_str() {
            "{model}" => {
                if let Some(name) = model {
                    push_args(&mut args, &fill_name(&acp.model, name));
                }
            }
            "{read_only}" => push_args(&mut args, &confinement.args),
            "{no_mcp}" => {
                append_no_mcp_args(&mut args, &acp.no_mcp, acp.no_mcp_each.as_ref(), here)
            }
            _ => args.push(arg.into()),
        }
    }
    fill_private_folder(args, private)
}

fn push_args(args: &mut Vec<OsString>, list: &[String]) {
    args.extend(list.iter().map(OsString::from));
}

pub(super) fn append_no_mcp_args(
    args: &mut Vec<OsString>,
    all: &[String],
    each: Option<&ArgsPerTableKey>,
    here: &Environment,
) {
    push_args(args, all);
    if let Some(each) = each {
        for name in safe_table_keys(each, here) {
            push_args(args, &fill_name(&each.args, &name));
        }
    }
}

fn session_args(session: &Conversations, kept: Option<&SavedConversation>) -> Vec<OsString> {
    let (list, id) = match kept {
        None => (&session.none, ""),
        Some(kept) if kept.begun => (&session.again, kept.id.as_str()),
        Some(kept) => (&session.first, kept.id.as_str()),
    };
    list.iter()
        .map(|arg| arg.replace("{id}", id).into())
        .collect()
}

/// Returns the model; `None` if it is missing, empty, `auto` or `omit`, so that the tool chooses.
pub fn explicit_model(model: Option<&str>) -> Option<&str> {
    model.filter(|name| !matches!(*name, "" | "auto" | "omit"))
}

pub(super) fn fill_name(args: &[String], name: &str) -> Vec<String> {
    args.iter().map(|arg| arg.replace("{name}", name)).collect()
}

/// Returns the keys of a table in the user's file that are safe to pass as an argument.
fn safe_table_keys(each: &ArgsPerTableKey, here: &Environment) -> Vec<String> {
    let plain = |name: &String| {
        !name.is_empty()
            && !name.starts_with('-')
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b))
    };
    let found = read_table_keys(&each.file, &each.table, here);
    found.into_iter().filter(plain).collect()
}
