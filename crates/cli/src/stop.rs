//! Stops a run on a signal from the user or the system.

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Returns a token that is cancelled on Ctrl-C, QUIT, TERM or HUP.
pub(crate) fn signal_cancellation_token() -> CancellationToken {
    let cancel = CancellationToken::new();
    spawn_signal_listener(cancel.clone());
    cancel
}

/// Cancels `cancel` on Ctrl-C, QUIT, TERM or HUP.
///
/// A second Ctrl-C changes nothing: ending the tools takes a few seconds at most and leaves no
/// process behind.
fn spawn_signal_listener(cancel: CancellationToken) {
    let kinds = [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
        SignalKind::quit(),
    ];
    // Register the handlers before the task first runs, because a signal may arrive right away.
    let mut signals: Vec<_> = kinds
        .into_iter()
        .filter_map(|kind| signal(kind).ok())
        .collect();
    tokio::task::spawn_local(async move {
        let any = std::future::poll_fn(|context| {
            let ready = signals
                .iter_mut()
                .any(|signal| signal.poll_recv(context).is_ready());
            if ready {
                std::task::Poll::Ready(())
            } else {
                std::task::Poll::Pending
            }
        });
        any.await;
        cancel.cancel();
    });
}
