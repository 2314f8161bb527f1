//! `agon config show`: the configuration that holds here, and where it comes from.

use agon_app::settings;
use agon_config::{Layer, Sourced};
use agon_redact::Redactor;
use serde::Serialize;

use crate::args::{ConfigCommand, Global};
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::{Out, columns};

#[derive(Serialize)]
struct Shown {
    key: String,
    value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    settings: Vec<Shown>,
}

/// Prints every value that is set.
pub(crate) fn run(
    edge: &Edge,
    global: &Global,
    command: &ConfigCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let ConfigCommand::Show { sources } = command;
    let resolved = settings::resolve(edge, &Layer::default())?;
    let redactor = Redactor::new();
    let shown = |sourced: Sourced| Shown {
        value: open_value(&redactor, &sourced),
        key: sourced.key,
        source: sources.then_some(sourced.source),
    };
    let settings: Vec<_> = resolved.sources.into_iter().map(shown).collect();
    if global.json {
        out.json(&Document {
            schema: "agon.config/1",
            settings,
        })?;
        return Ok(Exit::Done);
    }
    let row = |shown: Shown| {
        let set = format!("{} = {}", shown.key, shown.value);
        [
            set,
            shown
                .source
                .map(|from| format!("# {from}"))
                .unwrap_or_default(),
        ]
    };
    out.data(&columns(&settings.into_iter().map(row).collect::<Vec<_>>()))?;
    Ok(Exit::Done)
}

/// The value, unless it is a secret or its name says that it is one.
fn open_value(redactor: &Redactor, sourced: &Sourced) -> String {
    let name = sourced.key.to_lowercase();
    let last = name.rsplit('.').next().unwrap_or(&name);
    let words = [
        "key",
        "token",
        "secret",
        "password",
        "passwd",
        "credential",
        "auth",
    ];
    let named = last
        .split(['_', '-'])
        .any(|word| words.contains(&word.trim_end_matches('s')) && !last.starts_with("max_"));
    if named {
        return "\"[hidden]\"".to_owned();
    }
    redactor.redact(&sourced.value).text.replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_secret_by_name_or_by_form_is_not_shown() {
        let shown = |key: &str, value: &str| {
            let [key, value, source] = [key, value, "flag"].map(str::to_owned);
            open_value(&Redactor::new(), &Sourced { key, value, source })
        };
        let token = concat!("ghp", "_16C7e42F292c6912E7710c838347Ae178B4a");
        assert_eq!(
            shown("tools.x.env.GH", &format!("\"{token}\"")),
            "\"[redacted:github-token]\""
        );
        assert_eq!(shown("tools.x.env.MY_API_KEY", "\"abc\""), "\"[hidden]\"");
        assert_eq!(shown("tools.x.env.TOKENS", "\"abc\""), "\"[hidden]\"");
        assert_eq!(shown("max_tokens", "250000"), "250000");
        assert_eq!(shown("proposer", "\"claude\""), "\"claude\"");
    }
}
