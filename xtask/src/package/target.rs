//! The systems that packages exist for, and what each registry calls them.

use anyhow::{Context, Result};

/// A system that packages exist for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// The name that rustc gives it.
    pub(super) triple: &'static str,
    /// Its name in the name of its npm package, such as `linux-x64`.
    pub(super) npm: &'static str,
    /// npm's `os`, `cpu` and `libc`, the last only on Linux.
    pub(super) os: &'static str,
    pub(super) cpu: &'static str,
    pub(super) libc: Option<&'static str>,
    /// The architecture of its Debian package, if it has one.
    pub(super) debian: Option<&'static str>,
    /// The platform of its wheel. With glibc, the version that the program needs is added.
    pub(super) wheel: &'static str,
}

/// The name of the packages.
pub(super) const PACKAGE: &str = "agon-debate";

/// All targets. Only the first is built and tested by the maintainers; the release workflow has
/// jobs for the others.
pub(super) const TARGETS: &[Target] = &[
    Target {
        triple: "x86_64-unknown-linux-gnu",
        npm: "linux-x64",
        os: "linux",
        cpu: "x64",
        libc: Some("glibc"),
        debian: Some("amd64"),
        wheel: "x86_64",
    },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        npm: "linux-arm64",
        os: "linux",
        cpu: "arm64",
        libc: Some("glibc"),
        debian: Some("arm64"),
        wheel: "aarch64",
    },
    Target {
        triple: "x86_64-unknown-linux-musl",
        npm: "linux-x64-musl",
        os: "linux",
        cpu: "x64",
        libc: Some("musl"),
        debian: None,
        wheel: "musllinux_1_2_x86_64",
    },
    Target {
        triple: "aarch64-unknown-linux-musl",
        npm: "linux-arm64-musl",
        os: "linux",
        cpu: "arm64",
        libc: Some("musl"),
        debian: None,
        wheel: "musllinux_1_2_aarch64",
    },
    Target {
        triple: "x86_64-apple-darwin",
        npm: "darwin-x64",
        os: "darwin",
        cpu: "x64",
        libc: None,
        debian: None,
        wheel: "macosx_10_12_x86_64",
    },
    Target {
        triple: "aarch64-apple-darwin",
        npm: "darwin-arm64",
        os: "darwin",
        cpu: "arm64",
        libc: None,
        debian: None,
        wheel: "macosx_11_0_arm64",
    },
    Target {
        triple: "x86_64-pc-windows-msvc",
        npm: "win32-x64",
        os: "win32",
        cpu: "x64",
        libc: None,
        debian: None,
        wheel: "win_amd64",
    },
];

impl Target {
    /// Returns the target that rustc calls `triple`.
    ///
    /// # Errors
    /// If there are no packages for it.
    pub(super) fn of_triple(triple: &str) -> Result<&'static Self> {
        let found = TARGETS.iter().find(|target| target.triple == triple);
        let triples: Vec<_> = TARGETS.iter().map(|target| target.triple).collect();
        found.with_context(|| {
            let triples = triples.join(", ");
            format!("no packages for {triple}; targets are {triples}")
        })
    }

    /// Returns the name of the program's file.
    pub(super) fn program(&self) -> &'static str {
        match self.is_windows() {
            true => "agon.exe",
            false => "agon",
        }
    }

    /// Whether the program runs on Windows, where archives are zip files.
    pub(super) fn is_windows(&self) -> bool {
        self.os == "win32"
    }

    /// Whether the program needs glibc.
    pub(super) fn is_glibc(&self) -> bool {
        self.libc == Some("glibc")
    }

    /// Returns the name of its npm package.
    pub(super) fn npm_package(&self) -> String {
        format!("{PACKAGE}-{}", self.npm)
    }
}
