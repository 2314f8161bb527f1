//! Tests of the published documents.

use agon_rules::ops::{OutsideStep, StepOutcome, SubmittedReply, evaluate_outside_step};
use agon_samples::batches::{AT, batches, spec};
use agon_samples::steps;
use agon_store::RealDisk;

use super::*;

fn reopen(path: &Path) -> FolderHost {
    let (mut host, opening) = FolderHost::open(Arc::new(RealDisk), path, || AT).unwrap();
    assert_eq!(opening, OpenReport::default());
    host.publish_if_outdated().unwrap();
    host
}

/// Records a step of a formal debate: the arguments of an exchange, or their scores.
fn record_step(host: &mut FolderHost, exchange: u16, is_judgment: bool) {
    let texts = match is_judgment {
        true => [steps::scores(exchange).to_string(), String::new()],
        false => ["prop", "opp"].map(|side| steps::good(side, exchange)),
    };
    let [one, other] = texts.each_ref().map(|text| SubmittedReply {
        reply: text.as_bytes(),
        redacted: 0,
    });
    let step = match is_judgment {
        true => OutsideStep::Judgment(one),
        false => OutsideStep::Exchange {
            exchange,
            proposition: one,
            opposition: other,
        },
    };
    let StepOutcome::Taken { events, .. } = evaluate_outside_step(host.state(), step, AT) else {
        panic!("the step was not accepted")
    };
    host.record(&events).unwrap();
}

fn assert_published(host: &FolderHost) {
    for (path, bytes) in agon_folder::published_files(host.state()) {
        let there = std::fs::read(path.under(host.folder().path())).unwrap();
        let [there, wanted] = [&there, &bytes].map(|bytes| String::from_utf8_lossy(bytes));
        assert_eq!(there, wanted, "{path:?}");
    }
}

#[test]
fn every_step_leaves_all_files_of_the_debate_current() {
    let parent = tempfile::tempdir().unwrap();
    let disk = Arc::new(RealDisk);
    let mut host = FolderHost::create(disk, parent.path(), steps::spec(), || AT).unwrap();
    host.publish_documents().unwrap();
    let path = host.folder().path().to_owned();
    for exchange in 0..5 {
        for is_judgment in [false, true] {
            // Half of the steps in one process, half each in its own.
            if exchange % 2 == 0 {
                drop(host);
                host = reopen(&path);
            }
            record_step(&mut host, exchange, is_judgment);
            host.publish_documents().unwrap();
            assert_published(&host);
        }
    }
}

#[test]
fn documents_of_an_interrupted_step_are_rendered_whole() {
    let parent = tempfile::tempdir().unwrap();
    let disk = Arc::new(RealDisk);
    let mut host = FolderHost::create(disk, parent.path(), steps::spec(), || AT).unwrap();
    let path = host.folder().path().to_owned();
    for (exchange, is_judgment) in [(0, false), (0, true), (1, false)] {
        record_step(&mut host, exchange, is_judgment);
        host.publish_documents().unwrap();
    }
    record_step(&mut host, 1, true);
    drop(host);
    let mut host = reopen(&path);
    record_step(&mut host, 2, false);
    host.publish_documents().unwrap();
    assert_published(&host);
}

#[test]
fn documents_of_another_version_are_rendered_whole() {
    for (version, is_reused) in [(env!("CARGO_PKG_VERSION"), true), ("0.0.0", false)] {
        let parent = tempfile::tempdir().unwrap();
        let disk = Arc::new(RealDisk);
        let mut host = FolderHost::create(disk, parent.path(), steps::spec(), || AT).unwrap();
        let path = host.folder().path().to_owned();
        record_step(&mut host, 0, false);
        host.publish_documents().unwrap();
        drop(host);
        // Another version used other words, and noted their hash.
        let words = std::fs::read_to_string(path.join("transcript.md")).unwrap();
        let others = words.replace("Incident review of March", "Incident review in March");
        std::fs::write(path.join("transcript.md"), &others).unwrap();
        let list = path.join(".agon/projections.json");
        let mut manifest: serde_json::Value =
            serde_json::from_slice(&std::fs::read(&list).unwrap()).unwrap();
        let hash = blake3::hash(others.as_bytes()).to_hex().to_string();
        manifest["transcript.md"]["hash"] = hash.into();
        manifest["transcript.md"]["agon"] = version.into();
        std::fs::write(&list, manifest.to_string()).unwrap();
        let mut host = reopen(&path);
        record_step(&mut host, 0, true);
        host.publish_documents().unwrap();
        let now = std::fs::read_to_string(path.join("transcript.md")).unwrap();
        assert_eq!(now.contains("Incident review in March"), is_reused);
    }
}

#[test]
fn the_verdict_that_is_published_is_the_one_that_is_handed_out() {
    let parent = tempfile::tempdir().unwrap();
    let disk = Arc::new(RealDisk);
    let mut host = FolderHost::create(disk, parent.path(), spec(), || AT).unwrap();
    let [before @ .., last] = batches() else {
        panic!("there are no batches")
    };
    for batch in before {
        host.record(batch).unwrap();
    }
    host.publish_documents().unwrap();
    assert_eq!(host.verdict, Some(None));
    host.record(last).unwrap();
    host.publish_documents().unwrap();
    let published = host.verdict.clone().unwrap().unwrap();
    assert!(Arc::ptr_eq(&published, &host.verdict().unwrap()));
    assert_eq!(Some(&*published), verdict(host.state()).as_ref());
}
