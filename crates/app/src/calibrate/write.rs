//! What was measured, put into the user's configuration.

use std::fs;
use std::path::Path;

use agon_config::{commented_file, with_limit};
use agon_store::{RealDisk, write_file_atomically};

use super::document::CalibrationDoc;
use crate::caller::Caller;
use crate::configuration::{Whose, file_path};
use crate::failure::{Failure, FailureKind, store_failure};

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
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => commented_file(false),
        Err(error) => {
            let message = format!("cannot read {}: {error}", path.display());
            return Err(Failure::new(FailureKind::Config, "configuration", message));
        }
    };
    let Some(text) = with_limit(&text, &limit.setting()) else {
        let message = format!(
            "the limit cannot be put into {} without changing anything else",
            path.display()
        );
        let hint = format!(
            "put it there yourself (agon config edit):\n    {}",
            limit.configuration
        );
        let failure = Failure::new(FailureKind::Config, "configuration", message);
        return Err(failure.hint(hint));
    };
    if let Some(folder) = path.parent() {
        let made = fs::create_dir_all(folder);
        made.map_err(|error| Failure::from_error(FailureKind::Store, "store", &error))?;
    }
    // A file that is a link elsewhere stays one.
    let real = fs::canonicalize(&path).unwrap_or_else(|_| Path::to_owned(&path));
    write_file_atomically(&RealDisk, &real, text.as_bytes())
        .map_err(|error| store_failure(&error))?;
    document.written = Some(caller.display_path(&path));
    Ok(())
}
