//! What the packages of one target carry: the program, its texts and the licenses.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use cargo_metadata::Metadata;

use super::archive::{Entry, below, gzip, tar_gz, zip};
use super::elf::{Needs, read_needs};
use super::release::Release;
use super::target::{PACKAGE, Target};
use super::{Build, licences};
use crate::workspace::stdout_of;

/// The shells with completions: the name, and the file's name in an archive.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "agon.bash"),
    ("elvish", "agon.elv"),
    ("fish", "agon.fish"),
    ("powershell", "_agon.ps1"),
    ("zsh", "_agon"),
];

/// What the packages of one target carry.
#[derive(Clone, Debug)]
pub(super) struct Content {
    pub(super) target: &'static Target,
    pub(super) program: Vec<u8>,
    pub(super) needs: Needs,
    /// The manual page.
    pub(super) man: String,
    /// The completions of each shell: its name, the name of the file, the script.
    pub(super) completions: Vec<(&'static str, &'static str, String)>,
    /// The read-me of the packages in registries.
    pub(super) readme: String,
    /// The licenses: name of the file and text.
    pub(super) licenses: Vec<(&'static str, String)>,
}

impl Content {
    /// Collects the content of a build from its program, which this computer must be able to run.
    ///
    /// # Errors
    /// If the program has another version, other features or another target.
    pub(super) fn collect(
        metadata: &Metadata,
        release: &Release,
        target: &'static Target,
        build: Build,
        program: &Path,
    ) -> Result<Self> {
        let run = |args: &[&str]| stdout_of(Command::new(program).args(args));
        check_program(&run(&["--version", "--verbose"])?, release, target, build)?;
        let bytes =
            fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
        let needs = match target.os {
            "linux" => read_needs(&bytes).with_context(|| program.display().to_string())?,
            _ => Needs::default(),
        };
        let completions = SHELLS
            .iter()
            .map(|&(shell, file)| anyhow::Ok((shell, file, run(&["completions", shell])?)));
        let own = |name: &str| {
            let path = metadata.workspace_root.join(name);
            fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))
        };
        Ok(Self {
            target,
            needs,
            man: run(&["man"])?,
            completions: completions.collect::<Result<_>>()?,
            readme: include_str!("assets/README.md").to_owned(),
            licenses: vec![
                ("LICENSE-APACHE", own("LICENSE-APACHE")?),
                ("LICENSE-MIT", own("LICENSE-MIT")?),
                (
                    "THIRD-PARTY-LICENSES.txt",
                    licences::collect(metadata, target, build)?,
                ),
            ],
            program: bytes,
        })
    }

    /// Returns the name and the bytes of the plain archive, which `cargo binstall` downloads.
    ///
    /// # Errors
    /// If the archive cannot hold a path.
    pub(super) fn archive(&self, release: &Release, build: Build) -> Result<(String, Vec<u8>)> {
        let target = self.target;
        let name = match build {
            Build::Full => PACKAGE.to_owned(),
            Build::Base => format!("{PACKAGE}-base"),
        };
        let folder = format!("{name}-{}-{}", release.version, target.triple);
        let mut entries = vec![
            Entry::program(target.program(), &*self.program),
            Entry::text("README.md", &*self.readme),
            Entry::text("man/agon.1", &*self.man),
        ];
        let scripts = self.completions.iter();
        entries.extend(
            scripts.map(|(_, file, script)| Entry::text(format!("completions/{file}"), &**script)),
        );
        entries.extend(self.license_entries());
        let entries = below(&folder, entries);
        match target.is_windows() {
            true => Ok((format!("{folder}.zip"), zip(&entries, release.time)?)),
            false => Ok((format!("{folder}.tar.gz"), tar_gz(&entries, release.time)?)),
        }
    }

    /// Returns the files of the licenses, without a folder.
    pub(super) fn license_entries(&self) -> Vec<Entry> {
        let texts = self.licenses.iter();
        texts
            .map(|(name, text)| Entry::text(*name, &**text))
            .collect()
    }

    /// Returns the manual page and the completions below `share`, where a system looks for them.
    ///
    /// # Errors
    /// If the page cannot be compressed.
    pub(super) fn share_entries(&self, zsh: &str, fish: &str) -> Result<Vec<Entry>> {
        let mut entries = vec![Entry::text(
            "share/man/man1/agon.1.gz",
            gzip(self.man.as_bytes())?,
        )];
        for (shell, _, script) in &self.completions {
            let path = match *shell {
                "bash" => "bash-completion/completions/agon".to_owned(),
                "zsh" => format!("{zsh}/_agon"),
                "fish" => format!("{fish}/agon.fish"),
                _ => continue,
            };
            entries.push(Entry::text(format!("share/{path}"), &**script));
        }
        Ok(entries)
    }
}

/// Compares what a program prints about itself with what the packages will say about it.
fn check_program(printed: &str, release: &Release, target: &Target, build: Build) -> Result<()> {
    let Release { version, .. } = release;
    let value = |key: &str| {
        let key = format!("{key}: ");
        printed
            .lines()
            .find_map(|line| line.strip_prefix(&key))
            .unwrap_or_default()
    };
    let is_version = printed.lines().next() == Some(&format!("agon {version}"));
    ensure!(is_version, "the program is not agon {version}: {printed}");
    let commit = value("commit");
    ensure!(
        commit == release.commit || commit == "unknown",
        "the program was built from commit {commit} instead of {}",
        release.commit
    );
    let (features, triple) = (value("features"), value("target"));
    let wanted = build.features_line();
    ensure!(
        features == wanted,
        "the program has the features {features} instead of {wanted}"
    );
    ensure!(
        triple == target.triple,
        "the program is for {triple} instead of {}",
        target.triple
    );
    Ok(())
}

#[cfg(test)]
pub(super) fn example(script: &str) -> Content {
    let completions = SHELLS
        .iter()
        .map(|&(shell, file)| (shell, file, format!("# {shell}\n")));
    Content {
        target: &super::target::TARGETS[0],
        program: script.into(),
        needs: Needs {
            libraries: ["libc.so.6", "libgcc_s.so.1"].map(str::to_owned).into(),
            glibc: Some((2, 17)),
        },
        man: ".TH agon 1\n".to_owned(),
        completions: completions.collect(),
        readme: "# Agon\n".to_owned(),
        licenses: vec![
            ("LICENSE-APACHE", "Apache\n".to_owned()),
            ("LICENSE-MIT", "MIT\n".to_owned()),
            ("THIRD-PARTY-LICENSES.txt", "serde 1.0.0\n".to_owned()),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::release;
    use crate::package::target::TARGETS;

    const PRINTED: &str = "agon 1.2.3\ncommit: unknown\nfeatures: local-model, png, telemetry\n\
                           target: x86_64-unknown-linux-gnu\n";

    #[test]
    fn a_program_that_differs_from_its_packages_is_refused() {
        let check = |printed: &str, build| {
            let done = check_program(printed, &release::example(), &TARGETS[0], build);
            done.map_err(|error| error.to_string())
        };
        assert_eq!(check(PRINTED, Build::Full), Ok(()));
        let other = PRINTED.replace("unknown\nfeatures", "ba9876543210\nfeatures");
        let refused = check(&other, Build::Full).unwrap_err();
        assert!(refused.contains("commit ba9876543210"), "{refused}");
        let base = PRINTED.replace("local-model, png, telemetry", "none");
        assert_eq!(check(&base, Build::Base), Ok(()));
        let other = check(PRINTED, Build::Base).unwrap_err();
        assert_eq!(
            other,
            "the program has the features local-model, png, telemetry instead of none"
        );
        let tests = PRINTED.replace("local", "failpoints, local");
        assert!(check(&tests, Build::Full).is_err());
        let old = check(&PRINTED.replace("1.2.3", "1.2.30"), Build::Full).unwrap_err();
        assert!(
            old.starts_with("the program is not agon 1.2.3: agon 1.2.30"),
            "{old}"
        );
        let musl = check(&PRINTED.replace("gnu", "musl"), Build::Full).unwrap_err();
        let expected = "the program is for x86_64-unknown-linux-musl instead of \
                        x86_64-unknown-linux-gnu";
        assert_eq!(musl, expected);
    }

    #[test]
    fn an_archive_has_its_files_in_one_folder() {
        let (name, bytes) = example("#!/bin/sh\n")
            .archive(&release::example(), Build::Base)
            .unwrap();
        assert_eq!(
            name,
            "agon-debate-base-1.2.3-x86_64-unknown-linux-gnu.tar.gz"
        );
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(&name), bytes).unwrap();
        let mut tar = Command::new("tar");
        tar.args(["--list", "--file", &name])
            .current_dir(folder.path());
        let listed = stdout_of(&mut tar).unwrap();
        let prefix = format!("{}/", name.trim_end_matches(".tar.gz"));
        let listed: Vec<_> = listed
            .lines()
            .map(|it| it.strip_prefix(&prefix).unwrap())
            .collect();
        let expected = [
            "LICENSE-APACHE",
            "LICENSE-MIT",
            "README.md",
            "THIRD-PARTY-LICENSES.txt",
            "agon",
            "completions/_agon",
            "completions/_agon.ps1",
            "completions/agon.bash",
            "completions/agon.elv",
            "completions/agon.fish",
            "man/agon.1",
        ];
        assert_eq!(listed, expected);
    }
}
