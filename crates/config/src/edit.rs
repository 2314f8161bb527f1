//! A file of the configuration with some settings more, and every other line as it was.

use toml::{Table, Value};

use crate::layer::ContextLimit;

/// A model's name by which rows of `limits` are told apart: without its provider, in lower case, with
/// `-` for `.`.
pub fn normalize_model(model: &str) -> String {
    let name = model.rsplit('/').next().unwrap_or(model);
    name.to_ascii_lowercase().replace('.', "-")
}

/// `text` with these settings, each a key such as `model.judge` and the string it is set to, at its
/// top level: in the place of the line that sets or shows it, else before the first table. None
/// where the file would then say anything else that it did not say before.
pub fn with_settings(text: &str, settings: &[(&str, &str)]) -> Option<String> {
    let settings = settings.iter();
    let settings = settings.map(|(key, value)| (*key, Value::String((*value).to_owned())));
    with_values(text, &settings.collect::<Vec<_>>())
}

/// `text` with `limit` among its `limits`, in the place of the one for the same model. None where the
/// file would then say anything else that it did not say before.
pub fn with_limit(text: &str, limit: &ContextLimit) -> Option<String> {
    let before: Table = toml::from_str(text).ok()?;
    let row = Value::try_from(limit).ok()?;
    let mut rows = match before.get("limits") {
        Some(rows) => rows.as_array()?.clone(),
        None => Vec::new(),
    };
    let name = normalize_model(&limit.model);
    let is_same = |it: &Value| {
        let model = it.get("model").and_then(Value::as_str);
        model.is_some_and(|it| normalize_model(it) == name)
    };
    match rows.iter_mut().find(|it| is_same(it)) {
        Some(own) => *own = row,
        None => rows.push(row),
    }
    with_values(text, &[("limits", Value::Array(rows))])
}

fn with_values(text: &str, settings: &[(&str, Value)]) -> Option<String> {
    let mut wanted: Table = toml::from_str(text).ok()?;
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    for (key, value) in settings {
        let line = format!("{key} = {value}");
        set(&mut wanted, key, value.clone())?;
        let is_table = |line: &String| line.trim_start().starts_with('[');
        let end = lines.iter().position(is_table).unwrap_or(lines.len());
        let names_it = |line: &String| named_key(line) == Some(key);
        let at = lines.iter().take(end).position(names_it);
        match at.and_then(|at| lines.get_mut(at)) {
            Some(own) => *own = line,
            None => lines.insert(end, line),
        }
    }
    let text = lines.join("\n") + "\n";
    (toml::from_str::<Table>(&text).ok()? == wanted).then_some(text)
}

/// The key that a line sets, or shows how to set.
fn named_key(line: &str) -> Option<&str> {
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
        let after = with_settings(&before, &SEATS).unwrap();
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
            with_settings(before, &SEATS).unwrap(),
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
            assert_eq!(with_settings(before, &SEATS), None, "{before}");
        }
    }

    fn limit(model: &str, onset: u64) -> ContextLimit {
        ContextLimit {
            model: model.to_owned(),
            onset: Some(onset),
            confidence: Some("measured".to_owned()),
            ..ContextLimit::default()
        }
    }

    #[test]
    fn a_limit_takes_the_place_of_one_that_names_the_model_in_another_way() {
        let before = r#"limits = [{ model = "anthropic/Claude-Opus-4.5", onset = 1 }]"#;
        let after = with_limit(before, &limit("claude-opus-4-5", 2)).unwrap();
        let wanted =
            r#"limits = [{ confidence = "measured", model = "claude-opus-4-5", onset = 2 }]"#;
        assert_eq!(after.trim_end(), wanted);
    }

    #[test]
    fn a_limit_is_put_beside_the_others_or_in_the_place_of_its_own() {
        let shown = commented_file(false);
        let first = with_limit(&shown, &limit("a", 1)).unwrap();
        let line = |text: &str| {
            let mut lines = text.lines().filter(|it| it.starts_with("limits = "));
            let found = lines.next().unwrap().to_owned();
            assert_eq!(lines.next(), None);
            found
        };
        let own = r#"limits = [{ confidence = "measured", model = "a", onset = 1 }]"#;
        assert_eq!(line(&first), own);
        let second = with_limit(&first, &limit("b", 2)).unwrap();
        let third = with_limit(&second, &limit("a", 3)).unwrap();
        let wanted = r#"limits = [{ confidence = "measured", model = "a", onset = 3 }, { confidence = "measured", model = "b", onset = 2 }]"#;
        assert_eq!(line(&third), wanted);
        assert_eq!(third.lines().count(), shown.lines().count());
        for others in [
            "[[limits]]\nmodel = \"a\"\n",
            "limits = [\n  { model = \"a\" },\n]\n",
            "limits = 1\n",
        ] {
            assert_eq!(with_limit(others, &limit("b", 2)), None, "{others}");
        }
    }
}
