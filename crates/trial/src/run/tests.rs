use std::collections::BTreeMap;
use std::fs;

use agon_batch::run::Progress;
use agon_caller::Notes;
use agon_debates::request::StartRequest;
use agon_testkit::{Answer, FakeModels, Script};
use tokio::task::LocalSet;

use super::*;
use crate::arm::Arm;
use crate::grade::Grade;
use crate::question::Question;
use crate::report::{load, report};
use crate::stored::VotesBasis;
use crate::table::{TableForm, render_report};

#[derive(Default)]
struct Heard(Vec<String>);

impl Notes for Heard {
    fn note(&mut self, note: &str) {
        self.0.push(note.to_owned());
    }

    fn warn(&mut self, warning: &str) {
        self.0.push(warning.to_owned());
    }
}

impl Watcher for Heard {
    fn on_progress(&mut self, _: &Progress) {}

    fn on_result(&mut self, _: &BatchResult) {}
}

struct Place {
    models: FakeModels,
    caller: Caller,
    request: TrialRequest,
    _dir: tempfile::TempDir,
}

impl Place {
    /// Returns a place where one server takes every seat and answers single questions with
    /// `answer`.
    fn new(answer: &str, arms: &[Arm], votes: Option<u32>) -> Self {
        let mut script = Script::job_store();
        script.default = answer.to_owned();
        let models = FakeModels::start(script);
        let dir = tempfile::tempdir().unwrap();
        let config = dir.path().join(".config/agon");
        fs::create_dir_all(&config).unwrap();
        let lines = format!(
            "daily_tokens = 1_000_000_000\n[tools.server]\ntransports = [\"http\"]\n\
             [tools.server.http]\nadapter = \"openai\"\nurl = \"{}/v1\"\nmodel = \"m\"\n",
            models.url()
        );
        fs::write(config.join("config.toml"), lines).unwrap();
        let vars = [
            ("HOME", dir.path().as_os_str()),
            ("PATH", "/usr/bin:/bin".as_ref()),
        ];
        let vars = vars.map(|(name, value)| (name.into(), value.to_owned()));
        let caller = Caller::new(BTreeMap::from(vars), dir.path());
        let seats = r#"{"sides": [{"tool": "server"}, {"tool": "server"}],
            "judges": {"tools": ["server"]}, "same_tool": true}"#;
        let question = |id: usize| Question {
            id: format!("q{id}"),
            text: format!("Question {id}: which store?"),
            options: ["Use SQLite for the job store", "Plain files"]
                .map(str::to_owned)
                .to_vec(),
            answer: "Use SQLite for the job store".to_owned(),
            ..Question::default()
        };
        let request = TrialRequest {
            dataset: "q.jsonl".to_owned(),
            questions: (0..3).map(question).collect(),
            folder: "q.trial".into(),
            arms: arms.to_vec(),
            votes,
            base: StartRequest {
                seats: serde_json::from_str(seats).unwrap(),
                ..StartRequest::default()
            },
            ..TrialRequest::default()
        };
        Self {
            models,
            caller: caller.clone(),
            request: request.complete(&caller).unwrap(),
            _dir: dir,
        }
    }

    async fn run(&self) -> (Summary, Heard) {
        let prepared = prepare(&self.caller, &self.request).unwrap();
        let files = self.request.files(&self.caller);
        let _lock = files.lock().unwrap();
        let mut results = Results::open(&files).unwrap();
        let work = work(&self.request, &files, &prepared.requests, |it| {
            results.find(it)
        });
        let expected = estimate(&self.caller, &work).await.unwrap();
        let run = TrialRun {
            caller: &self.caller,
            request: &self.request,
            prepared,
            files: &files,
            estimate: &expected,
            stop: CancellationToken::new(),
        };
        let mut heard = Heard::default();
        let summary = run.run(&mut results, &mut heard).await.unwrap();
        (summary, heard)
    }

    fn report(&self) -> crate::report::Report {
        report(&load(&self.caller, &TrialFolder::new("q.trial")).unwrap())
    }

    fn asked(&self) -> usize {
        self.models.requests().len()
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
fn a_trial_runs_its_votes_at_the_price_of_a_debate_and_asks_nothing_twice() {
    block_on(async {
        let place = Place::new("Answer: A (70%)", &[Arm::Vote, Arm::Duel], None);
        let (summary, heard) = place.run().await;
        assert_eq!(summary.early, None, "{summary:?}");
        assert!(summary.failures.is_empty(), "{:?}", summary.failures);
        let note = heard.0.iter().find(|note| note.contains("a vote has"));
        let report = place.report();
        let votes = report.trial.votes.unwrap();
        assert!(
            note.unwrap().contains(&format!("has {votes} answers")),
            "{note:?}"
        );
        assert!(report.complete);
        let [one, vote, duel] = &report.arms[..] else {
            panic!("{report:?}")
        };
        assert_eq!((one.questions, vote.questions, duel.questions), (3, 3, 3));
        assert!(
            (vote.tokens / duel.tokens - 1.0).abs() < 0.5,
            "{vote:?} {duel:?}"
        );
        // The verdict names the right option by its text.
        assert_eq!(duel.right, 3);
        let bin = one.calibration.as_ref().unwrap().bins[0];
        assert!((bin.confidence - 0.7).abs() < 1e-9, "{bin:?}");

        let asked = place.asked();
        let (again, _) = place.run().await;
        assert_eq!(
            (again.progress.done, place.asked()),
            (3 + 3 * votes as usize + 3, asked)
        );
        // Everything is computed again without the configuration and the server.
        let bare = Caller::new(BTreeMap::new(), &place.caller.cwd);
        let replayed = super::super::report::load(&bare, &TrialFolder::new("q.trial")).unwrap();
        assert_eq!(super::super::report::report(&replayed), report);
        assert!(render_report(&report, TableForm::Text).contains("one → duel"));
    });
}

#[test]
fn results_that_a_killed_run_did_not_store_are_not_asked_again_for_debates() {
    block_on(async {
        let place = Place::new("Answer: B", &[Arm::One, Arm::Duel], None);
        place.run().await;
        let (asked, before) = (place.asked(), place.report());
        let path = place.caller.cwd.join("q.trial/results.jsonl");
        let text = fs::read_to_string(&path).unwrap();
        // As if the process had been killed before it stored the results of debates.
        let kept = text
            .lines()
            .filter(|line| line.contains("\"tags\":[\"one\"]"));
        fs::write(
            &path,
            kept.map(|line| format!("{line}\n")).collect::<String>(),
        )
        .unwrap();
        assert!(!place.report().complete);
        place.run().await;
        assert_eq!(place.asked(), asked);
        let after = place.report();
        assert_eq!(after.arms[0], before.arms[0]);
        assert_eq!(
            (after.arms[1].right, after.complete),
            (before.arms[1].right, true)
        );
    });
}

#[test]
fn an_unreadable_answer_is_counted_as_such() {
    block_on(async {
        let place = Place::new("I would rather not say.", &[Arm::One, Arm::Vote], Some(3));
        place.run().await;
        let report = place.report();
        assert_eq!((report.arms[1].unreadable, report.arms[1].wrong), (3, 0));
        let loaded = load(&place.caller, &TrialFolder::new("q.trial")).unwrap();
        assert!(
            loaded
                .outcomes
                .iter()
                .all(|it| it.grade == Grade::Unreadable)
        );
        assert_eq!(place.asked(), 3 + 9);
    });
}

#[test]
fn a_folder_keeps_its_seed_and_votes() {
    block_on(async {
        let mut place = Place::new("Answer: A", &[Arm::One, Arm::Vote], Some(3));
        place.run().await;
        place.request.votes = Some(5);
        let failure = prepare(&place.caller, &place.request).unwrap_err();
        assert!(
            failure.message.contains("another number of votes"),
            "{failure:?}"
        );
        (place.request.votes, place.request.seed) = (None, 9);
        let failure = prepare(&place.caller, &place.request).unwrap_err();
        assert!(failure.message.contains("another seed"), "{failure:?}");
        (place.request.seed, place.request.base.quick) = (0, true);
        let failure = prepare(&place.caller, &place.request).unwrap_err();
        assert!(
            failure.message.contains("another choice of tools"),
            "{failure:?}"
        );
        // More arms and questions may be added.
        (place.request.base.quick, place.request.votes) = (false, Some(3));
        place.request.arms.push(Arm::Consult);
        assert!(prepare(&place.caller, &place.request).is_ok());
    });
}

#[test]
fn a_run_with_fewer_arms_and_questions_keeps_the_others() {
    block_on(async {
        let mut place = Place::new("Answer: A", &[Arm::One, Arm::Vote], Some(3));
        place.run().await;
        let (asked, before) = (place.asked(), place.report());
        assert!(before.complete);
        place.request.arms = vec![Arm::One];
        place.request.questions.truncate(1);
        place.request.votes = None;
        place.run().await;
        assert_eq!((place.asked(), place.report()), (asked, before));
        // An arm that has answered one of three questions is not complete.
        place.request.arms = vec![Arm::Consult];
        place.run().await;
        let after = place.report();
        assert_eq!((after.arms.len(), after.complete), (3, false));
        assert_eq!((after.arms[2].questions, after.trial.votes), (1, Some(3)));
    });
}

#[test]
fn a_vote_is_made_as_large_as_a_debate_that_is_added_later() {
    block_on(async {
        let mut place = Place::new("Answer: A", &[Arm::One, Arm::Vote], None);
        place.run().await;
        let before = place.report().trial;
        assert_eq!(
            (before.votes, before.votes_basis),
            (Some(9), Some(VotesBasis::Usual))
        );
        place.request.arms = vec![Arm::One, Arm::Vote, Arm::Duel];
        place.run().await;
        let report = place.report();
        let Some(VotesBasis::Debate {
            arm, debate_tokens, ..
        }) = report.trial.votes_basis
        else {
            panic!("{report:?}")
        };
        assert_eq!((arm, report.complete), (Arm::Duel, true));
        assert!(
            (debate_tokens - report.arms[2].tokens).abs() < 1e-6,
            "{report:?}"
        );
    });
}

#[test]
fn a_refused_question_and_a_lost_vote_are_failures_and_the_others_are_answered() {
    block_on(async {
        let place = Place::new("Answer: A (70%)", &[Arm::One, Arm::Vote], Some(3));
        let asked = std::cell::Cell::new(0);
        place.models.set_responder(move |request| {
            let text = format!("{request:?}");
            asked.set(asked.get() + u32::from(text.contains("Question 2")));
            // All answers to one question, and one of four to another.
            let is_refused =
                text.contains("Question 1") || text.contains("Question 2") && asked.get() == 2;
            let refusal = Answer::Says(422, "blocked by our content filter");
            is_refused.then(|| (refusal, String::new()))
        });
        let (summary, _) = place.run().await;
        assert_eq!(summary.early, None);
        assert_eq!(summary.failures.len(), 1 + 3 + 1, "{summary:?}");
        assert!(summary.progress.done < summary.progress.requests);
        let report = place.report();
        let lost: Vec<_> = report.arms.iter().map(|arm| arm.lost).collect();
        assert_eq!(lost.iter().sum::<usize>(), 5, "{lost:?}");
        assert!(report.complete && report.arms[1].failed == 1);
    });
}
