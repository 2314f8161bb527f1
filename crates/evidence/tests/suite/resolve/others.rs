//! Names from outside the project, and invented names in the project.

use super::*;

fn shipyard() -> (Repo, Source) {
    let repo = Repo::new();
    let lines = (1..=40)
        .map(|line| format!("line {line}\n"))
        .collect::<String>();
    for path in [
        "src/hull/plate.rs",
        "src/hull/[deck]/cabin.ts",
        "docs/Rope & Sail/knots.md",
        "App.Yard/Main.xaml",
        "src/keel.rs",
    ] {
        repo.write(path, &lines);
    }
    repo.commit();
    let source = Source::pin_tree(&repo.path(), &PinLimits::default()).unwrap();
    (repo, source)
}

fn stamps(source: &Source, text: &str) -> Vec<String> {
    let stamps = Resolver::new(source).resolve_ground(&ground(text, "So it is."));
    stamps.iter().map(|it| it.stamp.to_string()).collect()
}

#[test]
fn files_of_other_projects_are_not_missing() {
    let (_repo, source) = shipyard();
    for text in [
        "Redis does so in deps/hiredis/sds.c:120.",
        "Kafka's src/log/Segment.java:40 shows how.",
        "Upstream it stands in src/hull/rivets.rs:7.",
        "Tokio has src/runtime/park.rs for it, in its own repository.",
        "In Hugo (gohugoio/hugo) the file src/site/render.go does so.",
        "The package.json in the SolidJS repository (not ours) pins it.",
        "The keel.rs of the upstream Astro project says so.",
        "Upstream's keel.rs says so.",
        "React's own keel.rs says so.",
    ] {
        assert_eq!(
            stamps(&source, text),
            ["unchecked: outside the source"],
            "{text}"
        );
    }
    for text in [
        "java.util.concurrent.locks.Lock is fair.",
        "The key yard.crew.c:name is empty.",
    ] {
        assert_eq!(
            stamps(&source, text),
            ["unchecked: no place is named"],
            "{text}"
        );
    }
    for text in [
        "It stands in src/hull/rivets.rs:7.",
        "It stands in srcs/keel.rs:7.",
        "`src/hull/rivets.rs` is never built.",
    ] {
        assert!(
            stamps(&source, text)[0].starts_with("missing: no such file"),
            "{text}"
        );
    }
}

#[test]
fn a_missing_file_keeps_its_whole_name() {
    let (_repo, source) = shipyard();
    for (text, name) in [
        (
            "See `src/hull/No such plate.rs:3`.",
            "src/hull/No such plate.rs",
        ),
        (
            "See \"docs/Rope & Sail/bowlines.md:3\".",
            "docs/Rope & Sail/bowlines.md",
        ),
        (
            "See `docs/Nobody's own/knots.md:3`.",
            "docs/Nobody's own/knots.md",
        ),
        (
            "See src/hull/[deck]/berth.ts:3.",
            "src/hull/[deck]/berth.ts",
        ),
        ("See App.Yard/Other.xaml:3.", "App.Yard/Other.xaml"),
    ] {
        let stamps = Resolver::new(&source).resolve_ground(&ground(text, "So it is."));
        assert_eq!(stamps.len(), 1, "{text}");
        assert_eq!(stamps[0].citation.file.as_deref(), Some(name), "{text}");
        assert_eq!(stamps[0].stamp.kind(), StampKind::Missing, "{text}");
    }
    let citation = file("src/hull/No such plate.rs", Some([3, 3]), None);
    assert_eq!(
        Resolver::new(&source).resolve(&citation).kind(),
        StampKind::Missing
    );
    // A command names its file.
    for text in [
        "`cat src/keel.rs:3`",
        "`docs/Rope & Sail/knots.md:3`",
        "`src/tool run src/keel.rs:3`",
    ] {
        let stamps = Resolver::new(&source).resolve_ground(&ground(text, "So it is."));
        assert_eq!(stamps[0].stamp.kind(), StampKind::Place, "{text}");
    }
}

#[test]
fn rough_lines_end_with_the_file() {
    let (_repo, source) = shipyard();
    for (text, expected) in [
        (
            "around line 38 of src/keel.rs",
            "place: src/keel.rs:33-40, nothing quoted",
        ),
        (
            "src/keel.rs, near line 40",
            "place: src/keel.rs:35-40, nothing quoted",
        ),
        (
            "around line 90 of src/keel.rs",
            "missing: no such lines; the last one is 40",
        ),
    ] {
        assert_eq!(stamps(&source, text), [expected], "{text}");
    }
}

#[test]
fn a_path_of_another_machine_is_unchecked_when_it_ends_like_one_of_the_project() {
    let (_repo, source) = shipyard();
    let source = source.with_mark(Some(RootMark::for_folder("", "/srv/yard")));
    for (text, expected) in [
        (
            "File \"/app/src/keel.rs\", line 3, in f",
            "unchecked: outside the source",
        ),
        (
            "/opt/build/yard/src/hull/plate.rs:3",
            "unchecked: outside the source",
        ),
        (
            "/srv/yard/src/keel.rs:3",
            "place: src/keel.rs:3, nothing quoted",
        ),
    ] {
        assert_eq!(stamps(&source, text), [expected], "{text}");
    }
}

#[test]
fn the_copy_that_a_seat_reads_is_the_project() {
    let (repo, source) = shipyard();
    let name = repo
        .path()
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    let copy = format!("/var/cache/agon/private/471-90-3f1c9ae0-51835adf-b93deb5a/{name}");
    assert_eq!(
        stamps(&source, &format!("{copy}/src/keel.rs:3")),
        ["place: src/keel.rs:3, nothing quoted"]
    );
    let missing = stamps(&source, &format!("{copy}/src/kiel.rs:3"));
    assert_eq!(missing, ["missing: no such file; there is src/keel.rs"]);
}
