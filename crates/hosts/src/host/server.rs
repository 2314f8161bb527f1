//! A server as a host writes it down.

use serde_json::{Value, json};

use crate::content::server::Server;
use crate::edit::ServerFormat;

/// How a host writes its servers down. Variables stand there by their names, never with values.
#[derive(Clone, Copy, Debug)]
pub struct ServerForm {
    /// Where they are.
    pub format: ServerFormat,
    /// One that is a program, started by this command line.
    pub(crate) program: fn(&[String]) -> Value,
    /// One at an address.
    pub(crate) address: fn(&str) -> Value,
    /// The variables of both.
    pub(crate) variables: ServerVariables,
}

/// How a host writes down which variables a server gets.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ServerVariables {
    /// As a map; an address gets a header with a token.
    Map {
        /// The key of the map.
        key: &'static str,
        /// What stands for the value of a variable.
        value: fn(&str) -> String,
    },
    /// As a list of names. A server gets no others of the user's.
    Names {
        /// The key of the list.
        key: &'static str,
        /// The key for the variable that has the token of an address.
        token_key: &'static str,
        /// Those that Agon's own server gets.
        own: fn() -> Vec<&'static str>,
    },
}

impl ServerForm {
    /// Agon's server, started by this command line.
    pub fn own_entry(&self, command: &[String]) -> Value {
        let mut entry = (self.program)(command);
        if let ServerVariables::Names { key, own, .. } = self.variables {
            entry[key] = json!(own());
        }
        entry
    }

    /// Another server.
    pub(crate) fn entry(&self, server: &Server) -> Value {
        let Some(url) = &server.url else {
            let mut entry = (self.program)(&server.command);
            match self.variables {
                _ if server.env.is_empty() => {}
                ServerVariables::Map { key, value } => {
                    let pairs = server.env.iter();
                    let pairs = pairs.map(|name| (name.clone(), Value::String(value(name))));
                    entry[key] = Value::Object(pairs.collect());
                }
                ServerVariables::Names { key, .. } => entry[key] = json!(server.env),
            }
            return entry;
        };
        let mut entry = (self.address)(url);
        match (self.variables, server.env.first()) {
            (_, None) => {}
            (ServerVariables::Map { value, .. }, Some(name)) => {
                let token = format!("Bearer {}", value(name));
                entry["headers"] = json!({"Authorization": token});
            }
            (ServerVariables::Names { token_key, .. }, Some(name)) => {
                entry[token_key] = name.as_str().into();
            }
        }
        entry
    }
}

/// A server with its program and its arguments apart, with `more` before them.
pub(super) fn command_and_args(command: &[String], more: Value) -> Value {
    let (program, args) = match command.split_first() {
        Some((program, args)) => (program.as_str(), args),
        None => ("", command),
    };
    let mut entry = more;
    entry["command"] = program.into();
    entry["args"] = args.into();
    entry
}

/// The variables of a server as most hosts have them.
pub(super) const ENV_IN_BRACES: ServerVariables = ServerVariables::Map {
    key: "env",
    value: |name| format!("${{{name}}}"),
};
