//! `plugins/` is what the content makes it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agon_hosts::lint::{LintFile, lint};
use agon_hosts::plugins::files;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins")
}

fn add(top: &Path, folder: &Path, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add(top, &path, files);
        } else {
            let name = path.strip_prefix(top).unwrap().display().to_string();
            files.insert(name, fs::read_to_string(&path).unwrap());
        }
    }
}

fn generated() -> BTreeMap<String, String> {
    files(env!("CARGO_PKG_VERSION")).unwrap()
}

#[test]
fn plugins_are_generated_from_the_content() {
    let folder = folder();
    if std::env::var_os("AGON_RECORD_PLUGINS").is_some_and(|wanted| wanted == "1") {
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        for (path, text) in generated() {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }
    let mut on_disk = BTreeMap::new();
    add(&folder, &folder, &mut on_disk);
    let paths = |files: &BTreeMap<String, String>| files.keys().cloned().collect::<Vec<_>>();
    let hint = "run cargo xtask plugins";
    assert_eq!(paths(&on_disk), paths(&generated()), "{hint}");
    for (path, text) in generated() {
        assert_eq!(on_disk[&path], text, "{path}: {hint}");
    }
}

#[test]
fn plugins_pass_the_check_of_hosts() {
    for host in agon_hosts::host::HOSTS {
        let files: Vec<_> = generated()
            .into_iter()
            .filter(|(path, _)| path.starts_with(&format!("{}/", host.name)))
            .map(|(path, text)| LintFile {
                path,
                bytes: text.into_bytes(),
            })
            .collect();
        let lint = lint(&files, Some(host));
        assert_eq!(
            (lint.checked, lint.findings),
            (files.len(), vec![]),
            "{}",
            host.name
        );
    }
}
