//! Answers that exceed the size limits.

use std::time::{Duration, Instant};

use agon_record::event::{CauseCode, Class};
use agon_testkit::{Answer, FakeModels, Script};

use super::common::{DIALECTS, PATIENCE, PROMPT, agent, ask, asked, of};

const MIB: usize = 1 << 20;

#[tokio::test]
async fn a_long_answer_is_read_up_to_the_bound() {
    for dialect in DIALECTS {
        let models = FakeModels::start(Script::job_store());
        models.set("*", Answer::Long(10 * MIB));
        let agent = agent(&of(dialect, &models.url())).await;
        let error = asked(agent.as_ref(), ask(PROMPT, PATIENCE))
            .await
            .unwrap_err();
        let cause = error.cause();
        assert_eq!(
            (cause.code, error.class()),
            (CauseCode::TooLarge, Class::Tool),
            "{cause:?}"
        );
        assert_eq!(
            cause.detail,
            format!("its output exceeds {} bytes", 4 * MIB)
        );
    }
}

#[tokio::test]
async fn what_never_ends_is_not_read_to_its_end() {
    for dialect in DIALECTS {
        for status in [200, 500] {
            let models = FakeModels::start(Script::job_store());
            models.set("*", Answer::Flood(status, 2_000 * MIB));
            let agent = agent(&of(dialect, &models.url())).await;
            let begun = Instant::now();
            let error = asked(agent.as_ref(), ask(PROMPT, PATIENCE))
                .await
                .unwrap_err();
            let cause = error.cause();
            assert_eq!(
                cause.code,
                CauseCode::TooLarge,
                "{} {status}: {cause:?}",
                dialect.0
            );
            let read = models.flood_bytes_read();
            assert!(read < 100 * MIB, "{} {status}: {read} bytes", dialect.0);
            assert!(
                begun.elapsed() < Duration::from_secs(20),
                "{} {status}",
                dialect.0
            );
        }
    }
}
