//! What a build has not, and what it says instead; and that it is there where it was built in.
//!
//! `cargo xtask test --full` runs these in a build without any feature too.

use agon_testkit::refused_url;

use crate::scenarios::place::Fakes;

/// The step of a hint that names a build with a feature.
fn full_build(feature: &str) -> String {
    format!("build with `cargo install --path crates/cli --features {feature}`")
}

/// A debate in its folder.
fn debated() -> Fakes {
    let fakes = Fakes::new();
    let ran = fakes.debate(&["--quick"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    fakes
}

#[test]
fn a_picture_in_pixels_is_painted_or_refused_with_the_way_to_a_build_that_paints() {
    let fakes = debated();
    let picture = fakes.place.project().join("graph.png");
    let file = picture.to_string_lossy().into_owned();
    let ran = fakes
        .place
        .run(&["report", "s", "--format", "png", "-o", &file]);
    if cfg!(feature = "png") {
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        assert!(
            std::fs::read(picture)
                .unwrap()
                .starts_with(b"\x89PNG\r\n\x1a\n")
        );
        return;
    }
    let refused = format!(
        "error: this build cannot render PNG files\n  hint: {}; `--format svg` renders the same \
         picture in every build\n",
        full_build("png")
    );
    assert_eq!((ran.code, ran.stderr), (Some(2), refused));
    assert!(!picture.exists());
    let args = ["report", "s", "--format", "png", "-o", &file, "--json"];
    let ended = fakes.place.run(&args).ended();
    assert_eq!(ended, (Some(2), "no_png".to_owned()));
}

#[test]
fn a_whole_report_has_every_picture_that_the_build_paints() {
    let fakes = debated();
    let ran = fakes.place.run(&["report", "s"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let mut files = vec!["README.md", "report.html", "argument-graph.svg"];
    let mut note = String::new();
    if cfg!(feature = "png") {
        files.push("argument-graph.png");
    } else {
        note = format!(
            "note: this build cannot render argument-graph.png; {}\n",
            full_build("png")
        );
    }
    let paths: String = files
        .iter()
        .map(|file| format!("debates/s/{file}\n"))
        .collect();
    assert_eq!((ran.stdout, ran.stderr), (paths, note));
    for name in ["argument-graph.svg", "argument-graph.png"] {
        let is_there = fakes.place.folder().join(name).exists();
        assert_eq!(is_there, files.contains(&name), "{name}");
    }
}

#[test]
fn traces_that_somebody_asks_for_are_tried_or_refused_with_the_way_to_a_build_that_sends() {
    let mut fakes = Fakes::new();
    let gone = refused_url();
    fakes
        .place
        .env
        .insert("OTEL_EXPORTER_OTLP_ENDPOINT".into(), gone);
    let ran = fakes.debate(&["--quick"]);
    // They stand in the way of nothing.
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let warning = "warning: traces were not sent (the debate is not affected): ";
    assert_eq!(ran.stderr.matches(warning).count(), 1, "{}", ran.stderr);
    let refused = format!(
        "{warning}this build cannot send traces; {}\n",
        full_build("telemetry")
    );
    let sends = cfg!(feature = "telemetry");
    assert_eq!(ran.stderr.contains(&refused), !sends, "{}", ran.stderr);
}

#[test]
fn a_model_in_the_program_is_there_or_refused_with_the_way_to_a_build_that_has_one() {
    let ran = Fakes::new().place.run(&["model", "list"]);
    if cfg!(feature = "local-model") {
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        return;
    }
    let refused = format!(
        "error: this build contains no built-in models\n  hint: {}, then run agon model pull; or \
         name an installed tool (`agon tools` lists them)\n",
        full_build("local-model")
    );
    assert_eq!((ran.code, ran.stderr), (Some(4), refused));
}
