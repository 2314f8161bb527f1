//! Computes a version of the rules, so that stored results can be discarded when they change.

#![expect(clippy::disallowed_methods, reason = "a build script reads files")]

use std::error::Error;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The crate that has the formats of vendors' tokens.
const RULES_CRATE: &str = "name = \"veloci\"\n";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src");
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("no manifest folder")?);
    let mut hasher = DefaultHasher::new();
    hash_folder(&here.join("src"), &mut hasher)?;
    let lock = here.join("../../Cargo.lock");
    if lock.exists() {
        println!("cargo::rerun-if-changed={}", lock.display());
        locked_version(&fs::read_to_string(lock)?).hash(&mut hasher);
    }
    println!("cargo::rustc-env=RULES_VERSION={:016x}", hasher.finish());
    Ok(())
}

/// Hashes every file of a folder, in the order of their names.
fn hash_folder(folder: &Path, hasher: &mut DefaultHasher) -> Result<(), Box<dyn Error>> {
    let entries: Result<Vec<_>, _> = fs::read_dir(folder)?.collect();
    let mut paths: Vec<_> = entries?.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            hash_folder(&path, hasher)?;
        } else {
            path.file_name().hash(hasher);
            fs::read(&path)?.hash(hasher);
        }
    }
    Ok(())
}

/// Returns the version and checksum of the rules' crate.
fn locked_version(lock: &str) -> Option<&str> {
    let at = lock.find(RULES_CRATE)?;
    lock.get(at..)?.split("\n\n").next()
}
