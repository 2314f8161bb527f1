//! The invariants of mail.

use rusqlite::Connection;

use crate::store::doctor::{Case, case};
use crate::store::error::StoreError;

pub(super) fn cases(db: &Connection, cases: &mut Vec<Case>) -> Result<(), StoreError> {
    let mut statement = db.prepare(
        "SELECT id FROM message
         WHERE NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.message = message.id)",
    )?;
    let mut rows = statement.query(())?;
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        cases.push(case(
            "mail-has-readers",
            format!("m{id} has no recipient"),
            None,
        ));
    }
    let mut statement = db.prepare(
        "SELECT max(CASE WHEN delivered_ms IS NOT NULL THEN message END) AS later,
                min(CASE WHEN delivered_ms IS NULL THEN message END) AS earlier, member
         FROM delivery JOIN message ON message.id = delivery.message
         GROUP BY member, thread HAVING later > earlier",
    )?;
    let mut rows = statement.query(())?;
    while let Some(row) = rows.next()? {
        let (later, earlier, member): (i64, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let found = format!("{member} got m{later} before m{earlier}");
        cases.push(case("mail-in-order", found, None));
    }
    Ok(())
}
