use globset::GlobBuilder;
use proptest::prelude::*;

use super::*;

fn overlaps(a: &str, b: &str) -> bool {
    let (a, b): (PathGlob, PathGlob) = (a.parse().unwrap(), b.parse().unwrap());
    assert_eq!(a.overlaps(&b), b.overlaps(&a), "{a} {b}");
    a.overlaps(&b)
}

#[test]
fn globs_with_a_common_path_overlap() {
    for (a, b) in [
        ("src/a.rs", "src/a.rs"),
        ("src", "src/a.rs"),
        ("src/", "src/**/*.rs"),
        ("a/*", "a"),
        ("src/*.rs", "src/a*"),
        ("**/*.rs", "crates/team/src"),
        ("**", "a"),
        ("a*c", "*b*"),
        ("a?c", "[a-c]bc"),
        ("{a,b}/x", "b/*"),
        ("docs/**/x", "docs/x"),
        ("**/a/**/b", "a/q/b"),
        ("*/ä", "x/*"),
        ("a/[!b]", "a/c"),
        ("**/*.rs", "Makefile"),
        ("**/*.rs", ".github"),
        ("etc/conf.d/", "etc/conf.d/x.conf"),
        ("{a.rs,b}", "b/c"),
    ] {
        assert!(overlaps(a, b), "{a} and {b}");
    }
}

#[test]
fn globs_without_a_common_path_do_not() {
    for (a, b) in [
        ("src/a.rs", "src/b.rs"),
        ("src", "src2"),
        ("src/*.rs", "src/*.md"),
        ("*.rs", "*.md"),
        ("a*", "b*"),
        ("**/a.rs", "x/b.rs"),
        ("{a,b}/x", "c/*"),
        ("a?c", "ac"),
        ("a/[!b]", "a/b"),
        ("crates/team", "crates/team-old"),
        ("A", "a"),
        ("**/*.rs", "docs/x.md"),
        ("etc/conf.d", "etc/conf.d/x.conf"),
    ] {
        assert!(!overlaps(a, b), "{a} and {b}");
    }
}

#[test]
fn a_glob_stays_in_the_repository() {
    for bad in ["/a", "../a", "a/../b", "a//b", "./a", "a/.."] {
        assert!(
            matches!(bad.parse::<PathGlob>(), Err(GlobError::NotRelative(_))),
            "{bad}"
        );
    }
    assert_eq!("".parse::<PathGlob>(), Err(GlobError::Length));
    assert!("/".parse::<PathGlob>().is_err());
    assert_eq!("a".repeat(201).parse::<PathGlob>(), Err(GlobError::Length));
    assert_eq!("a\nb".parse::<PathGlob>(), Err(GlobError::Control));
    for bad in ["a[", "{a", "a]}"] {
        assert!(
            matches!(bad.parse::<PathGlob>(), Err(GlobError::Syntax { .. })),
            "{bad}"
        );
    }
}

#[test]
fn a_path_with_glob_characters_is_covered_by_its_name_only() {
    let glob = PathGlob::literal("a[1]*.rs").unwrap();
    assert!(glob.covers("a[1]*.rs").unwrap());
    assert!(!glob.covers("a1x.rs").unwrap());
    assert!(
        "src"
            .parse::<PathGlob>()
            .unwrap()
            .covers("src/deep/in/it.rs")
            .unwrap()
    );
    assert!(glob.covers("../x").is_err());
}

/// Real paths that contain glob characters.
const ODD_PATHS: &[&str] = &[
    "app/[slug]/page.tsx",
    "app/[[...all]]/page.tsx",
    "app/[user-id]/page.tsx",
    "app/(auth)/@modal/page.tsx",
    "app/[!draft]/[]x].ts",
    "{{cookiecutter.name}}/setup.py",
    "{}/{a}/b",
    "a b/ c/!x/#y/~z$",
    "caf\u{e9}/\u{65e5}\u{672c}.md",
];

#[test]
fn a_path_as_it_is_on_the_disk_covers_itself() {
    for path in ODD_PATHS {
        let glob: PathGlob = path.parse().unwrap();
        assert!(glob.covers(path).unwrap(), "{path}");
        assert!(
            glob.clone().to_literal_path(false).covers(path).unwrap(),
            "{path}"
        );
        let folder = path.rsplit_once('/').unwrap().0;
        let folder: PathGlob = folder.parse().unwrap();
        assert!(folder.covers(path).unwrap(), "{folder}");
        assert!(
            folder.clone().to_literal_path(true).covers(path).unwrap(),
            "{folder}"
        );
    }
}

#[test]
fn a_pattern_may_go_on_below_a_folder_with_brackets() {
    for (glob, path) in [
        ("app/[slug]/*.tsx", "app/[slug]/page.tsx"),
        ("app/[slug]/**", "app/[slug]/a/b.ts"),
        ("**/[id].tsx", "app/users/[id].tsx"),
        ("{{name}}/**/*.py", "{{name}}/a/b.py"),
        ("src/[ab].rs", "src/a.rs"),
        ("src/[!ab].rs", "src/c.rs"),
        ("src/{a}.rs", "src/a.rs"),
    ] {
        assert!(overlaps(glob, &pattern::escape(path)), "{glob} {path}");
    }
    for (glob, path) in [
        ("app/[slug]/*.tsx", "app/[id]/page.tsx"),
        ("src/[ab].rs", "src/c.rs"),
        ("src/[!ab].rs", "src/a.rs"),
        (r"app/\[slug\]/*.tsx", "app/s/page.tsx"),
        ("app/[user-id]", "app/u"),
    ] {
        assert!(!overlaps(glob, &pattern::escape(path)), "{glob} {path}");
    }
}

#[test]
fn a_path_that_is_there_is_all_that_its_glob_means() {
    let exact =
        |text: &str, is_folder| text.parse::<PathGlob>().unwrap().to_literal_path(is_folder);
    for (text, is_folder, written) in [
        ("app/[slug]", true, r"app/\[slug]"),
        ("a*b?.txt", false, r"a\*b\?.txt"),
        ("etc/conf.d", true, "etc/conf.d/"),
        ("etc/conf.d", false, "etc/conf.d"),
        ("src", true, "src"),
        ("src/", true, "src/"),
    ] {
        assert_eq!(exact(text, is_folder).as_str(), written);
    }
    assert!(!exact("app/[slug]", true).covers("app/s").unwrap());
    assert!(exact("etc/conf.d", true).covers("etc/conf.d/x").unwrap());
    // Too long when escaped, but it still covers the path.
    let written = "[a]".repeat(60);
    let long: PathGlob = written.parse().unwrap();
    assert_eq!(long.clone().to_literal_path(true), long);
    assert!(long.overlaps(&PathGlob::file(&written).unwrap()));
    assert!(!long.overlaps(&PathGlob::file(&written[..60]).unwrap()));
}

#[test]
fn letters_are_characters_in_every_form() {
    for (glob, path) in [
        ("?.pem", "\u{e9}.pem"),
        ("[\u{e4}\u{f6}].md", "\u{f6}.md"),
        ("caf\u{e9}", "cafe\u{301}"),
        ("cafe\u{301}/x", "caf\u{e9}/x"),
        ("caf?", "cafe\u{301}"),
    ] {
        assert!(overlaps(glob, path), "{glob} {path}");
    }
    assert!(!overlaps("[\u{e4}].md", "\u{f6}.md"));
    assert!(!overlaps("cafe", "caf\u{e9}"));
}

#[test]
fn a_file_may_have_a_longer_path_than_a_glob_and_any_characters() {
    let glob: PathGlob = "src/**".parse().unwrap();
    for path in [
        format!("src/{}", "long/".repeat(100)),
        "src/a\nb".to_owned(),
    ] {
        assert!(glob.overlaps(&PathGlob::file(&path).unwrap()), "{path}");
    }
    assert!(PathGlob::file("../x").is_err());
}

#[test]
fn a_set_has_some_globs_and_not_too_many() {
    let glob: PathGlob = "a".parse().unwrap();
    assert_eq!(GlobSet::try_from(vec![]), Err(GlobError::Count(0)));
    assert_eq!(
        GlobSet::try_from(vec![glob.clone(); 33]),
        Err(GlobError::Count(33))
    );
    assert!(GlobSet::try_from(vec![glob; 32]).is_ok());
}

#[test]
fn the_largest_globs_are_compared_in_an_instant() {
    let a: PathGlob = "*a".repeat(100).parse().unwrap();
    let b: PathGlob = "*b?".repeat(66).parse().unwrap();
    let started = std::time::Instant::now();
    assert!(a.overlaps(&b));
    assert!(started.elapsed().as_secs() < 2, "{:?}", started.elapsed());
}

#[test]
fn globs_that_take_too_long_to_compare_count_as_overlapping() {
    let hard = |at: usize, end: char| {
        let doubled = format!("{}{}{}", "{".repeat(3), "*a".repeat(at), "}".repeat(3));
        format!("{doubled}.{end}").parse::<PathGlob>().unwrap()
    };
    let (ours, theirs) = (hard(95, 'x'), hard(95, 'y'));
    assert_eq!(ours.compare(&theirs), None);
    assert!(ours.overlaps(&theirs));
    let sets = [&ours, &theirs].map(|glob| GlobSet::try_from(vec![glob.clone(); 32]).unwrap());
    assert!(sets[0].overlap(&sets[1]).is_some());
    // Long globs without braces, and many short ones, are compared completely.
    let stars = |end| {
        format!("{}.{end}", "*a".repeat(99))
            .parse::<PathGlob>()
            .unwrap()
    };
    assert_eq!(stars('x').compare(&stars('y')), Some(false));
    let sources = |end| {
        let globs = (0..32).map(|at| format!("**/part{at}/**/*.{end}").parse().unwrap());
        GlobSet::try_from(globs.collect::<Vec<PathGlob>>()).unwrap()
    };
    assert_eq!(sources("rs").overlap(&sources("md")), None);
}

#[test]
fn braces_are_nested_as_deep_as_in_templates_and_no_deeper() {
    assert!("{{{name}}}/setup.py".parse::<PathGlob>().is_ok());
    let deep = format!("{}a{}", "{".repeat(4), "}".repeat(4));
    assert!(matches!(
        deep.parse::<PathGlob>(),
        Err(GlobError::Syntax { .. })
    ));
    // A glob stored when deeper nesting was allowed gets the careful answer.
    let stored = PathGlob::from_store(deep);
    assert!(stored.overlaps(&"{b,c}".parse().unwrap()));
}

/// Returns every path of at most five characters from a small alphabet.
fn short_paths() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..5 {
        let until = all.len();
        for at in from..until {
            all.extend(
                "ab/"
                    .chars()
                    .map(|c| format!("{}{c}", all[at]))
                    .collect::<Vec<_>>(),
            );
        }
        from = until;
    }
    all.retain(|path| !path.split('/').any(str::is_empty));
    all
}

/// Returns whether the glob library says that `glob` covers `path` or one of its parent folders.
fn covers_by_library(glob: &str, path: &str) -> bool {
    let matcher = GlobBuilder::new(glob)
        .literal_separator(true)
        .build()
        .unwrap()
        .compile_matcher();
    let ends = path
        .match_indices('/')
        .map(|(at, _)| at)
        .chain([path.len()]);
    ends.into_iter().any(|end| matcher.is_match(&path[..end]))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Compares with brute force: five characters suffice for globs of three pieces of at most one.
    #[test]
    fn overlap_is_what_trying_every_path_finds(
        a in proptest::collection::vec("[ab?*]", 1..4),
        b in proptest::collection::vec("[ab?*/]", 1..4),
    ) {
        let (a, b) = (a.concat(), b.concat());
        prop_assume!(!b.split('/').any(str::is_empty));
        let (ours, theirs): (PathGlob, PathGlob) = (a.parse().unwrap(), b.parse().unwrap());
        let by_force = short_paths()
            .iter()
            .any(|path| covers_by_library(&a, path) && covers_by_library(&b, path));
        prop_assert_eq!(ours.overlaps(&theirs), by_force, "{} {}", a, b);
    }
}
