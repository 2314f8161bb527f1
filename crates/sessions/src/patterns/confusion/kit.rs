//! Kits of a language or a platform: programs, and ends of names of files.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::prose::SeededHash;

struct Kit {
    name: &'static str,
    programs: &'static [&'static str],
    ends: &'static [&'static str],
    files: &'static [&'static str],
}

// Python, shell, Make and SQL are used beside anything: they tell nothing.
const KITS: &[Kit] = &[
    Kit {
        name: "rust",
        programs: &["cargo", "rustc", "rustup", "clippy-driver"],
        ends: &["rs"],
        files: &["Cargo.toml", "Cargo.lock"],
    },
    Kit {
        name: "web",
        programs: &[
            "npm", "pnpm", "yarn", "tsc", "vite", "webpack", "jest", "vitest", "next", "eslint",
            "bun",
        ],
        ends: &[
            "js", "ts", "tsx", "jsx", "vue", "svelte", "mjs", "css", "scss",
        ],
        files: &[
            "package.json",
            "tsconfig.json",
            "pnpm-lock.yaml",
            "yarn.lock",
        ],
    },
    Kit {
        name: "go",
        programs: &["go", "gofmt", "golangci-lint"],
        ends: &["go"],
        files: &["go.mod", "go.sum"],
    },
    Kit {
        name: "jvm",
        programs: &["mvn", "gradle", "gradlew", "javac", "kotlinc", "sbt"],
        ends: &["java", "kt", "kts", "scala", "gradle"],
        files: &["pom.xml", "build.gradle"],
    },
    Kit {
        name: "dotnet",
        programs: &["dotnet", "msbuild", "nuget"],
        ends: &["cs", "csproj", "fs", "sln"],
        files: &[],
    },
    Kit {
        name: "ruby",
        programs: &["bundle", "rails", "rake", "rspec", "gem"],
        ends: &["rb", "erb"],
        files: &["Gemfile", "Rakefile"],
    },
    Kit {
        name: "php",
        programs: &["php", "composer", "phpunit", "artisan"],
        ends: &["php"],
        files: &["composer.json"],
    },
    Kit {
        name: "cloud",
        programs: &[
            "kubectl",
            "helm",
            "terraform",
            "tofu",
            "ansible-playbook",
            "aws",
            "gcloud",
            "az",
        ],
        ends: &["tf", "tfvars"],
        files: &["Chart.yaml", "kustomization.yaml"],
    },
    Kit {
        name: "apple",
        programs: &["swift", "xcodebuild", "pod"],
        ends: &["swift", "xcodeproj", "storyboard"],
        files: &["Podfile"],
    },
    Kit {
        name: "flutter",
        programs: &["flutter", "dart"],
        ends: &["dart"],
        files: &["pubspec.yaml"],
    },
];

/// Names by which a kit is known: looked for once for each word of all that was loaded.
type KitNames = HashMap<&'static str, &'static str, SeededHash>;

fn kit_names(names: fn(&Kit) -> &'static [&'static str]) -> KitNames {
    // The first of two kits with one name counts.
    let kits = KITS.iter().rev();
    kits.flat_map(|kit| names(kit).iter().map(|name| (*name, kit.name)))
        .collect()
}

static PROGRAMS: LazyLock<KitNames> = LazyLock::new(|| kit_names(|kit| kit.programs));
static FILES: LazyLock<KitNames> = LazyLock::new(|| kit_names(|kit| kit.files));
static ENDS: LazyLock<KitNames> = LazyLock::new(|| kit_names(|kit| kit.ends));

/// The kit of a program.
pub(super) fn of_program(program: &str) -> Option<&'static str> {
    let name = program.rsplit('/').next().unwrap_or(program);
    PROGRAMS.get(name).copied()
}

/// The kit of a command. Python is used beside anything, its tests and packages are not.
pub(super) fn of_command(words: &[String]) -> Option<&'static str> {
    let mut plain = words.iter().map(|it| it.rsplit('/').next().unwrap_or(it));
    let program = plain.next()?;
    let is_python = program.starts_with("python")
        && plain.next() == Some("-m")
        && plain
            .next()
            .is_some_and(|it| matches!(it, "unittest" | "pytest" | "pip" | "build"));
    if is_python || matches!(program, "pytest" | "poetry" | "tox") {
        return Some(PYTHON);
    }
    of_program(program)
}

const PYTHON: &str = "python";

/// The kit of a file, Python's included.
pub(super) fn of_any_file(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_python = name.ends_with(".py")
        || matches!(name, "pyproject.toml" | "requirements.txt" | "setup.cfg");
    if is_python {
        Some(PYTHON)
    } else {
        of_file(path)
    }
}

/// The kit of a file.
pub(super) fn of_file(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let by_end = || ENDS.get(name.rsplit_once('.')?.1);
    FILES.get(name).or_else(by_end).copied()
}

/// The kits that a word of a text speaks of.
pub(super) fn kits_of(word: &str) -> impl Iterator<Item = &'static str> {
    // A place in a file has a line after it.
    let file = word.split(':').next().unwrap_or(word);
    // "go", "next", "dart" and "az" are words of any text.
    let is_word = matches!(
        word,
        "go" | "next" | "gem" | "pod" | "az" | "swift" | "dart" | "helm" | "bundle"
    );
    let program = (!is_word).then(|| of_program(word)).flatten();
    program.into_iter().chain(of_any_file(file))
}
