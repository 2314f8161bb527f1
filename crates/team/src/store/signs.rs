//! Signs of life that members give by calling the team.

use crate::id::MemberName;
use crate::store::error::StoreError;
use crate::store::rows::signed;
use crate::store::write::Write;

/// Records when a member of an open session called the team.
pub(super) fn record_call(write: &Write<'_>) -> Result<(), StoreError> {
    let Some(name) = write.actor.name() else {
        return Ok(());
    };
    write
        .db
        .prepare_cached("UPDATE session SET team_call_ms = ?2 WHERE member = ?1 AND closed = 0")?
        .execute((name.as_str(), signed(write.now.uptime_ms)))?;
    Ok(())
}

/// Records when a member of an open session renewed its lease.
pub(super) fn record_renewal(write: &Write<'_>, member: &MemberName) -> Result<(), StoreError> {
    write
        .db
        .prepare_cached("UPDATE session SET renewal_ms = ?2 WHERE member = ?1 AND closed = 0")?
        .execute((member.as_str(), signed(write.now.uptime_ms)))?;
    Ok(())
}
