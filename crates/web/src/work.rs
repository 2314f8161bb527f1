//! Runs use cases on threads of their own.

use std::sync::Arc;
use std::time::Duration;

use agon_caller::{Caller, Code, Failure};
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::site::Site;
use crate::thread;

/// How long a use case may continue after the server was stopped.
const GRACE: Duration = Duration::from_millis(500);

/// Runs `work` on its own thread with a single-threaded runtime, because use cases must stay on
/// one thread. It continues if the browser closes the connection, and is cancelled soon after the
/// server stops.
///
/// # Errors
///
/// As `work`; also if the server stops first.
pub(crate) async fn run<T, W>(site: &Arc<Site>, work: W) -> Result<T, Failure>
where
    T: Send + 'static,
    W: AsyncFnOnce(&Caller) -> Result<T, Failure> + Send + 'static,
{
    let site = Arc::clone(site);
    // First, so that people who only watch do not wait in front of the user.
    let watching_place = site.watching_place().await;
    let place = Arc::clone(&site.places).acquire_owned().await;
    let place = place.map_err(|error| Failure::from_error(Code::Bug, &error))?;
    let (sender, done) = oneshot::channel();
    thread::spawn("use case", move || {
        // Kept until the work is done, even if the request ends before.
        let _places = (place, watching_place);
        // The receiver is gone if the request has ended.
        sender.send(run_here(&site, work)).ok();
    })?;
    done.await
        .unwrap_or_else(|error| Err(Failure::from_error(Code::Bug, &error)))
}

fn run_here<T, W>(site: &Site, work: W) -> Result<T, Failure>
where
    W: AsyncFnOnce(&Caller) -> Result<T, Failure>,
{
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::from_error(Code::Runtime, &error))?;
    let local = tokio::task::LocalSet::new();
    runtime.block_on(local.run_until(async {
        tokio::select! {
            biased;
            done = work(&site.caller) => done,
            () = async { site.stop.cancelled().await; sleep(GRACE).await } => {
                Err(Failure::new(Code::Cancelled, "the server stopped"))
            }
        }
    }))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::mpsc;

    use super::*;
    use crate::endpoint::Endpoint;
    use crate::gate::Gate;
    use crate::key::Key;
    use crate::site::{MAX_WATCHING_WORK, MAX_WORK};

    /// Tells when it is dropped.
    struct Told(mpsc::Sender<()>);

    impl Drop for Told {
        fn drop(&mut self) {
            self.0.send(()).unwrap();
        }
    }

    #[test]
    fn people_who_watch_leave_places_for_the_user() {
        let home = tempfile::tempdir().unwrap();
        let site = site(home.path());
        let watching = Arc::new(site.watching());
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let (began, begin) = mpsc::channel();
        runtime.block_on(async {
            for _ in 0..MAX_WORK {
                let (watching, began) = (Arc::clone(&watching), began.clone());
                tokio::spawn(async move {
                    let work = run(&watching, async move |_| {
                        began.send(()).ok();
                        std::future::pending::<Result<(), Failure>>().await
                    });
                    work.await
                });
            }
            tokio::task::yield_now().await;
            assert_eq!(run(&site, async |_| Ok(7)).await.unwrap(), 7);
            for _ in 0..MAX_WATCHING_WORK {
                begin.recv().unwrap();
            }
            assert!(begin.try_recv().is_err());
            site.stop.cancel();
        });
    }

    fn site(home: &std::path::Path) -> Arc<Site> {
        let vars = [("HOME".into(), home.as_os_str().to_owned())];
        let caller = Caller::new(BTreeMap::from(vars), home.to_owned());
        let key = Key::read_or_create(&caller).unwrap();
        Arc::new(Site::new(
            caller,
            Gate::new(
                key,
                Endpoint::new(([127, 0, 0, 1], 1).into(), None),
                false,
                false,
            ),
        ))
    }

    #[test]
    fn a_server_that_stops_cancels_its_work_and_waits_for_no_thread() {
        let home = tempfile::tempdir().unwrap();
        let site = site(home.path());
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let (told, was_dropped) = mpsc::channel();
        let (go, blocked) = mpsc::channel::<()>();
        runtime.block_on(async {
            let waiting = run(&site, async move |_| {
                let _told = Told(told);
                std::future::pending::<Result<(), Failure>>().await
            });
            // This one cannot be cancelled: it never waits.
            let here = Arc::clone(&site);
            let reading = tokio::spawn(async move {
                let read = run(&here, async move |_| Ok(blocked.recv().is_ok()));
                read.await
            });
            tokio::task::yield_now().await;
            site.stop.cancel();
            assert_eq!(waiting.await.unwrap_err().code, Code::Cancelled);
            assert!(!reading.is_finished());
        });
        was_dropped.recv().unwrap();
        // This returns although that thread still blocks.
        drop(runtime);
        go.send(()).unwrap();
    }
}
