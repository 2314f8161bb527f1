//! The default context of a duel.

use agon_caller::{Caller, Code, Failure};
use agon_record::spec::{Context, DefaultContext, Seating};
use agon_seats::tools::Tools;

use crate::sources::{self, PinnedWithFiles, SourceRequest};

/// The context, its pinned source, and the reason for it if the user did not choose it.
pub(crate) type GivenContext = (Context, Option<PinnedWithFiles>, Option<DefaultContext>);

/// Reads and pins the context `given`. Without one, uses the caller's repository if all tools in
/// `seatings` can read it, otherwise nothing.
///
/// # Errors
///
/// As [`sources::read_and_pin_context`], for the context `given`.
pub(crate) async fn read_and_pin(
    caller: &Caller,
    given: Option<&str>,
    wanted: SourceRequest<'_>,
    tools: &Tools,
    seatings: impl Iterator<Item = &Seating>,
) -> Result<GivenContext, Failure> {
    let of = |context| SourceRequest { context, ..wanted };
    // Pasted texts replace the default context, because the user wants exactly them to be read.
    let given = given.or((!wanted.pasted.is_empty()).then_some("none"));
    if let Some(given) = given {
        let (context, pin) = sources::read_and_pin_context(caller, of(given)).await?;
        return Ok((context, pin, None));
    }
    let hindrance = match caller.is_in_work_tree() {
        false => Some(DefaultContext::Outside),
        true => tools
            .first_without_folder_access(seatings)
            .map(|tool| DefaultContext::CannotRead { tool: tool.clone() }),
    };
    let why = match hindrance {
        Some(why) => why,
        None => match sources::read_and_pin_context(caller, of("repo")).await {
            Ok((context, pin)) => return Ok((context, pin, Some(DefaultContext::Repository))),
            Err(refused) if refused.code == Code::ContextRefused => DefaultContext::Unusable {
                why: refused.message,
            },
            Err(failure) => return Err(failure),
        },
    };
    let (context, pin) = sources::read_and_pin_context(caller, of("none")).await?;
    Ok((context, pin, Some(why)))
}
