//! The effective configuration of a caller, with its sources.

mod file;
mod team;

use agon_config::{KEYS, Key, Sourced};
use agon_redact::Redactor;
use schemars::JsonSchema;
use serde::Serialize;

pub use team::{ConfigPart, TeamSettingDoc};

use agon_caller::{Caller, Failure, settings};
pub use file::{
    CheckedConfiguration, ConfigFile, ConfigFiles, ConfigWritten, check, edit, files,
    sets_team_setting, unknown_variables, write_commented_file,
};

/// The effective configuration: `agon.config/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConfigurationDoc {
    schema: &'static str,
    /// All values that are set.
    pub settings: Vec<SettingDoc>,
    /// Keys that are not set.
    pub unset: Vec<&'static str>,
    /// All values of a team's settings, by file.
    pub team: Vec<TeamSettingDoc>,
}

/// Request for the configuration.
#[derive(Clone, Debug, Default)]
pub struct ConfigurationRequest {
    /// Whether to include the source of every value.
    pub with_sources: bool,
    /// Only these parts; all if empty.
    pub parts: Vec<ConfigPart>,
    /// Team profile to use instead of the configured one.
    pub team_profile: Option<String>,
}

/// A value that is set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SettingDoc {
    /// Its key, such as `tools.claude.model`.
    pub key: String,
    /// Its value, unless it is a secret.
    pub value: String,
    /// Where it is set, if sources were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// Returns the effective configuration of `caller`.
///
/// # Errors
///
/// Those of [`settings::resolve`], or if a file of a team's settings is not valid.
pub fn configuration(
    caller: &Caller,
    request: &ConfigurationRequest,
) -> Result<ConfigurationDoc, Failure> {
    let redactor = Redactor::new();
    let mut document = ConfigurationDoc {
        schema: "agon.config/1",
        settings: Vec::new(),
        unset: Vec::new(),
        team: team::settings(caller, request, &redactor)?,
    };
    if !request.parts.is_empty() && !request.parts.contains(&ConfigPart::Config) {
        return Ok(document);
    }
    let resolved = settings::resolve(caller)?;
    let is_set = |key: &&Key| {
        let of_it = |set: &Sourced| set.key.split('.').next() == Some(key.name);
        resolved.sources.iter().any(of_it)
    };
    let unset = KEYS.iter().filter(|key| !is_set(key));
    document.unset = unset.map(|key| key.name).collect();
    let setting = |sourced: Sourced| SettingDoc {
        value: mask_secret_value(&redactor, &sourced),
        key: sourced.key,
        source: request.with_sources.then_some(sourced.source),
    };
    document.settings = resolved.sources.into_iter().map(setting).collect();
    Ok(document)
}

/// Returns the value, or a placeholder if it is a secret or its name suggests one.
fn mask_secret_value(redactor: &Redactor, sourced: &Sourced) -> String {
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
    let is_bound = last.starts_with("max_") || matches!(last, "daily_tokens" | "monthly_tokens");
    let named = last
        .split(['_', '-'])
        .any(|word| words.contains(&word.trim_end_matches('s')) && !is_bound);
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
            mask_secret_value(&Redactor::new(), &Sourced { key, value, source })
        };
        let token = concat!("ghp", "_16C7e42F292c6912E7710c838347Ae178B4a");
        assert_eq!(
            shown("tools.x.env.GH", &format!("\"{token}\"")),
            "\"[redacted:github-token]\""
        );
        assert_eq!(shown("tools.x.env.MY_API_KEY", "\"abc\""), "\"[hidden]\"");
        assert_eq!(shown("tools.x.env.TOKENS", "\"abc\""), "\"[hidden]\"");
        for bound in ["max_tokens", "daily_tokens", "monthly_tokens"] {
            assert_eq!(shown(bound, "250000"), "250000");
        }
        assert_eq!(shown("proposer", "\"claude\""), "\"claude\"");
    }
}
