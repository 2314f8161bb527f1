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
            format!("m{id} goes to no member"),
            None,
        ));
    }
    let mut statement = db.prepare(
        "SELECT later.message, earlier.message, later.member
         FROM delivery AS later JOIN message AS late ON late.id = later.message
         JOIN delivery AS earlier ON earlier.member = later.member AND earlier.message < later.message
         JOIN message AS early ON early.id = earlier.message AND early.thread = late.thread
         WHERE later.delivered_ms IS NOT NULL AND earlier.delivered_ms IS NULL",
    )?;
    let mut rows = statement.query(())?;
    while let Some(row) = rows.next()? {
        let (later, earlier, member): (i64, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let found = format!("{member} got m{later} and not m{earlier} before it");
        cases.push(case("mail-in-order", found, None));
    }
    Ok(())
}
