//! True citations in every style that tools and people use, for names of every kind.

use super::*;

const NAMES: [&str; 12] = [
    "src/retry.rs",
    "app/[id]/page.tsx",
    "app/(shop)/[...all]/route.ts",
    "docs/team notes/limits, old.md",
    "docs/größe & maß.md",
    "src/+page.svelte",
    "src/c#d.rs",
    "it's/a=b {x}.py",
    "資料/設計 📦.md",
    "--flags/.env.example",
    "src/100%/$value!.ts",
    ".github/workflows/ci.yml",
];

const WORDS: &str = "let basket_limit = forty_items;";

fn shop() -> (Repo, Source) {
    let repo = Repo::new();
    let lines = |at: usize| {
        let lines = (1..=20).map(|line| match line {
            10 => WORDS.to_owned(),
            line => format!("line {line} of file {at}"),
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    for (at, name) in NAMES.iter().enumerate() {
        repo.write(name, lines(at));
    }
    repo.commit();
    let source = Source::pin_tree(&repo.path(), &PinLimits::default()).unwrap();
    let manifest = blake3::hash(&source.manifest().to_bytes()).to_hex();
    let root = repo.path().display().to_string();
    let mark = RootMark::for_folder(&manifest, &root);
    (repo, source.with_mark(Some(mark)))
}

fn percent(name: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+".contains(byte);
    let bytes = name.bytes().map(|byte| match plain(&byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    bytes.collect()
}

fn shell(name: &str) -> String {
    let special = |c: char| " []()&#={}$!',".contains(c);
    let chars = name.chars().map(|c| match special(c) {
        true => format!("\\{c}"),
        false => c.to_string(),
    });
    chars.collect()
}

fn octal(name: &str) -> String {
    let bytes = name.bytes().map(|byte| match byte {
        0x80.. => format!("\\{byte:03o}"),
        byte => char::from(byte).to_string(),
    });
    format!("\"{}\"", bytes.collect::<String>())
}

/// Each style of writing line 10 of NAME, an absolute ROOT and a commit SHA.
const STYLES: [&str; 62] = [
    "NAME:10",
    "NAME:10-20",
    "NAME:9–11",
    "NAME:10:5",
    "NAME:10:5-12:8",
    "NAME:10,20",
    "NAME:L10",
    "NAME:L9-L11",
    "NAME#L10",
    "NAME#L10-L20",
    "NAME#L10-20",
    "NAME#L10C5-L20C8",
    "NAME#L9:12",
    "NAME(10,4)",
    "NAME (10, 4)",
    "NAME(10)",
    "NAME @ 10",
    "NAME, line 10",
    "NAME line 9 to 20",
    "NAME lines 10–20",
    "NAME (lines 10-20)",
    "lines 10-20 of NAME",
    "line 10 in `NAME`",
    "see `NAME:10`.",
    "`NAME`:10",
    "**NAME:10**",
    "\"NAME\", line 10",
    "'NAME' line 10",
    "“NAME” line 10",
    "«NAME», ligne 10",
    "„NAME“, Zeile 10",
    "[the code](<NAME#L10>)",
    "[`NAME:10`](PERCENT)",
    "[code](PERCENT#L10-L20)",
    "see [1]\n\n[1]: PERCENT#L10",
    "<NAME:10>",
    "@NAME:10",
    "./NAME:10",
    "../NAME:10",
    "a/NAME:10",
    "b/NAME line 10",
    "SHA:NAME:10",
    "NAME@SHA:10",
    "ROOT/NAME:10",
    "file://ROOT/PERCENT#L10",
    "vscode://file/ROOT/PERCENT:10:5",
    "vscode-insiders://fileROOT/NAME:10",
    "cursor://fileROOT/PERCENT:10",
    "zed://fileROOT/PERCENT:10",
    "idea://open?file=ROOT/PERCENT&line=10",
    "subl://open?url=file://ROOT/PERCENT&line=10",
    "txmt://open?url=file://ROOT/PERCENT&line=10&column=2",
    "jetbrains://idea/navigate/reference?project=x&path=PERCENT:10",
    "File \"ROOT/NAME\", line 10, in f",
    "   at f (ROOT/NAME:10:5)",
    "https://github.com/acme/shop/blob/SHA/PERCENT#L10-L20",
    "https://gitlab.com/acme/shop/-/blob/SHA/PERCENT#L10-20",
    "SHELL:10",
    "OCTAL:10",
    "【F:NAME†L9-L11】",
    "[NAME†L10]",
    "【NAME†L10】",
];

fn written(style: &str, name: &str, root: &str, sha: &str) -> String {
    let style = style.replace("PERCENT", &percent(name));
    let style = style
        .replace("SHELL", &shell(name))
        .replace("OCTAL", &octal(name));
    style
        .replace("ROOT", root)
        .replace("SHA", sha)
        .replace("NAME", name)
}

#[test]
fn a_true_place_is_found_in_every_style_in_prose_and_in_the_field() {
    let (repo, source) = shop();
    let sha = repo.git(&["rev-parse", "HEAD"]);
    let root = repo.path().display().to_string();
    let mut resolver = Resolver::new(&source);
    let mut failed = Vec::new();
    for name in NAMES {
        let expected = format!("found: {name}:10");
        for style in STYLES {
            let place = written(style, name, &root, sha.trim());
            let content = format!("It has `{WORDS}`.");
            let stamps = resolver.resolve_ground(&ground(&place, &content));
            let said: Vec<String> = stamps.iter().map(|it| it.stamp.to_string()).collect();
            let is_found = |said: &str| said.starts_with(&expected);
            if !matches!(said.as_slice(), [only] if is_found(only)) {
                failed.push(format!("{place}: {said:?}"));
            }
            let said = resolver
                .resolve(&file(&place, None, Some(WORDS)))
                .to_string();
            if !is_found(&said) {
                failed.push(format!("file = {place}: {said}"));
            }
        }
    }
    assert!(
        failed.is_empty(),
        "{} of {}:\n{}",
        failed.len(),
        NAMES.len() * STYLES.len() * 2,
        failed.join("\n")
    );
}

#[test]
fn each_range_of_a_list_has_its_stamp_and_words_stand_in_one() {
    let (_repo, source) = shop();
    let said = |at: &str, content: &str| -> Vec<String> {
        let stamps = Resolver::new(&source).resolve_ground(&ground(at, content));
        stamps.iter().map(|it| it.stamp.to_string()).collect()
    };
    let place = |lines: &str| format!("place: src/retry.rs:{lines}, nothing quoted");
    let found = "found: src/retry.rs:10".to_owned();
    let moved = "moved: the words are at src/retry.rs:10, not at 1".to_owned();
    let wrong = "wrong: the words are not in src/retry.rs".to_owned();
    let true_words = format!("It says `{WORDS}`.");
    let false_words = "It says `let basket_limit = fifty_items;`.";
    for (at, content, expected) in [
        ("`src/retry.rs:3-5,9-12`", "", [place("3-5"), place("9-12")]),
        (
            "`src/retry.rs:3-5,9-12`",
            &true_words,
            [place("3-5"), found.clone()],
        ),
        (
            "lines 9 to 12 and 14 to 15 of `src/retry.rs`",
            &true_words,
            [found, place("14-15")],
        ),
        ("`src/retry.rs` L1 and L3", &true_words, [moved, place("3")]),
        (
            "`src/retry.rs` L8-L10 and L12",
            false_words,
            [wrong, place("12")],
        ),
        (
            "`src/retry.rs` L8-L10 and L50",
            "",
            [
                place("8-10"),
                "missing: no such lines; the last one is 20".to_owned(),
            ],
        ),
    ] {
        assert_eq!(said(at, content), expected, "{at}");
    }
    for name in NAMES {
        let at = format!("{name}, lines 8, 10 and 12");
        let kinds: Vec<String> = said(&at, &true_words);
        assert!(
            kinds[1].starts_with("found: ") && kinds.len() == 3,
            "{at}: {kinds:?}"
        );
        let whole = Resolver::new(&source).resolve(&file(&at, None, Some(WORDS)));
        assert_eq!(whole.kind(), StampKind::Found, "file = {at}");
    }
}

#[test]
fn forms_of_windows_are_read_where_the_file_is_known() {
    let (_repo, source) = shop();
    let mut resolver = Resolver::new(&source);
    for place in [
        "src\\retry.rs:10",
        "docs\\team notes\\limits, old.md:10",
        "C:\\repo\\src\\retry.rs(10,4)",
        "/c/repo/src/retry.rs:10",
        "file:///C:/repo/src/retry.rs#L10",
        "in C:\\work\\src\\retry.rs:line 10",
    ] {
        let stamps = resolver.resolve_ground(&ground(place, &format!("`{WORDS}`")));
        assert!(
            stamps[0].stamp.to_string().starts_with("found: "),
            "{place}: {}",
            stamps[0].stamp
        );
    }
}

#[test]
fn several_places_are_no_quotations_of_each_other() {
    let (_repo, source) = shop();
    let said = |text: &str| -> Vec<String> {
        let stamps = Resolver::new(&source).resolve_ground(&ground(text, ""));
        stamps.iter().map(|it| it.stamp.to_string()).collect()
    };
    assert_eq!(
        said("`docs/team notes/limits, old.md:3` and `app/[id]/page.tsx:4`"),
        [
            "place: docs/team notes/limits, old.md:3, nothing quoted",
            "place: app/[id]/page.tsx:4, nothing quoted"
        ]
    );
    assert_eq!(
        said("`app/[slug]/page.tsx:4`"),
        ["missing: no such file; there is app/[id]/page.tsx"]
    );
}

#[test]
fn a_name_that_does_not_exist_is_missing_with_all_of_its_name_and_lines() {
    let (_repo, source) = shop();
    for (text, name, lines) in [
        ("docs/C#/New.cs:4", "docs/C#/New.cs", Some([4, 4])),
        ("`docs/F#/New.fs`", "docs/F#/New.fs", None),
        ("src/C#/core/New.cs#L4", "src/C#/core/New.cs", Some([4, 4])),
        (
            "`docs/new rules.md`, line 4",
            "docs/new rules.md",
            Some([4, 4]),
        ),
        (
            "`docs/new rules.md` (lines 4-6)",
            "docs/new rules.md",
            Some([4, 6]),
        ),
        (
            "line 4 of `docs/new rules.md`",
            "docs/new rules.md",
            Some([4, 4]),
        ),
        ("(`docs/rules (old).md`)", "docs/rules (old).md", None),
        (
            "`docs/rules [old].md`, line 4",
            "docs/rules [old].md",
            Some([4, 4]),
        ),
        ("`app/[id]/[row].tsx`", "app/[id]/[row].tsx", None),
        ("app/[row].tsx:4", "app/[row].tsx", Some([4, 4])),
        ("`src/Night.Mode.xaml`", "src/Night.Mode.xaml", None),
        ("src/Shared/New.cshtml", "src/Shared/New.cshtml", None),
    ] {
        let stamps = Resolver::new(&source).resolve_ground(&ground(text, ""));
        let said: Vec<_> = stamps
            .iter()
            .map(|it| (it.citation.file.as_deref(), it.citation.lines))
            .collect();
        assert_eq!(said, [(Some(name), lines)], "{text}");
        assert_eq!(stamps[0].stamp.kind(), StampKind::Missing, "{text}");
    }
}
