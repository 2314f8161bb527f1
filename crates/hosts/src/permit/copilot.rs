//! Copilot CLI: switches at its start. A denial wins over whatever is allowed.

use serde_json::Value;

use super::PermissionScope;
use super::fault::GlobFault;
use super::form::{PermissionForm, PowerRules};
use super::glob::Glob;
use crate::content::agent::Power;

pub(super) const FORM: PermissionForm = PermissionForm {
    host: "copilot",
    may_loosen: false,
    can_say,
    can_except: None,
    write,
};

/// The switch that denies a tool.
pub(super) const DENY: &str = "--deny-tool";

fn can_say(glob: &Glob, scope: &PermissionScope<'_>) -> Result<(), GlobFault> {
    let path = glob.as_literal()?;
    scope.quotable_root(&['(', ')', ',', ':', '"', '\'', '\\'])?;
    if path.contains(['(', ')', ',', ':', '"', '\'']) {
        return Err(GlobFault("its switches cannot quote the path"));
    }
    match glob.covers_below() {
        true => Err(GlobFault("it knows files and no folders")),
        false => Ok(()),
    }
}

fn write(all: &[PowerRules], scope: &PermissionScope<'_>) -> String {
    let root = scope.root().map(|root| root.to_string_lossy());
    let root = root.unwrap_or_default();
    let mut args: Vec<Value> = Vec::new();
    let mut deny = |what: String| args.extend([DENY.into(), what.into()]);
    for held in all.iter().filter(|held| held.power == Power::Edit) {
        if held.base.is_some() {
            deny("write".to_owned());
        }
        for (_, glob) in &held.steps {
            let path = glob.as_literal().unwrap_or_default();
            deny(format!("write({root}/{path})"));
        }
    }
    Value::Array(args).to_string()
}
