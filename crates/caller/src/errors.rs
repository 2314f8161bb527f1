//! The documents of error codes: the list, and one code with its page.

use schemars::JsonSchema;
use serde::Serialize;

use crate::code::{Code, FailureKind};
use crate::failure::Failure;
use crate::similar;

/// Every error code, by family: `agon.errors/1`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CodesDoc {
    schema: &'static str,
    /// The codes.
    pub errors: Vec<CodeLine>,
}

/// An error code on one line.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct CodeLine {
    /// The code, such as `missing_parameter`.
    pub code: Code,
    /// Its family, such as `debates`.
    pub family: &'static str,
    /// The default kind of cause, which decides the exit code.
    pub kind: FailureKind,
    /// What went wrong.
    pub about: &'static str,
}

/// One error code, explained: `agon.error_code/1`.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct CodeDoc {
    schema: &'static str,
    /// The code on one line.
    #[serde(flatten)]
    pub line: CodeLine,
    /// The usual causes, followed by a list of commands that help, in Markdown.
    pub explain: &'static str,
}

impl From<Code> for CodeLine {
    fn from(code: Code) -> Self {
        Self {
            code,
            family: code.family().name,
            kind: code.kind(),
            about: code.page().about,
        }
    }
}

/// Returns every error code, by family.
pub fn all() -> CodesDoc {
    CodesDoc {
        schema: "agon.errors/1",
        errors: Code::ALL.iter().copied().map(CodeLine::from).collect(),
    }
}

/// Returns the explanation of the error code with this name.
///
/// # Errors
///
/// Returns an error if there is no such code; its hint suggests similar names.
pub fn explain(name: &str) -> Result<CodeDoc, Failure> {
    let code = Code::from_name(name).ok_or_else(|| {
        let names = Code::ALL.iter().map(|code| code.name());
        let message = format!("unknown error code `{name}`");
        Failure::new(Code::UnknownCode, message)
            .parameter("code")
            .hint(similar::hint(name, names, "`agon errors` lists all codes"))
    })?;
    Ok(CodeDoc {
        schema: "agon.error_code/1",
        line: code.into(),
        explain: code.page().text,
    })
}
