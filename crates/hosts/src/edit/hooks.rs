//! Inserts list entries (hooks and permission rules) below a key of a JSON configuration and removes
//! them.

use jsonc_parser::cst::CstRootNode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::json::{edit, input};
use super::{EditError, Splice, exact, split_byte_order_mark};
use crate::json::Dialect;

/// Key of the hooks in a host's configuration, and of the commands in an entry.
pub(crate) const HOOKS: &str = "hooks";

/// A group of lists in a configuration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lists {
    /// The key above the lists.
    pub(crate) key: &'static str,
    /// The JSON dialect of the configuration.
    pub(crate) dialect: Dialect,
}

impl Lists {
    /// Returns whether `text` can be parsed.
    pub(crate) fn can_parse(self, text: &str) -> bool {
        value_of(text, self.dialect).is_ok()
    }
}

/// An entry of a list of hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookEntry {
    /// The host's name of the event.
    pub event: &'static str,
    /// The entry.
    pub entry: Value,
}

/// An inserted entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutHook {
    /// The event whose list contains it.
    pub event: String,
    /// The entry.
    pub entry: Value,
    /// Whether Agon created the list for it.
    pub is_list_ours: bool,
}

/// Returns, for each entry, whether it is in `text`.
pub(crate) fn contains_entries(
    text: &str,
    lists: Lists,
    hooks: &[PutHook],
) -> Result<Vec<bool>, EditError> {
    let root = value_of(text, lists.dialect)?;
    let has = |hook: &PutHook| {
        let list = root.get(lists.key).and_then(|hooks| hooks.get(&hook.event));
        list.and_then(Value::as_array)
            .is_some_and(|list| list.contains(&hook.entry))
    };
    Ok(hooks.iter().map(has).collect())
}

/// Returns, for each hook, whether `text` has an entry that runs the same command but is not in
/// `known`: an entry that the user edited or wrote.
pub(crate) fn has_other_entry_for(
    text: &str,
    lists: Lists,
    hooks: &[PutHook],
    known: &[PutHook],
) -> Result<Vec<bool>, EditError> {
    let root = value_of(text, lists.dialect)?;
    let has = |hook: &PutHook| {
        let list = root.get(lists.key).and_then(|hooks| hooks.get(&hook.event));
        let list = list
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice);
        let is_known = |entry: &Value| {
            let mut known = known.iter().filter(|it| it.event == hook.event);
            *entry == hook.entry || known.any(|known| known.entry == *entry)
        };
        let asked = hook_calls(&hook.entry);
        let asks_the_same = |entry: &&Value| {
            let found = hook_calls(entry);
            !is_known(entry) && found.iter().any(|line| asked.contains(line))
        };
        list.iter().any(|entry| asks_the_same(&entry))
    };
    Ok(hooks.iter().map(has).collect())
}

/// Returns the hook calls in the commands of an entry, such as `hook claude stop`, without the path of
/// the program.
fn hook_calls(entry: &Value) -> Vec<String> {
    let hooks = entry.get(HOOKS).and_then(Value::as_array);
    let lines = hooks.into_iter().flatten();
    let lines = lines.filter_map(|hook| hook.get("command").and_then(Value::as_str));
    let asked = lines.filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = words.iter().rposition(|word| *word == "hook")?;
        let asked = words.get(at..at + 3)?;
        Some(asked.join(" "))
    });
    asked.collect()
}

/// Returns the entries to insert into `text`, and whether the map of lists must be created.
pub(crate) fn entries_to_insert(
    text: &str,
    lists: Lists,
    entries: &[HookEntry],
) -> Result<(Vec<PutHook>, bool), EditError> {
    let root = value_of(text, lists.dialect)?;
    let map = root.get(lists.key);
    let put = entries.iter().map(|hook| PutHook {
        event: hook.event.to_owned(),
        entry: hook.entry.clone(),
        is_list_ours: map.and_then(|map| map.get(hook.event)).is_none(),
    });
    Ok((put.collect(), map.is_none()))
}

/// Returns `text` with the entries, none of which is in it yet.
///
/// # Errors
///
/// If the edit would change anything else.
pub(crate) fn insert(text: &str, lists: Lists, hooks: &[PutHook]) -> Result<String, EditError> {
    let (mark, text) = split_byte_order_mark(text);
    let mut wanted = value_of(text, lists.dialect)?;
    let no_map = || EditError::NoMap(lists.key.to_owned());
    let map = wanted
        .entry(lists.key)
        .or_insert_with(|| Value::Object(Map::new()));
    let map = map.as_object_mut().ok_or_else(no_map)?;
    for hook in hooks {
        let list = map
            .entry(&hook.event)
            .or_insert_with(|| Value::Array(Vec::new()));
        list.as_array_mut()
            .ok_or_else(no_map)?
            .push(hook.entry.clone());
    }
    let edited = edit(text, lists.dialect, |root| {
        let object = root.object_value_or_create().ok_or_else(no_map)?;
        let map = object
            .object_value_or_create(lists.key)
            .ok_or_else(no_map)?;
        for hook in hooks {
            let list = map.array_value_or_create(&hook.event).ok_or_else(no_map)?;
            list.ensure_multiline();
            list.append(input(&hook.entry));
        }
        Ok(())
    })?;
    exact(mark, edited, &wanted, |text| value_of(text, lists.dialect))
}

/// Returns `text` without the entries, without the lists created for them and, if `owns_map`, without
/// an empty map of lists.
///
/// # Errors
///
/// If the edit would change anything else.
pub(crate) fn remove(
    text: &str,
    lists: Lists,
    hooks: &[PutHook],
    owns_map: bool,
    splices: &[Splice],
) -> Result<String, EditError> {
    let (mark, bare) = split_byte_order_mark(text);
    let wanted = without(bare, lists, hooks, owns_map)?;
    // Prefer an exact undo, which works if the inserted text is unchanged.
    let undone = splices.iter().filter_map(|splice| splice.undo(text));
    for undone in undone {
        let (_, after) = split_byte_order_mark(&undone);
        if value_of(after, lists.dialect).is_ok_and(|found| found == wanted) {
            return Ok(undone);
        }
    }
    let edited = edit(bare, lists.dialect, |root| {
        take_out(root, lists.key, hooks, owns_map);
        Ok(())
    })?;
    exact(mark, edited, &wanted, |text| value_of(text, lists.dialect))
}

fn take_out(root: &CstRootNode, key: &str, hooks: &[PutHook], owns_map: bool) {
    let Some(object) = root.object_value() else {
        return;
    };
    let Some(map) = object.object_value(key) else {
        return;
    };
    for hook in hooks {
        let Some(list) = map.array_value(&hook.event) else {
            continue;
        };
        let is_it = |node: &jsonc_parser::cst::CstNode| {
            node.to_serde_value()
                .is_some_and(|value| value == hook.entry)
        };
        if let Some(node) = list.elements().into_iter().find(is_it) {
            node.remove();
        }
        if hook.is_list_ours
            && list.elements().is_empty()
            && let Some(property) = map.get(&hook.event)
        {
            property.remove();
        }
    }
    if owns_map
        && map.properties().is_empty()
        && let Some(property) = object.get(key)
    {
        property.remove();
    }
}

fn without(
    text: &str,
    lists: Lists,
    hooks: &[PutHook],
    owns_map: bool,
) -> Result<Map<String, Value>, EditError> {
    let mut root = value_of(text, lists.dialect)?;
    let Some(Value::Object(map)) = root.get_mut(lists.key) else {
        return Ok(root);
    };
    for hook in hooks {
        let Some(Value::Array(list)) = map.get_mut(&hook.event) else {
            continue;
        };
        if let Some(at) = list.iter().position(|entry| *entry == hook.entry) {
            list.remove(at);
        }
        if list.is_empty() && hook.is_list_ours {
            map.shift_remove(&hook.event);
        }
    }
    if map.is_empty() && owns_map {
        root.shift_remove(lists.key);
    }
    Ok(root)
}

fn value_of(text: &str, dialect: Dialect) -> Result<Map<String, Value>, EditError> {
    let (_, text) = split_byte_order_mark(text);
    match dialect.parse(text).map_err(EditError::Unreadable)? {
        None => Ok(Map::new()),
        Some(Value::Object(root)) => Ok(root),
        Some(_) => Err(EditError::Unreadable("it is not a map".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PLAIN: Lists = Lists {
        key: HOOKS,
        dialect: Dialect::Plain,
    };
    const COMMENTS: Lists = Lists {
        key: HOOKS,
        dialect: Dialect::Comments,
    };

    fn entries() -> Vec<HookEntry> {
        ["PreToolUse", "Stop"]
            .map(|event| HookEntry {
                event,
                entry: json!({"hooks": [{"type": "command", "command": format!("agon hook {event}")}]}),
            })
            .into()
    }

    const TEXTS: [&str; 7] = [
        "",
        "{}",
        "{\n  \"model\": \"x\"\n}\n",
        "{\"hooks\": {}}",
        "{\n\t// mine\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]} // last\n\t\t],\n\t\t\"Other\": []\n\t},\n\t\"z\": [1, 2]\n}\n",
        "{\r\n  \"a\": 1,\r\n  \"hooks\": {\"Stop\": []}\r\n}\r\n",
        "\u{feff}{ \"hooks\" : { \"PreToolUse\" : [ { } ] } }",
    ];

    #[test]
    fn entries_are_put_in_beside_what_is_there_and_taken_out_to_the_byte() {
        let lists = COMMENTS;
        for text in TEXTS {
            let (put, made_map) = entries_to_insert(text, lists, &entries()).unwrap();
            assert_eq!(contains_entries(text, lists, &put).unwrap(), [false, false]);
            let after = insert(text, lists, &put).unwrap();
            assert_eq!(
                contains_entries(&after, lists, &put).unwrap(),
                [true, true],
                "{after}"
            );
            let splice = Splice::between(text, &after);
            let undone = remove(&after, lists, &put, made_map, &[splice]).unwrap();
            assert_eq!(undone, text);
            // If the surrounding text has changed, the entries are removed all the same.
            let undone = remove(&after, lists, &put, made_map, &[]).unwrap();
            let values = [undone.as_str(), text].map(|text| value_of(text, lists.dialect).unwrap());
            assert_eq!(values[0], values[1], "{undone}");
        }
    }

    #[test]
    fn what_a_user_added_since_stays() {
        let lists = PLAIN;
        let (put, made_map) = entries_to_insert("", lists, &entries()).unwrap();
        let after = insert("", lists, &put).unwrap();
        let edited = after.replacen("[", "[{\"mine\": 1}, ", 1);
        let splice = Splice::between("", &after);
        let undone = remove(&edited, lists, &put, made_map, &[splice]).unwrap();
        let left = serde_json::from_str::<Value>(&undone).unwrap();
        assert_eq!(left, json!({"hooks": {"PreToolUse": [{"mine": 1}]}}));
    }

    #[test]
    fn a_file_whose_hooks_are_no_lists_is_left_alone() {
        for text in ["{\"hooks\": []}", "{\"hooks\": {\"Stop\": {}}}", "[]", "{"] {
            let put = entries_to_insert(text, PLAIN, &entries())
                .and_then(|(put, _)| insert(text, PLAIN, &put));
            assert!(put.is_err(), "{text}: {put:?}");
        }
    }
}
