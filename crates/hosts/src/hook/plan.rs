//! The end of a host's plan mode: its model presents a plan with a tool, and a hook sees the call.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agon_files::json_text::replace_lone_surrogates;
use serde_json::Value;

use super::call::{HookCallError, parse_json_string};

/// How the end of a host's plan mode is seen.
#[derive(Clone, Copy, Debug)]
pub struct PlanHook {
    /// The tool with which the model presents its plan.
    pub tool: &'static str,
    /// Returns where the plan is, if the call says so.
    pub source: fn(&PlanCall<'_>) -> Option<PlanSource>,
}

/// Where a plan is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanSource {
    /// In the call itself.
    Text(String),
    /// In this file.
    File(PathBuf),
}

/// A call of the tool that ends plan mode.
#[derive(Clone, Debug)]
pub struct PlanCall<'a> {
    call: Value,
    args: Value,
    vars: &'a BTreeMap<String, String>,
}

impl<'a> PlanCall<'a> {
    /// Parses the input of a hook; `vars` are the hook's environment variables.
    ///
    /// # Errors
    ///
    /// If the input is not JSON.
    pub fn read(text: &str, vars: &'a BTreeMap<String, String>) -> Result<Self, HookCallError> {
        let call: Value =
            serde_json::from_str(&replace_lone_surrogates(text)).map_err(HookCallError::of)?;
        let args = ["tool_input", "toolArgs"];
        let args = args.iter().find_map(|key| call.get(*key));
        let args = args.map_or(Value::Null, parse_json_string);
        Ok(Self { call, args, vars })
    }

    /// Returns the plan, if this is a call of the tool in `hook` and says where the plan is.
    pub fn plan(&self, hook: &PlanHook) -> Option<PlanSource> {
        let is_it = self.text(&["tool_name", "toolName"]) == Some(hook.tool);
        is_it.then(|| (hook.source)(self))?
    }

    /// Returns a text argument of the tool, unless it is empty.
    pub(crate) fn argument(&self, name: &str) -> Option<String> {
        let text = self.args.get(name)?.as_str()?;
        (!text.trim().is_empty()).then(|| text.to_owned())
    }

    /// Returns an environment variable, unless it is empty.
    pub(crate) fn variable(&self, name: &str) -> Option<&'a str> {
        let value = self.vars.get(name).map(String::as_str);
        value.filter(|it| !it.is_empty())
    }

    /// Returns the id of the session.
    pub(crate) fn session_id(&self) -> Option<&str> {
        self.text(&["session_id", "sessionId"])
    }

    fn text(&self, keys: &[&str]) -> Option<&str> {
        keys.iter().find_map(|key| self.call.get(*key)?.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::find_host;

    fn plan_of(host: &str, text: &str, vars: &[(&str, &str)]) -> Option<PlanSource> {
        let vars = vars.iter();
        let vars = vars.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let vars: BTreeMap<_, _> = vars.collect();
        let hook = find_host(host).unwrap().hooks.plan.unwrap();
        PlanCall::read(text, &vars).unwrap().plan(&hook)
    }

    // Recorded from claude 2.1.197, gemini 0.61.0 and copilot 1.0.102.
    #[test]
    fn the_plan_is_found_in_what_each_host_says() {
        let text = |text: &str| Some(PlanSource::Text(text.to_owned()));
        let file = |path: &str| Some(PlanSource::File(path.into()));
        let claude = |input: &str| {
            let call = format!(r#"{{"tool_name":"ExitPlanMode","tool_input":{input}}}"#);
            plan_of("claude", &call, &[])
        };
        assert_eq!(
            claude(r##"{"plan":"# Plan","planFilePath":"/p/a.md"}"##),
            text("# Plan")
        );
        assert_eq!(claude(r#"{"planFilePath":"/p/a.md"}"#), file("/p/a.md"));
        assert_eq!(claude(r#"{"plan":" \n"}"#), None);
        assert_eq!(claude("{}"), None);
        assert_eq!(
            plan_of(
                "claude",
                r#"{"tool_name":"Edit","tool_input":{"plan":"x"}}"#,
                &[]
            ),
            None
        );
        let plans = [("GEMINI_PLANS_DIR", "/plans")];
        let gemini = |name: &str, vars: &[(&str, &str)]| {
            let call = format!(
                r#"{{"tool_name":"exit_plan_mode","tool_input":{{"plan_filename":"{name}"}}}}"#
            );
            plan_of("gemini", &call, vars)
        };
        assert_eq!(gemini("plan.md", &plans), file("/plans/plan.md"));
        // Only a file in the folder of the plans is read.
        assert_eq!(gemini("../../etc/passwd", &plans), file("/plans/passwd"));
        assert_eq!(gemini("..", &plans), None);
        assert_eq!(gemini("plan.md", &[]), None);
    }

    #[test]
    fn the_plan_of_copilot_is_in_its_session() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("session-state/27cc0fe2-91ff");
        std::fs::create_dir_all(&folder).unwrap();
        let vars = [("COPILOT_HOME", home.path().to_str().unwrap())];
        let call = |session: &str| {
            let call = format!(
                r#"{{"sessionId":"{session}","toolName":"exit_plan_mode","toolArgs":{{"summary":"s"}}}}"#
            );
            plan_of("copilot", &call, &vars)
        };
        let summary = Some(PlanSource::Text("s".to_owned()));
        assert_eq!(call("27cc0fe2-91ff"), summary);
        std::fs::write(folder.join("plan.md"), "x").unwrap();
        let file = PlanSource::File(folder.join("plan.md"));
        assert_eq!(call("27cc0fe2-91ff"), Some(file));
        assert_eq!(call("../session-state/27cc0fe2-91ff"), summary);
    }

    #[test]
    fn what_is_not_a_call_has_no_plan() {
        let vars = BTreeMap::new();
        assert!(PlanCall::read("{", &vars).is_err());
        let hook = find_host("claude").unwrap().hooks.plan.unwrap();
        for text in [
            "[]",
            "1",
            "null",
            r#"{"tool_name":"ExitPlanMode","tool_input":[]}"#,
        ] {
            assert_eq!(PlanCall::read(text, &vars).unwrap().plan(&hook), None);
        }
    }
}
