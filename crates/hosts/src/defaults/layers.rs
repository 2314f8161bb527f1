//! The layers, and what they add up to.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::fault::{Fault, Faults, line_of};
use super::{Agents, DEFAULT_FILES, DefaultsError, DefaultsKind, Flags, Profiles, Servers, Teams};
use crate::content::Role;

/// A file of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerFile {
    /// Which of the five it is.
    pub kind: DefaultsKind,
    /// Its path, as it is named to the user.
    pub path: String,
    /// What is in it.
    pub text: String,
}

/// The files of one place, such as the user's folder or the project's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DefaultsLayer {
    /// Its files.
    pub files: Vec<LayerFile>,
    /// Whether it is a project's that the user does not trust: it may set little.
    pub is_untrusted: bool,
}

/// The five files, as they hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Defaults {
    /// How each role is run.
    pub agents: Agents,
    /// What a team does unless it is told otherwise.
    pub flags: Flags,
    /// Named sets of choices.
    pub profiles: Profiles,
    /// Who belongs to a team.
    pub teams: Teams,
    /// Servers, and who gets them.
    pub servers: Servers,
}

/// What the layers add up to, with the source of every value.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// The values.
    pub defaults: Defaults,
    /// The file that set each value, by the kind of file and its dotted key.
    pub sources: BTreeMap<(DefaultsKind, String), String>,
}

/// How the files of the defaults are named as a source.
const DEFAULT: &str = "default";

impl Defaults {
    /// What `layers` add up to, the later ones above the earlier, all of them above the defaults.
    ///
    /// `roles` and `skills` are those that there are.
    ///
    /// # Errors
    ///
    /// The first fault: an unknown key, a wrong value, a name of nothing, something that a project
    /// may not set. It names the file and the line that set it.
    pub fn resolve(
        layers: &[DefaultsLayer],
        roles: &[Role],
        skills: &[String],
    ) -> Result<Resolved, DefaultsError> {
        let mut sources = BTreeMap::new();
        let agents = Merged::<Agents>::read(DefaultsKind::Agents, layers, &mut sources)?;
        let flags = Merged::<Flags>::read(DefaultsKind::Flags, layers, &mut sources)?;
        let teams = Merged::<Teams>::read(DefaultsKind::Teams, layers, &mut sources)?;
        let servers = Merged::<Servers>::read(DefaultsKind::Servers, layers, &mut sources)?;
        let profiles = Merged::<Profiles>::read(DefaultsKind::Profiles, layers, &mut sources)?;

        let mut faults = Faults::default();
        flags.value.check(&mut faults);
        require_project_flags(&flags, layers, &mut faults);
        flags.require_none(std::mem::take(&mut faults))?;
        agents.value.check(roles, skills, &mut faults);
        agents.require_none(std::mem::take(&mut faults))?;
        teams.value.check(roles, &mut faults);
        teams.require_none(std::mem::take(&mut faults))?;
        servers.value.check(roles, &mut faults);
        servers.require_none(std::mem::take(&mut faults))?;
        let (flags_value, teams_value) = (&flags.value, &teams.value);
        let profiles_value = &profiles.value;
        profiles_value.check(flags_value, teams_value, &servers.value, &mut faults);
        profiles.require_none(faults)?;
        let defaults = Self {
            agents: agents.value,
            flags: flags.value,
            profiles: profiles.value,
            teams: teams.value,
            servers: servers.value,
        };
        Ok(Resolved { defaults, sources })
    }
}

/// A project may set the flags that say so.
fn require_project_flags(flags: &Merged<'_, Flags>, layers: &[DefaultsLayer], faults: &mut Faults) {
    for layer in layers.iter().filter(|layer| layer.is_untrusted) {
        let files = layer.files.iter();
        for file in files.filter(|file| file.kind == DefaultsKind::Flags) {
            let set = file.text.parse::<Table>().unwrap_or_default();
            let set = set.get("set").and_then(Value::as_table);
            for name in set.into_iter().flat_map(Table::keys) {
                let flag = flags.value.flags.get(name);
                if flag.is_some_and(|flag| !flag.project) {
                    let what = format!("a project may not set the flag `{name}`");
                    faults.add(&["set", name], what, TRUST_HINT);
                }
            }
        }
    }
}

const TRUST_HINT: &str = "set it in your own file, or trust the project's folder";

/// One kind of file: what its layers add up to, and where each key was set.
struct Merged<'a, T> {
    value: T,
    /// Path and text of each file, the defaults first.
    texts: Vec<(&'a str, &'a str)>,
    /// The file that set each key last.
    setters: BTreeMap<Vec<String>, usize>,
}

impl<'a, T: DeserializeOwned> Merged<'a, T> {
    fn read(
        kind: DefaultsKind,
        layers: &'a [DefaultsLayer],
        sources: &mut BTreeMap<(DefaultsKind, String), String>,
    ) -> Result<Self, DefaultsError> {
        let own = DEFAULT_FILES.iter().find(|(it, _)| *it == kind);
        let own = own.map_or("", |(_, text)| *text);
        let mut texts = vec![(DEFAULT, own)];
        let mut table = read_file::<T>(kind, DEFAULT, own)?;
        let mut setters: BTreeMap<Vec<String>, usize> =
            leaves(&table).into_iter().map(|keys| (keys, 0)).collect();
        for layer in layers {
            for file in layer.files.iter().filter(|file| file.kind == kind) {
                let above = read_file::<T>(kind, &file.path, &file.text)?;
                let keys = leaves(&above);
                refuse_keys(kind, layer, file, &keys)?;
                setters.extend(keys.into_iter().map(|keys| (keys, texts.len())));
                texts.push((&file.path, &file.text));
                merge(&mut table, above);
            }
        }
        for (keys, setter) in &setters {
            let source = texts.get(*setter).map_or(DEFAULT, |(path, _)| *path);
            sources.insert((kind, keys.join(".")), source.to_owned());
        }
        // Each layer was read by itself, so this fails only if a table meets a value of that name.
        let value = table.try_into::<T>().map_err(|error| DefaultsError {
            path: texts.last().map_or(DEFAULT, |(path, _)| path).to_owned(),
            line: 1,
            what: error.message().to_owned(),
            hint: "compare it with the defaults".to_owned(),
        })?;
        Ok(Self {
            value,
            texts,
            setters,
        })
    }

    /// Refuses the first fault, where it was set.
    fn require_none(&self, faults: Faults) -> Result<(), DefaultsError> {
        match faults.0.into_iter().next() {
            None => Ok(()),
            Some(fault) => Err(self.locate(fault)),
        }
    }

    /// Where `fault` was set: in the highest file that sets its key or one below it, else in the
    /// highest one that sets something beside it.
    fn locate(&self, fault: Fault) -> DefaultsError {
        let of = |keys: &[String]| {
            let all = self.setters.iter();
            let near = all.filter(|(set, _)| set.starts_with(keys) || keys.starts_with(set));
            near.map(|(_, setter)| *setter).max()
        };
        let setter = (0..=fault.keys.len())
            .rev()
            .find_map(|count| of(fault.keys.get(..count)?));
        let (path, text) = self
            .texts
            .get(setter.unwrap_or_default())
            .copied()
            .unwrap_or((DEFAULT, ""));
        DefaultsError {
            path: path.to_owned(),
            line: line_of(text, &fault.keys),
            what: fault.what,
            hint: fault.hint,
        }
    }
}

/// The table in a file, which has a form of its own.
fn read_file<T: DeserializeOwned>(
    kind: DefaultsKind,
    path: &str,
    text: &str,
) -> Result<Table, DefaultsError> {
    let failed = |line, what: String, hint: String| DefaultsError {
        path: path.to_owned(),
        line,
        what,
        hint,
    };
    let of_toml = |error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        let hint = format!("`agon schema {}` says what the file may have", kind.id());
        failed(line, error.message().replace('\n', ", "), hint)
    };
    let table: Table = text.parse().map_err(of_toml)?;
    let schema = table.get("schema").and_then(Value::as_str);
    if schema != Some(kind.id()) {
        let line = line_of(text, &["schema".to_owned()]);
        let what = match schema {
            None => "it does not say which file it is".to_owned(),
            Some(other) => format!("it says that it is `{other}`"),
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

/// Refuses what is for the defaults alone, and what a project may not set.
fn refuse_keys(
    kind: DefaultsKind,
    layer: &DefaultsLayer,
    file: &LayerFile,
    keys: &[Vec<String>],
) -> Result<(), DefaultsError> {
    let failed = |keys: &[String], what: String, hint: &str| DefaultsError {
        path: file.path.clone(),
        line: line_of(&file.text, keys),
        what,
        hint: hint.to_owned(),
    };
    for key in keys {
        let first = key.first().map(String::as_str);
        if kind == DefaultsKind::Flags && first == Some("flags") {
            let what = "flags are declared by Agon alone".to_owned();
            return Err(failed(key, what, "set its value below `[set]`"));
        }
        let is_allowed =
            first == Some("schema") || kind.project_keys().iter().any(|it| covers(it, key));
        if layer.is_untrusted && !is_allowed {
            let what = format!("a project may not set `{}`", key.join("."));
            return Err(failed(key, what, TRUST_HINT));
        }
    }
    Ok(())
}

/// Whether the dotted `pattern`, in which `*` is any one name, covers `key`.
fn covers(pattern: &str, key: &[String]) -> bool {
    let parts: Vec<_> = pattern.split('.').collect();
    let is_covered = |(part, name): (&&str, &String)| *part == "*" || part == name;
    parts.len() == key.len() && parts.iter().zip(key).all(is_covered)
}

/// The keys of every value of `table` that is not a table.
fn leaves(table: &Table) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (name, value) in table {
        match value {
            Value::Table(inner) => {
                let below = leaves(inner).into_iter();
                found.extend(below.map(|keys| [vec![name.clone()], keys].concat()));
            }
            _ => found.push(vec![name.clone()]),
        }
    }
    found
}

/// Puts `above` over `table`: tables are joined, all else is replaced.
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
