//! The to-do list, from tool calls and from its files.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::json::{owned_at, str_at};
use crate::open_calls::OpenCalls;
use crate::{PlanChange, PlanItem, PlanState, RawText, ToolCall};

// Limited, because some calls never get a result.
/// Most open calls.
const MAX_OPEN: usize = 64;
/// Most files read of one list.
const MAX_FILES: usize = 1000;
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Open calls that add an item whose number comes with the result.
#[derive(Debug)]
pub(super) struct TaskCalls {
    open: OpenCalls<String>,
}

impl TaskCalls {
    pub(super) fn new() -> Self {
        Self {
            open: OpenCalls::new(MAX_OPEN),
        }
    }

    /// Returns the change that a call makes, unless it depends on the result.
    pub(super) fn call(&mut self, call: &ToolCall) -> Option<PlanChange> {
        match call.name.as_str() {
            "TaskCreate" => {
                let text = str_at(&call.arguments, "subject").to_owned();
                self.open.open(&call.id, text);
                None
            }
            "TaskUpdate" => Some(PlanChange::Updated {
                id: str_at(&call.arguments, "taskId").to_owned(),
                state: owned_at(&call.arguments, "status").map(|it| PlanState::from_word(&it)),
                text: owned_at(&call.arguments, "subject").map(RawText::from),
            }),
            "TodoWrite" => {
                let items = call.arguments.get("todos").and_then(Value::as_array)?;
                Some(PlanChange::Replaced(crate::plan::items_of(items)))
            }
            _ => None,
        }
    }

    /// Returns the change stated by a call's result, such as "Task #1 created …".
    pub(super) fn outcome(&mut self, call: &str, result: &str) -> Option<PlanChange> {
        let text = self.open.close(call)?;
        let number = result.split('#').nth(1)?;
        let id: String = number.chars().take_while(char::is_ascii_digit).collect();
        Some(PlanChange::Added(PlanItem {
            id,
            text: RawText::from(text),
            state: PlanState::Pending,
        }))
    }
}

/// Reads the list from its folder, one file per item.
pub(super) fn read(folder: &Path) -> Vec<PlanItem> {
    let Ok(files) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut items: Vec<PlanItem> = files
        .take(MAX_FILES)
        .filter_map(|file| {
            let path = file.ok()?.path();
            let is_item = path.extension().is_some_and(|it| it == "json");
            let bytes = is_item.then(|| agon_files::read(&path, MAX_FILE_BYTES).ok())??;
            let value: Value = serde_json::from_slice(&bytes).ok()?;
            Some(PlanItem {
                id: owned_at(&value, "id")?,
                text: RawText::from(str_at(&value, "subject")),
                state: PlanState::from_word(str_at(&value, "status")),
            })
        })
        .collect();
    items.sort_by_key(|it| it.id.parse::<u64>().unwrap_or(u64::MAX));
    items
}
