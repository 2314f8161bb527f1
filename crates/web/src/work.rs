//! Runs use cases on threads of their own.

use std::sync::Arc;

use agon_caller::{Caller, Code, Failure};

use crate::site::Site;

/// Runs `work` on its own thread with a single-threaded runtime, because use cases must stay on
/// one thread. It continues if the browser closes the connection.
///
/// # Errors
///
/// As `work`.
pub(crate) async fn run<T, W>(site: &Arc<Site>, work: W) -> Result<T, Failure>
where
    T: Send + 'static,
    W: AsyncFnOnce(&Caller) -> Result<T, Failure> + Send + 'static,
{
    let site = Arc::clone(site);
    let place = Arc::clone(&site.places).acquire_owned().await;
    let place = place.map_err(|error| Failure::from_error(Code::Bug, &error))?;
    let caller = site.caller.clone();
    let done = tokio::task::spawn_blocking(move || {
        // Kept until the work is done, even if the request ends before.
        let _place = place;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Failure::from_error(Code::Runtime, &error))?;
        let local = tokio::task::LocalSet::new();
        runtime.block_on(local.run_until(work(&caller)))
    })
    .await;
    done.unwrap_or_else(|error| Err(Failure::from_error(Code::Bug, &error)))
}
