//! One host for one scope.

use std::path::{Path, PathBuf};

use crate::compile::Kind;
use crate::disk::place_outside;
use crate::host::{Host, HostEnv, HostPaths, Scope};
use crate::receipt::ReceiptError;

/// One host for one scope: where its files are, and where Agon keeps what it wrote there.
#[derive(Clone, Debug)]
pub struct Installation {
    /// The host.
    pub host: &'static Host,
    /// For whom.
    pub scope: Scope,
    /// Where its files are.
    pub places: HostPaths,
    /// Where the receipt is.
    pub receipt: PathBuf,
}

impl Installation {
    /// That of `host`; receipts are kept in the folder `receipts`.
    pub fn new(host: &'static Host, scope: Scope, env: &HostEnv, receipts: &Path) -> Self {
        let places = (host.places)(env, &scope);
        let name = match &scope {
            Scope::User => format!("{}.json", host.name),
            // Two projects are two installations.
            Scope::Project(project) => {
                let hash = crate::receipt::hash(project.as_os_str().as_encoded_bytes());
                let short = hash.get(..16).unwrap_or_default();
                format!("{}-{short}.json", host.name)
            }
        };
        Self {
            host,
            scope,
            places,
            receipt: receipts.join(name),
        }
    }

    /// Refuses files of a project that a link leads out of it: its author would else have
    /// Agon write into the user's own files.
    pub(super) fn refuse_outside<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Result<(), ReceiptError> {
        let Scope::Project(project) = &self.scope else {
            return Ok(());
        };
        for path in paths {
            if let Some(target) = place_outside(path, project) {
                let path = path.clone();
                return Err(ReceiptError::Outside { path, target });
            }
        }
        Ok(())
    }

    /// The folder of files of this kind.
    pub(super) fn folder(&self, kind: Kind) -> Option<&Path> {
        match kind {
            Kind::Skill => Some(&self.places.skills),
            Kind::Command => self.places.commands.as_deref(),
            Kind::Agent => Some(&self.places.agents),
        }
    }
}
