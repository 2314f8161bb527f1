//! What people who may only watch do not see: where the user's files and processes are.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use agon_caller::Caller;
use axum::body::{Body, to_bytes};
use axum::http::Response;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use serde_json::Value;

/// The fields of a member's session that name its files and its process.
const SESSION_FIELDS: [&str; 4] = ["work_tree", "log", "base", "pid"];
/// The fields of the usage that count other projects too.
const FIELDS_OF_ALL_PROJECTS: [&str; 2] = ["unattended", "month"];

/// The user's folders, and the text that replaces each.
#[derive(Clone, Debug)]
pub(crate) struct Private {
    /// The longest path first.
    folders: Vec<(String, &'static str)>,
}

impl Private {
    pub(crate) fn new(caller: &Caller) -> Self {
        let home = caller.vars_os.get(OsStr::new("HOME")).map(PathBuf::from);
        let home = home.or_else(std::env::home_dir);
        let project = caller.project();
        let known = [
            (Some(caller.cwd.clone()), "."),
            (Some(project), "."),
            (home, "~"),
        ];
        let mut folders = Vec::new();
        for (folder, shown) in known {
            let Some(folder) = folder else { continue };
            // A path can lead over links, and a message can name either form.
            let real = folder.canonicalize().unwrap_or_else(|_| folder.clone());
            for path in [folder, real] {
                let is_root = path.parent().is_none();
                if path.is_absolute() && !is_root {
                    folders.push((path.display().to_string(), shown));
                }
            }
        }
        folders.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        folders.dedup();
        Self { folders }
    }

    /// Returns the text without the absolute paths of the user's folders.
    pub(crate) fn mask(&self, text: &str) -> String {
        let mut masked = text.to_owned();
        for (path, shown) in &self.folders {
            masked = replace_path(&masked, path, shown);
        }
        masked
    }

    /// As [`Self::mask`], for the whole body of a reply that is not a stream.
    pub(crate) async fn mask_reply(&self, reply: Response<Body>) -> Response<Body> {
        let kind = reply.headers().get(CONTENT_TYPE);
        if kind.is_some_and(|kind| kind == "text/event-stream") {
            return reply;
        }
        let (mut parts, body) = reply.into_parts();
        // A whole body is in memory already.
        let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
        let masked = self.mask(&String::from_utf8_lossy(&bytes));
        parts.headers.remove(CONTENT_LENGTH);
        Response::from_parts(parts, Body::from(masked))
    }
}

/// Replaces a path where it ends or continues with a slash, not within a longer name.
fn replace_path(text: &str, path: &str, shown: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(path) {
        let is_longer = after.starts_with(|c: char| c.is_alphanumeric() || "_-".contains(c));
        replaced.push_str(before);
        replaced.push_str(if is_longer { path } else { shown });
        rest = after;
    }
    replaced + rest
}

/// Removes the fields of a document that concern only the user: files and processes of sessions,
/// why a folder cannot be read, and the usage in other projects.
pub(crate) fn reduce(document: &mut Value) {
    if let Value::Object(fields) = document {
        for name in FIELDS_OF_ALL_PROJECTS {
            fields.remove(name);
        }
    }
    reduce_nested(document);
}

fn reduce_nested(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(reduce_nested),
        Value::Object(fields) => {
            if fields.contains_key("work_tree") {
                for name in SESSION_FIELDS {
                    fields.remove(name);
                }
            }
            let is_unreadable = fields.get("error").is_some_and(Value::is_string);
            if let Some(Value::String(folder)) = fields.get_mut("folder") {
                *folder = name_of(folder);
                if is_unreadable {
                    fields.insert("error".to_owned(), "it cannot be read".into());
                }
            }
            fields.values_mut().for_each(reduce_nested);
        }
        _ => {}
    }
}

/// Returns the last segment of a path.
pub(crate) fn name_of(path: &str) -> String {
    let name = Path::new(path).file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_folder_of_the_user_is_shortened_and_a_longer_name_is_kept() {
        let vars = [("HOME".into(), "/users/u".into())];
        let private = Private::new(&Caller::new(vars.into(), "/users/u/code/tabs"));
        for (text, shown) in [
            (
                "cannot read /users/u/code/tabs/a.rs: x",
                "cannot read ./a.rs: x",
            ),
            ("/users/u/code/tabs", "."),
            ("/users/u/code/tabs-old", "~/code/tabs-old"),
            ("\"/users/u\" /users/u2 /users/u", "\"~\" /users/u2 ~"),
            ("/", "/"),
        ] {
            assert_eq!(private.mask(text), shown);
        }
    }

    #[test]
    fn a_root_folder_as_home_hides_nothing() {
        let vars = [("HOME".into(), "/".into())];
        let private = Private::new(&Caller::new(vars.into(), "/"));
        assert_eq!(private.mask("a / b /etc"), "a / b /etc");
    }

    #[test]
    fn a_document_loses_what_concerns_only_the_user() {
        let mut document = json!({
            "month": 1,
            "members": [{"session": {"work_tree": null, "log": "/x", "pid": 7, "base": "c", "state": "busy"}}],
            "unreadable": [{"folder": "/srv/debates/bad", "error": "/srv: denied"}],
        });
        reduce(&mut document);
        assert_eq!(
            document,
            json!({
                "members": [{"session": {"state": "busy"}}],
                "unreadable": [{"folder": "bad", "error": "it cannot be read"}],
            })
        );
    }
}
