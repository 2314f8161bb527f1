//! Servers in a host's format.

use serde_json::{Value, json};

use crate::content::server::Server;
use crate::edit::ServerFormat;

/// A host's format for servers. Variables appear by name, never with their values.
#[derive(Clone, Copy, Debug)]
pub struct ServerForm {
    /// Format of the file.
    pub format: ServerFormat,
    /// Returns the entry of a program with this command line.
    pub(crate) program: fn(&[String]) -> Value,
    /// Returns the entry of a server with a URL.
    pub(crate) address: fn(&str) -> Value,
    /// Format of the variables of both.
    pub(crate) variables: ServerVariables,
}

/// A host's format for the variables that a server gets.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ServerVariables {
    /// A map; a server with a URL gets a header with a token.
    Map {
        /// The key of the map.
        key: &'static str,
        /// Returns the reference to a variable's value.
        value: fn(&str) -> String,
    },
    /// A list of names. A server does not get other variables of the user.
    Names {
        /// The key of the list.
        key: &'static str,
        /// The key for the variable with the token of a server with a URL.
        token_key: &'static str,
        /// Returns the variables for Agon's own server.
        own: fn() -> Vec<&'static str>,
    },
}

impl ServerForm {
    /// Returns the entry of Agon's server with this command line.
    pub fn agon_entry(&self, command: &[String]) -> Value {
        let mut entry = (self.program)(command);
        if let ServerVariables::Names { key, own, .. } = self.variables {
            entry[key] = json!(own());
        }
        entry
    }

    /// Returns the entry of another server.
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

/// Returns a server entry with `more`, then the program and arguments as separate keys.
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

/// The variable format of most hosts.
pub(super) const ENV_IN_BRACES: ServerVariables = ServerVariables::Map {
    key: "env",
    value: |name| format!("${{{name}}}"),
};
