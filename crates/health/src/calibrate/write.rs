//! What was measured, put into the user's configuration.

use agon_caller::settings_file::{Whose, change_file, file_path};
use agon_caller::{Caller, Failure, FailureKind};
use agon_config::with_limit;

use super::document::CalibrationDoc;

/// Puts the limit that `document` proposes into the user's configuration, in the place of the one
/// for the same model; says in it where.
///
/// # Errors
///
/// If nothing is proposed, not all calls were made, the model is not known by name, or the file would
/// come to say anything else.
pub fn write(caller: &Caller, document: &mut CalibrationDoc) -> Result<(), Failure> {
    let refusal = |message: &str, hint: &str| {
        let failure = Failure::new(FailureKind::Usage, "nothing_to_write", message);
        Err(failure.parameter("write").hint(hint))
    };
    if !document.is_complete {
        return refusal(
            "not all calls were made",
            "the same command makes the others",
        );
    }
    let Some(limit) = &document.limit else {
        return refusal(
            "no fall was found, so that there is no limit to write",
            "measure longer prompts: --lengths names them",
        );
    };
    if limit.model.is_none() {
        return refusal(
            "it is not known which model this was",
            "name it: --model; the limit holds for models whose name begins so",
        );
    }
    let path = file_path(caller, Whose::User)?;
    let setting = limit.setting();
    change_file(
        &path,
        Whose::User,
        |text| with_limit(text, &setting),
        || {
            let message = format!(
                "the limit cannot be put into {} without changing anything else",
                path.display()
            );
            let hint = format!(
                "put it there yourself (agon config edit):\n    {}",
                limit.configuration
            );
            Failure::new(FailureKind::Config, "configuration", message).hint(hint)
        },
    )?;
    document.written = Some(caller.display_path(&path));
    Ok(())
}
