//! The codes of errors as documents: the list, and one with its page.

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

/// An error code in a line.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct CodeLine {
    /// The code, such as `missing_parameter`.
    pub code: Code,
    /// The family that it belongs to, such as `debates`.
    pub family: &'static str,
    /// The kind of cause that it has by default, which decides the exit code.
    pub kind: FailureKind,
    /// What went wrong.
    pub about: &'static str,
}

/// One error code, explained: `agon.error_code/1`.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct CodeDoc {
    schema: &'static str,
    /// The code in a line.
    #[serde(flatten)]
    pub line: CodeLine,
    /// The usual causes, then a list of commands that help, in Markdown.
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

/// Every error code, by family.
pub fn all() -> CodesDoc {
    CodesDoc {
        schema: "agon.errors/1",
        errors: Code::ALL.iter().copied().map(CodeLine::from).collect(),
    }
}

/// The error code of this name, explained.
///
/// # Errors
///
/// If there is none; the hint names what may have been meant.
pub fn explain(name: &str) -> Result<CodeDoc, Failure> {
    let code = Code::from_name(name).ok_or_else(|| {
        let names = Code::ALL.iter().map(|code| code.name());
        let message = format!("there is no error code `{name}`");
        Failure::new(Code::UnknownCode, message)
            .parameter("code")
            .hint(similar::hint(name, names, "`agon errors` lists them all"))
    })?;
    Ok(CodeDoc {
        schema: "agon.error_code/1",
        line: code.into(),
        explain: code.page().text,
    })
}
