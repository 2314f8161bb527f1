//! Merges the layers of one kind of file and records where each key was set.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::fault::{Fault, Faults, line_of};
use super::source::{DEFAULT, ValueSource};
use super::{DEFAULT_FILES, DefaultsError, DefaultsKind, DefaultsLayer, LayerFile, LayerOwner};

/// Hint for a key that an untrusted project may not set.
pub(super) const TRUST_HINT: &str = "set it in your own file, or trust the project's folder";

/// The merged layers of one kind of file, and where each key was set.
pub(super) struct Merged<'a, T> {
    pub(super) value: T,
    /// The same value as a TOML table.
    pub(super) table: Table,
    /// Path, text and owner of each file, defaults first.
    texts: Vec<(&'a str, &'a str, LayerOwner)>,
    /// Index of the last file that set each key.
    setters: BTreeMap<Vec<String>, usize>,
}

impl<'a, T: DeserializeOwned> Merged<'a, T> {
    /// Merges the files of this kind.
    ///
    /// # Errors
    ///
    /// The format errors of every file.
    pub(super) fn read(
        kind: DefaultsKind,
        layers: &'a [DefaultsLayer],
    ) -> Result<Self, Vec<DefaultsError>> {
        let own = DEFAULT_FILES.iter().find(|(it, _)| *it == kind);
        let own = own.map_or("", |(_, text)| *text);
        let mut texts = vec![(DEFAULT, own, LayerOwner::User)];
        let mut table = read_file::<T>(kind, DEFAULT, own).map_err(|error| vec![error])?;
        let mut setters: BTreeMap<Vec<String>, usize> = value_keys(&table)
            .into_iter()
            .map(|keys| (keys, 0))
            .collect();
        let mut failed = Vec::new();
        for layer in layers {
            for file in layer.files.iter().filter(|file| file.kind == kind) {
                let above = match read_file::<T>(kind, &file.path, &file.text) {
                    Ok(above) => above,
                    Err(error) => {
                        failed.push(error);
                        continue;
                    }
                };
                let keys = value_keys(&above);
                failed.extend(refuse_keys(kind, layer, file, &keys));
                // Includes empty tables, because one of them may be the error.
                let set = keys.into_iter().chain(empty_tables(&above));
                setters.extend(set.map(|keys| (keys, texts.len())));
                texts.push((&file.path, &file.text, layer.owner));
                merge(&mut table, above);
            }
        }
        if !failed.is_empty() {
            return Err(failed);
        }
        // Each layer was valid by itself, so this fails only if one layer has a table where another
        // has a value.
        let value = table.clone().try_into::<T>().map_err(|error| {
            vec![DefaultsError {
                path: texts.last().map_or(DEFAULT, |(path, ..)| path).to_owned(),
                line: Some(1),
                what: error.message().to_owned(),
                hint: "compare it with the defaults".to_owned(),
            }]
        })?;
        Ok(Self {
            value,
            table,
            texts,
            setters,
        })
    }

    /// Returns every value that is not a table, with its keys and source.
    pub(super) fn values(&self) -> impl Iterator<Item = (&[String], &Value, ValueSource)> {
        self.setters.iter().filter_map(|(keys, setter)| {
            let (first, rest) = keys.split_first()?;
            let top = self.table.get(first)?;
            let value = rest.iter().try_fold(top, |value, key| value.get(key))?;
            (!value.is_table()).then_some(())?;
            Some((keys.as_slice(), value, self.source(*setter, keys)))
        })
    }

    fn source(&self, setter: usize, keys: &[String]) -> ValueSource {
        match self.texts.get(setter) {
            Some((path, text, owner)) if setter > 0 => ValueSource {
                path: (*path).to_owned(),
                line: (*owner != LayerOwner::Request).then(|| line_of(text, keys)),
                owner: *owner,
            },
            Some(_) | None => ValueSource::by_default(),
        }
    }

    /// Adds the place to every error.
    pub(super) fn locate_all(&self, faults: Faults) -> impl Iterator<Item = DefaultsError> {
        faults.0.into_iter().map(|fault| self.locate(fault))
    }

    /// Adds the place to `fault`: the highest file that sets its key or one below it, else the highest
    /// file that sets something next to it.
    fn locate(&self, fault: Fault) -> DefaultsError {
        let of = |keys: &[String]| {
            let all = self.setters.iter();
            let near = all.filter(|(set, _)| set.starts_with(keys) || keys.starts_with(set));
            near.map(|(_, setter)| *setter).max()
        };
        let setter = (0..=fault.keys.len())
            .rev()
            .find_map(|count| of(fault.keys.get(..count)?));
        let (path, text, owner) = self
            .texts
            .get(setter.unwrap_or_default())
            .copied()
            .unwrap_or((DEFAULT, "", LayerOwner::User));
        DefaultsError {
            path: path.to_owned(),
            line: (owner != LayerOwner::Request).then(|| line_of(text, &fault.keys)),
            what: fault.what,
            hint: fault.hint,
        }
    }
}

/// Parses a file and checks its schema.
fn read_file<T: DeserializeOwned>(
    kind: DefaultsKind,
    path: &str,
    text: &str,
) -> Result<Table, DefaultsError> {
    let failed = |line, what: String, hint: String| DefaultsError {
        path: path.to_owned(),
        line: Some(line),
        what,
        hint,
    };
    let of_toml = |error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        let hint = format!("run `agon schema {}` to see the allowed keys", kind.id());
        failed(line, error.message().replace('\n', ", "), hint)
    };
    let table: Table = text.parse().map_err(of_toml)?;
    let schema = table.get("schema").and_then(Value::as_str);
    if schema != Some(kind.id()) {
        let line = line_of(text, &["schema".to_owned()]);
        let what = match schema {
            None => "`schema` is missing".to_owned(),
            Some(other) => format!("wrong schema `{other}`"),
        };
        return Err(failed(
            line,
            what,
            format!("write `schema = \"{}\"`", kind.id()),
        ));
    }
    toml::from_str::<T>(text).map_err(of_toml)?;
    Ok(table)
}

/// Reports keys that only the defaults may have, and keys that an untrusted project may not set.
fn refuse_keys(
    kind: DefaultsKind,
    layer: &DefaultsLayer,
    file: &LayerFile,
    keys: &[Vec<String>],
) -> Vec<DefaultsError> {
    let failed = |keys: &[String], what: String, hint: &str| DefaultsError {
        path: file.path.clone(),
        line: Some(line_of(&file.text, keys)),
        what,
        hint: hint.to_owned(),
    };
    let mut refused = Vec::new();
    for key in keys {
        let first = key.first().map(String::as_str);
        let is_allowed =
            first == Some("schema") || kind.project_keys().iter().any(|it| covers(it, key));
        if kind == DefaultsKind::Flags && first == Some("flags") {
            let what = "only Agon can declare flags".to_owned();
            let declared = failed(key, what, "set its value below `[set]`");
            let is_known = |error: &DefaultsError| error.what == declared.what;
            // Report a declared flag once, although it has several keys.
            if !refused.iter().any(is_known) {
                refused.push(declared);
            }
        } else if layer.owner == LayerOwner::UntrustedProject && !is_allowed {
            let what = format!("an untrusted project may not set `{}`", key.join("."));
            refused.push(failed(key, what, TRUST_HINT));
        }
    }
    refused.sort_by_key(|error| error.line);
    refused
}

/// Returns whether the dotted `pattern`, in which `*` is any single name, covers `key`.
fn covers(pattern: &str, key: &[String]) -> bool {
    let parts: Vec<_> = pattern.split('.').collect();
    let is_covered = |(part, name): (&&str, &String)| *part == "*" || part == name;
    parts.len() == key.len() && parts.iter().zip(key).all(is_covered)
}

/// Returns the keys of every value in `table` that is not a table.
fn value_keys(table: &Table) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (name, value) in table {
        match value {
            Value::Table(inner) => {
                let below = value_keys(inner).into_iter();
                found.extend(below.map(|keys| [vec![name.clone()], keys].concat()));
            }
            _ => found.push(vec![name.clone()]),
        }
    }
    found
}

/// Returns the keys of every empty table in `table`.
fn empty_tables(table: &Table) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (name, value) in table {
        match value {
            Value::Table(inner) if inner.is_empty() => found.push(vec![name.clone()]),
            Value::Table(inner) => {
                let below = empty_tables(inner).into_iter();
                found.extend(below.map(|keys| [vec![name.clone()], keys].concat()));
            }
            _ => {}
        }
    }
    found
}

/// Merges `above` into `table`: tables are merged, other values are replaced.
fn merge(table: &mut Table, above: Table) {
    for (name, value) in above {
        match (table.get_mut(&name), value) {
            (Some(Value::Table(inner)), Value::Table(above)) => merge(inner, above),
            (_, value) => {
                table.insert(name, value);
            }
        }
    }
}
