//! Models in memory that all callers in this process share.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak};
use std::thread::sleep;
use std::time::Duration;

use super::{CandleEngine, Engine, EngineError, Finish, Generated, Request};

// Less than the time for one token: candle 0.11 generated 19 to 31 tokens a second with the small
// model on two cores.
/// How often a waiting request checks whether the model is free, or the request was halted.
const PAUSE: Duration = Duration::from_millis(20);

/// A model that is loaded for its first request and dropped with its last handle.
#[derive(Clone)]
pub struct Shared(Arc<LoadedModel>);

struct LoadedModel {
    path: PathBuf,
    context: usize,
    engine: Mutex<Option<CandleEngine>>,
}

static ALL: Mutex<Vec<Weak<LoadedModel>>> = Mutex::new(Vec::new());

/// Returns the model of the file at `path`; all callers share it.
pub fn shared_model(path: &Path, context: usize) -> Shared {
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|loaded| loaded.strong_count() > 0);
    let same = |loaded: &Arc<LoadedModel>| loaded.path == path && loaded.context == context;
    if let Some(loaded) = all.iter().filter_map(Weak::upgrade).find(same) {
        return Shared(loaded);
    }
    let loaded = Arc::new(LoadedModel {
        path: path.to_owned(),
        context,
        engine: Mutex::new(None),
    });
    all.push(Arc::downgrade(&loaded));
    Shared(loaded)
}

impl Shared {
    /// Answers a request when it is its turn. One request at a time is as fast as several at once.
    ///
    /// # Errors
    ///
    /// As [`Engine::generate`], and if the model cannot be loaded.
    pub fn generate(&self, request: &Request<'_>) -> Result<Generated, EngineError> {
        let Some(mut engine) = self.wait_for_engine(request) else {
            return Ok(Generated::halted_before_start());
        };
        if engine.is_none() {
            *engine = Some(CandleEngine::load(&self.0.path, self.0.context)?);
        }
        match engine.as_mut() {
            Some(engine) => engine.generate(request),
            None => Err(EngineError::Failed(
                "the model is no longer loaded".to_owned(),
            )),
        }
    }

    /// Waits until the model is free; `None` if the request was halted first.
    fn wait_for_engine(
        &self,
        request: &Request<'_>,
    ) -> Option<MutexGuard<'_, Option<CandleEngine>>> {
        loop {
            if (request.halted)() {
                return None;
            }
            match self.0.engine.try_lock() {
                Ok(engine) => return Some(engine),
                Err(TryLockError::Poisoned(poisoned)) => {
                    // A panic may have left the cache incomplete, so load the model again.
                    let mut engine = poisoned.into_inner();
                    *engine = None;
                    self.0.engine.clear_poison();
                    return Some(engine);
                }
                Err(TryLockError::WouldBlock) => sleep(PAUSE),
            }
        }
    }
}

impl Generated {
    /// Returns an empty answer, for a request that was halted before it reached the model.
    fn halted_before_start() -> Self {
        Self {
            text: String::new(),
            finish: Finish::Halted,
            prompt_tokens: 0,
            cached_tokens: 0,
            generated_tokens: 0,
            prompt_took: Duration::ZERO,
            generate_took: Duration::ZERO,
        }
    }
}
