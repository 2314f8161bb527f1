//! Removes private folders and sockets that earlier processes left behind.

use std::thread;
use std::time::Duration;

use agon_agents::Environment;
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::live_sockets;

/// The time that a start waits for the removal, which then continues in the background.
const REMOVAL_TIMEOUT: Duration = Duration::from_millis(300);

/// Removes the private folders of ended processes.
///
/// A run with a time limit for finding tools skips this.
pub async fn remove(here: &Environment) {
    if here.has_probe_limit() {
        return;
    }
    let places = here.private_places();
    let removal = move || {
        places.remove_orphans();
        live_sockets::remove_dead_sockets(&places);
    };
    run_and_wait_at_most(REMOVAL_TIMEOUT, removal).await;
}

/// Waits at most `time` for `work`, which neither delays the end of this process nor outlives it.
async fn run_and_wait_at_most(time: Duration, work: impl FnOnce() + Send + 'static) {
    let (done, finished) = oneshot::channel();
    // Use a plain thread: a runtime that ends would wait for its blocking tasks.
    let removing = thread::Builder::new()
        .name("orphans".into())
        .spawn(move || {
            work();
            done.send(()).unwrap_or_default();
        });
    // Without a thread nothing is removed now; the next process tries again.
    if removing.is_ok() {
        timeout(time, finished).await.map(drop).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Instant;

    use super::*;

    fn runtime() -> tokio::runtime::Runtime {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_all().build().unwrap()
    }

    #[test]
    fn neither_a_start_nor_an_end_waits_for_a_long_removal_that_goes_on() {
        let begun = Instant::now();
        let (go_on, wait) = mpsc::channel::<()>();
        let (tell, told) = mpsc::channel();
        let runtime = runtime();
        runtime.block_on(run_and_wait_at_most(Duration::from_millis(1), move || {
            wait.recv().unwrap();
            tell.send("removed").unwrap();
        }));
        drop(runtime);
        assert!(begun.elapsed() < Duration::from_secs(5));
        go_on.send(()).unwrap();
        assert_eq!(told.recv(), Ok("removed"));
    }

    #[test]
    fn a_short_removal_is_waited_for() {
        let (tell, told) = mpsc::channel();
        runtime().block_on(run_and_wait_at_most(Duration::from_secs(60), move || {
            tell.send("removed").unwrap();
        }));
        assert_eq!(told.try_recv(), Ok("removed"));
    }
}
