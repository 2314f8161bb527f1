use std::process::Command;

use super::*;

#[test]
fn the_features_of_a_full_build_are_those_of_the_manifest() {
    let metadata = workspace::members().unwrap();
    let program = metadata
        .packages
        .iter()
        .find(|it| it.name == "agon")
        .unwrap();
    assert_eq!(program.features["full"], Build::Full.features());
}

#[test]
fn cargo_binstall_finds_the_archive_by_its_name() {
    let metadata = workspace::members().unwrap();
    let program = metadata
        .packages
        .iter()
        .find(|it| it.name == "agon")
        .unwrap();
    let binstall = &program.metadata["binstall"];
    let content = content::example("");
    let mut release = release::example();
    release.version = program.version.to_string();
    let (name, _) = content.archive(&release, Build::Full).unwrap();
    let fill = |key: &str| {
        let text = binstall[key]
            .as_str()
            .unwrap()
            .replace("{ version }", &release.version);
        let text = text
            .replace("{ target }", content.target.triple)
            .replace("{ bin }", "agon");
        text.replace("{ binary-ext }", "")
            .replace("{ archive-suffix }", ".tar.gz")
    };
    let tag = format!("{{ repo }}/releases/download/v{}", release.version);
    assert_eq!(fill("pkg-url"), format!("{tag}/{name}"));
    assert_eq!(
        fill("bin-dir"),
        format!("{}/agon", name.trim_end_matches(".tar.gz"))
    );
}

#[test]
fn sha256sum_reads_the_checksums() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b", "a", SUMS] {
        write(folder.path(), (name.to_owned(), name.into())).unwrap();
    }
    let sums = files(folder.path()).unwrap();
    let sums: String = sums
        .iter()
        .map(|(name, bytes)| sum_line(name, bytes))
        .collect();
    write(folder.path(), (SUMS.to_owned(), sums.into())).unwrap();
    let mut check = Command::new("sha256sum");
    check
        .args(["--check", "--strict", SUMS])
        .current_dir(folder.path());
    assert_eq!(workspace::stdout_of(&mut check).unwrap(), "a: OK\nb: OK\n");
}
