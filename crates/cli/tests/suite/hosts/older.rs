//! What an older version of Agon left in a host, with one file that its user changed since.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::Place;

/// The skill that the user changed, and what is in it now.
pub(super) const EDITED: (&str, &str) = ("consult", "mine");

/// Puts an older Agon into `host`: its server starts another program, each file has another text, and
/// one is there that this version does not have.
pub(super) fn install_older(place: &Place, host: &str) {
    let program = place.home().with_file_name("older-agon");
    if !program.exists() {
        fs::hard_link(env!("CARGO_BIN_EXE_agon"), &program)
            .or_else(|_| fs::copy(env!("CARGO_BIN_EXE_agon"), &program).map(drop))
            .unwrap();
    }
    let mut install = Command::new(program);
    install.args(["install", host]).current_dir(place.project());
    let installed = install.env_clear().envs(&place.env).output().unwrap();
    assert!(installed.status.success(), "{installed:?}");

    let path = receipt(place, host);
    let mut receipt: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let files = receipt["files"].as_object_mut().unwrap();
    let skill = files.keys().find(|path| path.ends_with("debate/SKILL.md"));
    let gone = skill.unwrap().replace("/debate/", "/gone/");
    fs::create_dir(PathBuf::from(&gone).parent().unwrap()).unwrap();
    fs::write(&gone, "").unwrap();
    files.insert(gone, json!([]));
    for (path, hashes) in files.iter_mut() {
        let mut text = fs::read_to_string(path).unwrap();
        text.push_str("as an older version wrote it\n");
        fs::write(path, &text).unwrap();
        *hashes = json!([blake3::hash(text.as_bytes()).to_hex().to_string()]);
    }
    receipt["version"] = "0.0.1".into();
    fs::write(&path, receipt.to_string()).unwrap();
    fs::write(edited(place, host), EDITED.1).unwrap();
}

/// Where the installation in `host` is written down.
pub(super) fn receipt(place: &Place, host: &str) -> PathBuf {
    place
        .home()
        .join(format!(".local/share/agon/hosts/{host}.json"))
}

/// The file that its user changed.
pub(super) fn edited(place: &Place, host: &str) -> PathBuf {
    let skill = format!(".{host}/skills/{}/SKILL.md", EDITED.0);
    place.home().join(skill)
}
