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

/// Every path of at most five characters of a small alphabet.
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

/// Whether the library that parses globs says that `glob` covers `path`, itself or a folder of it.
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

    /// Against brute force: paths of five characters suffice for globs of three pieces of at most one.
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
