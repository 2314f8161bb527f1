//! Adds settings to a configuration file without changing other lines.

use toml::{Table, Value};

/// Returns a model's name as used in rows of `limits`: without its provider, in lower case, with
/// `-` for `.`.
pub fn normalize_model(model: &str) -> String {
    let name = model.rsplit('/').next().unwrap_or(model);
    name.to_ascii_lowercase().replace('.', "-")
}

/// Returns `text` with these settings at its top level, each a key such as `model.judge` and a
/// string. A setting replaces the line that sets it or shows it in a comment, else it goes before
/// the first table. Returns `None` if that would change any other setting.
pub fn set_top_level_keys(text: &str, settings: &[(&str, &str)]) -> Option<String> {
    let mut wanted: Table = toml::from_str(text).ok()?;
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    for (key, value) in settings {
        let value = Value::String((*value).to_owned());
        let line = format!("{key} = {value}");
        set(&mut wanted, key, value)?;
        let is_table = |line: &String| line.trim_start().starts_with('[');
        let end = lines.iter().position(is_table).unwrap_or(lines.len());
        let names_it = |line: &String| key_in_line(line) == Some(key);
        let at = lines.iter().take(end).position(names_it);
        match at.and_then(|at| lines.get_mut(at)) {
            Some(own) => *own = line,
            None => lines.insert(end, line),
        }
    }
    let text = lines.join("\n") + "\n";
    (toml::from_str::<Table>(&text).ok()? == wanted).then_some(text)
}

/// Returns the key that a line sets, or shows in a comment.
fn key_in_line(line: &str) -> Option<&str> {
    let (key, _) = line.trim_start_matches(['#', ' ']).split_once('=')?;
    Some(key.trim_end())
}

fn set(table: &mut Table, key: &str, value: Value) -> Option<()> {
    match key.split_once('.') {
        None => {
            table.insert(key.to_owned(), value);
        }
        Some((first, rest)) => {
            let inner = table
                .entry(first)
                .or_insert_with(|| Value::Table(Table::new()));
            set(inner.as_table_mut()?, rest, value)?;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commented_file;

    const SEATS: [(&str, &str); 2] = [("judge", "gemini"), ("model.proposer", "opus")];

    #[test]
    fn a_shown_setting_is_set_in_its_place_and_every_other_line_stays() {
        let before = commented_file(false);
        let after = set_top_level_keys(&before, &SEATS).unwrap();
        assert!(after.ends_with("\nmodel.proposer = \"opus\"\n"));
        let after = after.replace("\nmodel.proposer = \"opus\"\n", "\n");
        assert_eq!(
            after,
            before.replace("\n# judge = \"gemini\"", "\njudge = \"gemini\"")
        );
    }

    #[test]
    fn what_is_set_is_set_anew_and_tables_keep_their_keys() {
        let before = "judge = 'claude' # mine\nrounds = 3\n[tools.codex]\njudge = 1\n";
        assert_eq!(
            set_top_level_keys(before, &SEATS).unwrap(),
            "judge = \"gemini\"\nrounds = 3\nmodel.proposer = \"opus\"\n[tools.codex]\njudge = 1\n"
        );
    }

    #[test]
    fn a_file_that_would_come_to_say_something_else_is_left_alone() {
        for before in [
            "[model]\njudge = \"opus\"\n",
            "model = 1\n",
            "text = '''\n[not a table\n'''\n",
            "judge = [\n  1,\n]\n",
            "not toml",
        ] {
            assert_eq!(set_top_level_keys(before, &SEATS), None, "{before}");
        }
    }
}
