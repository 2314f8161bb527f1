//! Finds packages on the Python package index configured for pip.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use url::Url;

use super::fetch::{FetchRequest, Fetcher};

/// Accepted formats of an index page, by preference.
const ACCEPT: &str = "application/vnd.pypi.simple.v1+json, text/html;q=0.5";

// Chosen, not measured: a page lists every file of every version of a package. A lower limit
// rejects packages with many files; with a higher one, a malicious server could fill the memory.
/// Maximum size of an index page, in bytes.
const MAX_PAGE: usize = 16_000_000;

/// The variables that name an index, by precedence.
const VARIABLES: [&str; 3] = ["PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL"];

/// The package indexes that the user has configured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Indexes {
    url: Option<String>,
}

/// Maximum size of a pip configuration file, in bytes.
const MAX_CONFIG_BYTES: u64 = 1 << 20;

impl Indexes {
    /// Returns the index at this URL.
    pub fn at(url: &str) -> Self {
        Self {
            url: Some(url.to_owned()),
        }
    }

    /// Returns whether no index is configured, in which case pip uses its default.
    pub fn is_unset(&self) -> bool {
        self.url.is_none()
    }

    /// Returns the index that pip uses in this environment, from a variable or from the nearest
    /// configuration file.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let named = VARIABLES.iter().find_map(|name| set(name));
        let url = named.or_else(|| {
            let read = |path: PathBuf| {
                parse_index_url(&agon_files::read_to_string(&path, MAX_CONFIG_BYTES).ok()?)
            };
            pip_config_files(&set).into_iter().find_map(read)
        });
        // uv allows a name before the URL, as in `name=https://…`, so remove it.
        let url = url.map(|url| match url.split_once('=') {
            Some((name, rest)) if !name.contains(':') => rest.to_owned(),
            _ => url,
        });
        Self { url }
    }

    /// Finds the wheel of a package, or else its source package.
    pub(super) async fn find_package(
        &self,
        fetcher: &Fetcher<'_>,
        package: &str,
        version: &str,
    ) -> Result<FetchRequest, String> {
        let Some(base) = &self.url else {
            return Err("no package index is configured; set PIP_INDEX_URL".to_owned());
        };
        let base = format!(
            "{}/{}/",
            base.trim_end_matches('/'),
            normalize_package_name(package)
        );
        let base: Url = base
            .parse()
            .map_err(|_| "the package index has an invalid URL".to_owned())?;
        let page = fetcher.request_with_header(&base, "accept", ACCEPT).await?;
        if !page.status().is_success() {
            return Err(format!("the package index returned {}", page.status()));
        }
        let at = page.url().clone();
        let text = fetcher.read_page_text(page, MAX_PAGE).await?;
        let listed = parse_listing(&text, &at);
        let name = normalize_package_name(package).replace('-', "_");
        let (begins, source) = (
            format!("{name}-{version}-"),
            format!("{name}-{version}.tar.gz"),
        );
        let is_wheel = |name: &str| name.starts_with(&begins) && name.ends_with(".whl");
        let wheel = listed.iter().find(|file| is_wheel(&file.name));
        let found = wheel.or_else(|| listed.iter().find(|file| file.name == source));
        let wheel = found.cloned();
        let wheel =
            wheel.ok_or_else(|| format!("the package index has no package of {version}"))?;
        Ok(FetchRequest {
            url: with_index_credentials(wheel.url, &base),
            size: wheel.size,
            most: u64::MAX,
            sha256: wheel.sha256,
            part: PathBuf::new(),
        })
    }
}

/// Returns pip's configuration files, the one with the highest precedence first.
fn pip_config_files(set: &dyn Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    match set("PIP_CONFIG_FILE") {
        Some(file) if file == "/dev/null" => return files,
        Some(file) => files.push(PathBuf::from(file)),
        None => {}
    }
    if let Some(folder) = set("VIRTUAL_ENV") {
        files.push(Path::new(&folder).join("pip.conf"));
    }
    let home = set("HOME").map(PathBuf::from);
    let config = set("XDG_CONFIG_HOME").map(PathBuf::from);
    let config = config.or_else(|| home.as_ref().map(|home| home.join(".config")));
    files.extend(config.map(|config| config.join("pip/pip.conf")));
    files.extend(home.map(|home| home.join(".pip/pip.conf")));
    files.push(PathBuf::from("/etc/pip.conf"));
    files
}

/// Returns the index in a pip configuration file.
fn parse_index_url(text: &str) -> Option<String> {
    let mut section = "";
    let mut found = None;
    for line in text.lines() {
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']').trim();
        }
        let Some((key, value)) = line.split_once(['=', ':']) else {
            continue;
        };
        let key = key.trim().replace('_', "-");
        if key == "index-url" && matches!(section, "global" | "install" | "download") {
            found = Some(value.trim().to_owned()).filter(|value| !value.is_empty());
        }
    }
    found
}

/// Normalizes the name of a package, as pip does.
fn normalize_package_name(package: &str) -> String {
    let pieces = package
        .split(['-', '_', '.'])
        .filter(|piece| !piece.is_empty());
    pieces.collect::<Vec<_>>().join("-").to_lowercase()
}

/// A file that an index page lists.
#[derive(Clone, Debug, PartialEq, Eq)]
struct IndexedFile {
    name: String,
    url: Url,
    size: Option<u64>,
    sha256: Option<String>,
}

/// Returns the files listed on an index page, in JSON or HTML.
fn parse_listing(page: &str, at: &Url) -> Vec<IndexedFile> {
    #[derive(Deserialize)]
    struct IndexPage {
        files: Vec<IndexFile>,
    }
    #[derive(Deserialize)]
    struct IndexFile {
        filename: String,
        url: String,
        #[serde(default)]
        size: Option<u64>,
        #[serde(default)]
        hashes: std::collections::BTreeMap<String, String>,
    }
    let Ok(page_of_json) = serde_json::from_str::<IndexPage>(page) else {
        return parse_html_links(page, at);
    };
    let files = page_of_json.files.into_iter().filter_map(|mut file| {
        Some(IndexedFile {
            url: at.join(&file.url).ok()?,
            name: file.filename,
            size: file.size,
            sha256: file.hashes.remove("sha256").and_then(parse_sha256),
        })
    });
    files.collect()
}

fn parse_html_links(page: &str, at: &Url) -> Vec<IndexedFile> {
    let anchors = page.split("<a ").skip(1);
    let files = anchors.filter_map(|anchor| {
        let (head, rest) = anchor.split_once('>')?;
        let name = rest.split_once('<')?.0.trim().to_owned();
        let link = head.split_once("href=")?.1;
        let quote = link
            .chars()
            .next()
            .filter(|quote| matches!(quote, '"' | '\''))?;
        let link = link.get(1..)?.split(quote).next()?.replace("&amp;", "&");
        let mut url = at.join(&link).ok()?;
        let sha256 = url.fragment().and_then(|mark| mark.strip_prefix("sha256="));
        let sha256 = sha256.map(str::to_owned).and_then(parse_sha256);
        url.set_fragment(None);
        Some(IndexedFile {
            name,
            url,
            size: None,
            sha256,
        })
    });
    files.collect()
}

fn parse_sha256(text: String) -> Option<String> {
    let text = text.to_lowercase();
    (text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(text)
}

/// Adds the index's user name and password to the URL of a file on the same host, unless the URL
/// already has a user name.
fn with_index_credentials(url: Url, base: &Url) -> Url {
    let place = |url: &Url| {
        (
            url.scheme().to_owned(),
            url.host_str().map(str::to_owned),
            url.port(),
        )
    };
    if place(&url) != place(base) || !url.username().is_empty() {
        return url;
    }
    let mut signed = url.clone();
    let named = signed.set_username(base.username());
    match named.and_then(|()| signed.set_password(base.password())) {
        Ok(()) => signed,
        Err(()) => url,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(set: &[(&str, &str)]) -> Option<String> {
        let found = Indexes::from_environment(|name| {
            let found = set.iter().find(|(set, _)| *set == name);
            found.map(|(_, value)| (*value).to_owned())
        });
        found.url
    }

    #[test]
    fn the_index_is_the_one_that_pip_is_set_to() {
        let pip = ("PIP_INDEX_URL", "https://a.example/simple");
        let uv = ("UV_DEFAULT_INDEX", "own=https://b.example/simple");
        assert_eq!(
            index(&[uv, pip]).as_deref(),
            Some("https://a.example/simple")
        );
        assert_eq!(index(&[uv]).as_deref(), Some("https://b.example/simple"));
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(home.path().join(".config/pip")).unwrap();
        let file = home.path().join(".config/pip/pip.conf");
        std::fs::write(
            file,
            "[global]\ntimeout = 3\nindex-url = https://c.example/simple\n",
        )
        .unwrap();
        let home = home.path().to_str().unwrap();
        assert_eq!(
            index(&[("HOME", home)]).as_deref(),
            Some("https://c.example/simple")
        );
    }

    #[test]
    fn a_key_of_another_section_does_not_count() {
        assert_eq!(
            parse_index_url("[list]\nindex-url = https://a.example\n"),
            None
        );
        assert_eq!(
            parse_index_url(
                "[global]\nindex_url: https://a.example\n[install]\nindex-url=https://b.example"
            ),
            Some("https://b.example".to_owned())
        );
    }

    #[test]
    fn both_forms_of_a_page_say_the_same() {
        let at: Url = "https://a.example/simple/a-b/".parse().unwrap();
        let sum = "0".repeat(64);
        let json = format!(
            r#"{{"files":[{{"filename":"a_b-1.whl","url":"../../f/a_b-1.whl","hashes":{{"sha256":"{sum}"}}}}]}}"#
        );
        let html = format!(
            "<!DOCTYPE html><a data-x=\"1\" href=\"../../f/a_b-1.whl#sha256={sum}\">a_b-1.whl</a><br/>"
        );
        assert_eq!(parse_listing(&json, &at), parse_listing(&html, &at));
        assert_eq!(
            parse_listing(&json, &at)[0].url.as_str(),
            "https://a.example/f/a_b-1.whl"
        );
        assert_eq!(parse_listing("nothing", &at), []);
    }

    #[test]
    fn the_password_of_an_index_goes_to_its_own_host_alone() {
        let base: Url = "https://u:p@a.example/simple/".parse().unwrap();
        let with = |url: &str| with_index_credentials(url.parse().unwrap(), &base).to_string();
        assert_eq!(with("https://a.example/f"), "https://u:p@a.example/f");
        assert_eq!(with("https://b.example/f"), "https://b.example/f");
    }
}
