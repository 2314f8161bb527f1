//! Stops a run when the user or the system asks for it.

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// A token that is cancelled on Ctrl-C, QUIT, TERM or HUP.
pub(crate) fn signal_cancellation_token() -> CancellationToken {
    let cancel = CancellationToken::new();
    spawn_signal_listener(cancel.clone());
    cancel
}

/// Cancels `cancel` on Ctrl-C, QUIT, TERM or HUP.
///
/// A second Ctrl-C while the tools are being ended changes nothing: that takes
/// a few seconds at most, and leaves no process behind.
fn spawn_signal_listener(cancel: CancellationToken) {
    let kinds = [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
        SignalKind::quit(),
    ];
    // Before the task runs for the first time: a signal may come in the same moment.
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
