//! Finds models that the installed tools use or offer and that are not in the table of limits.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use agon_caller::Caller;
use agon_config::{ModelTable, Settings, normalize_model};
use serde_json::Value;

use super::examined::ExaminedTool;

/// Maximum size of a tool's settings file, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// Where a tool stores the model that its user chose.
struct ModelSetting {
    tool: &'static str,
    /// The variable that moves its folder, and the folder below the home directory.
    variable: &'static str,
    folder: &'static str,
    file: &'static str,
    /// The path of the model in the file.
    pointer: &'static str,
}

const SETTINGS: [ModelSetting; 6] = [
    ModelSetting {
        tool: "claude",
        variable: "CLAUDE_CONFIG_DIR",
        folder: ".claude",
        file: "settings.json",
        pointer: "/model",
    },
    ModelSetting {
        tool: "codex",
        variable: "CODEX_HOME",
        folder: ".codex",
        file: "config.toml",
        pointer: "/model",
    },
    ModelSetting {
        tool: "gemini",
        variable: "",
        folder: ".gemini",
        file: "settings.json",
        pointer: "/model/name",
    },
    ModelSetting {
        tool: "opencode",
        variable: "",
        folder: ".config/opencode",
        file: "opencode.json",
        pointer: "/model",
    },
    ModelSetting {
        tool: "opencode",
        variable: "",
        folder: ".config/opencode",
        file: "opencode.jsonc",
        pointer: "/model",
    },
    ModelSetting {
        tool: "copilot",
        variable: "COPILOT_HOME",
        folder: ".copilot",
        file: "settings.json",
        pointer: "/model",
    },
];

/// Returns the models without limits in the table or the configuration, in order.
pub(super) fn models_without_limits(
    caller: &Caller,
    settings: &Settings,
    tools: &[ExaminedTool<'_>],
) -> Vec<String> {
    let mut names: BTreeSet<String> = settings.model.values().cloned().collect();
    for tool in tools.iter().filter(|it| it.is_present()) {
        let profile = &tool.found.profile;
        if let Some(classes) = &profile.classes {
            names.extend([&classes.fast, &classes.standard, &classes.strong].map(String::clone));
        }
        names.extend(profile.http.iter().map(|it| it.model.clone()));
        names.extend(chosen_models(caller, profile.name.as_str()));
    }
    let is_own = |name: &str| {
        let name = normalize_model(name);
        let mut own = settings.limits.iter();
        own.any(|it| name.starts_with(&normalize_model(&it.model)))
    };
    // An alias such as `opus` has no version and needs no limits: the session record names the
    // actual model.
    let is_version = |name: &str| name.bytes().any(|it| it.is_ascii_digit());
    // The names come from files and are printed, so names with control characters are skipped.
    let is_plain = |name: &str| name.bytes().all(|it| it.is_ascii_graphic());
    let table = ModelTable::builtin();
    names.retain(|it| is_version(it) && is_plain(it) && table.row(it).is_none() && !is_own(it));
    names.into_iter().collect()
}

/// Returns the models in the tool's own settings.
fn chosen_models(caller: &Caller, tool: &str) -> Vec<String> {
    let of_tool = SETTINGS.iter().filter(|it| it.tool == tool);
    of_tool
        .filter_map(|it| read_model(&folder_of(caller, it)?.join(it.file), it.pointer))
        .collect()
}

fn folder_of(caller: &Caller, setting: &ModelSetting) -> Option<PathBuf> {
    let moved = caller.vars.get(setting.variable);
    match moved.filter(|it| !it.is_empty()) {
        Some(folder) => Some(PathBuf::from(folder)),
        None => Some(Path::new(caller.vars.get("HOME")?).join(setting.folder)),
    }
}

fn read_model(file: &Path, pointer: &str) -> Option<String> {
    let text = agon_files::read_to_string(file, MAX_BYTES).ok()?;
    let value: Value = match file.extension().is_some_and(|it| it == "toml") {
        true => serde_json::to_value(text.parse::<toml::Table>().ok()?).ok()?,
        // JSON with comments does not parse and is skipped; the session record names the model
        // anyway.
        false => serde_json::from_str(&text).ok()?,
    };
    let model = value.pointer(pointer)?.as_str()?;
    Some(model.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_in_the_settings_of_a_tool_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let toml = write(
            "config.toml",
            "model = \"gpt-9\"\n[mcp_servers.a]\ncommand = \"b\"\n",
        );
        assert_eq!(read_model(&toml, "/model").as_deref(), Some("gpt-9"));
        let json = write("settings.json", r#"{"model": {"name": "gemini-9-pro"}}"#);
        assert_eq!(
            read_model(&json, "/model/name").as_deref(),
            Some("gemini-9-pro")
        );
        let broken = write("broken.json", "{");
        assert_eq!(read_model(&broken, "/model"), None);
        assert_eq!(read_model(&folder.path().join("none.json"), "/model"), None);
    }
}
