use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use agon_debates::request::StartRequest;
use agon_testkit::{Answer, FakeModels, Script};
use tokio::task::LocalSet;

use super::*;
use crate::estimate::estimate;
use crate::input;
use crate::request::BatchRequest;
use crate::work::{choose_requests, find_work};

/// A batch whose seats are all taken by one fake model server.
struct Place {
    models: FakeModels,
    caller: Caller,
    batch: BatchRequest,
    files: BatchFolder,
    _dir: tempfile::TempDir,
}

#[derive(Default)]
struct Silent;

impl Notes for Silent {
    fn note(&mut self, _: &str) {}

    fn warn(&mut self, _: &str) {}
}

impl Watcher for Silent {
    fn on_progress(&mut self, _: &Progress) {}

    fn on_result(&mut self, _: &BatchResult) {}
}

impl Place {
    fn new() -> Self {
        let models = FakeModels::start(Script::job_store_quick());
        let dir = tempfile::tempdir().unwrap();
        let config = dir.path().join(".config/agon");
        fs::create_dir_all(&config).unwrap();
        let lines = format!(
            "daily_tokens = 1_000_000_000\n[tools.server]\ntransports = [\"http\"]\n\
             [tools.server.http]\nadapter = \"openai\"\nurl = \"{}/v1\"\nmodel = \"m\"\n",
            models.url()
        );
        fs::write(config.join("config.toml"), lines).unwrap();
        fs::write(dir.path().join("q.jsonl"), "{\"topic\": \"Ship it?\"}\n").unwrap();
        let vars = [
            ("HOME", dir.path().as_os_str()),
            ("PATH", "/usr/bin:/bin".as_ref()),
        ];
        let vars = vars.map(|(name, value)| (name.into(), value.to_owned()));
        let caller = Caller::new(BTreeMap::from(vars), dir.path());
        let seats = r#"{"sides": [{"tool": "server"}, {"tool": "server"}],
            "judges": {"tools": ["server"]}, "same_tool": true}"#;
        let batch = BatchRequest {
            file: "q.jsonl".into(),
            base: StartRequest {
                quick: true,
                context: Some("none".to_owned()),
                seats: serde_json::from_str(seats).unwrap(),
                ..StartRequest::default()
            },
            repeat: 1,
            ..BatchRequest::default()
        };
        let files = BatchFolder::of(&caller, &batch);
        Self {
            models,
            caller,
            batch,
            files,
            _dir: dir,
        }
    }

    fn find_work(&self, results: &Results) -> Work {
        let rows = input::read(&self.batch, &self.caller.cwd).unwrap();
        let known = |identity: &str| results.find(identity);
        let requests = choose_requests(&self.caller, &self.batch, rows).unwrap();
        find_work(&self.batch, &self.files, requests, known)
    }

    /// Runs the batch, and returns its results too.
    async fn run(&self) -> (Summary, Vec<BatchResult>) {
        let _lock = self.files.lock().unwrap();
        let mut results = Results::open(&self.files).unwrap();
        let work = self.find_work(&results);
        let estimate = estimate(&self.caller, &work).await.unwrap();
        let run = BatchRun {
            caller: &self.caller,
            folder: &self.files,
            caps: self.batch.caps,
            work,
            estimate: &estimate,
            stop: CancellationToken::new(),
        };
        let summary = run.run(&mut results, &mut Silent).await.unwrap();
        let results = results.all().cloned().collect();
        (summary, results)
    }
}

fn block_on(work: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(LocalSet::new().run_until(work));
}

#[test]
fn a_retried_debate_still_counts_what_its_first_attempt_used() {
    block_on(async {
        let mut place = Place::new();
        place.models.set("verdict.judge", Answer::Garbage);
        let (first, results) = place.run().await;
        assert_eq!(first.progress.failed, 1, "{results:?}");
        let [before] = &results[..] else { panic!() };
        assert!(before.tokens > 0 && before.calls > 0, "{before:?}");
        place.batch.retry_failed = true;
        let (second, results) = place.run().await;
        let [after] = &results[..] else { panic!() };
        assert_eq!(after.attempt, 2, "{after:?}");
        // The first attempt was resumed before the second one.
        assert!(after.calls >= 2 * before.calls, "{after:?}");
        assert_eq!(after.tokens, 2 * before.tokens);
        assert_eq!(second.progress.tokens, after.tokens);
    });
}

#[test]
fn a_debate_that_was_cut_off_counts_for_the_limits_of_the_batch() {
    block_on(async {
        let mut place = Place::new();
        let (_, results) = place.run().await;
        let [result] = &results[..] else { panic!() };
        // As if the process had been killed before it stored the result.
        fs::remove_file(place.files.results()).unwrap();
        let asked = place.models.requests().len();
        place.batch.caps.tokens = Some(result.tokens);
        let (summary, results) = place.run().await;
        assert_eq!(summary.early, Some(EarlyEnd::Capped("max-total-tokens")));
        assert_eq!(summary.progress.tokens, result.tokens);
        assert!(results.is_empty());
        place.batch.caps.tokens = Some(10 * result.tokens);
        let (summary, results) = place.run().await;
        assert_eq!(summary.progress.tokens, result.tokens);
        assert_eq!(results.len(), 1);
        assert_eq!(place.models.requests().len(), asked);
    });
}

#[test]
fn a_debate_that_this_run_began_is_resumed_and_not_started_again() {
    block_on(async {
        let place = Place::new();
        let _lock = place.files.lock().unwrap();
        let results = Results::open(&place.files).unwrap();
        // Found before the debate began.
        let work = place.find_work(&results);
        let item = &work.items[0];
        let caller = Caller {
            debates_dir: Some(place.files.debates()),
            ..place.caller.clone()
        };
        let (cancel, (notes, _noted)) = (CancellationToken::new(), mpsc::unbounded_channel());
        for _ in 0..2 {
            let live = Arc::new(Live::default());
            let end = run_item(&caller, &place.files, item, &live, &cancel, &notes).await;
            let ItemEnd::Result(result) = end else {
                panic!("{end:?}")
            };
            assert_eq!((result.status, result.attempt), (ResultStatus::Done, 1));
            assert_eq!(place.models.requests().len(), 3);
        }
        let debates = fs::read_dir(place.files.debates()).unwrap().flatten();
        let folders = debates.filter(|it| agon_caller::find::is_debate_folder(&it.path()));
        assert_eq!(folders.count(), 1);
    });
}

#[test]
fn a_debate_whose_text_is_refused_fails_and_the_others_go_on() {
    block_on(async {
        let place = Place::new();
        let rows = "{\"topic\": \"Ship poison?\"}\n{\"topic\": \"Ship it?\"}\n";
        fs::write(place.caller.cwd.join("q.jsonl"), rows).unwrap();
        place.models.set_responder(|request| {
            let refusal = Answer::Says(422, "blocked by our content filter");
            let is_refused = format!("{request:?}").contains("poison");
            is_refused.then(|| (refusal, String::new()))
        });
        let (summary, results) = place.run().await;
        assert_eq!(summary.early, None, "{results:?}");
        let progress = &summary.progress;
        assert_eq!((progress.done, progress.failed), (1, 1), "{results:?}");
        let failed = results.iter().find(|it| it.status == ResultStatus::Failed);
        let message = failed.unwrap().message.clone().unwrap();
        assert!(message.contains("usage policy"), "{message}");
    });
}
