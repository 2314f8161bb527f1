//! A host in one scope.

use std::path::{Path, PathBuf};

use crate::compile::Kind;
use crate::disk::link_target_outside;
use crate::host::{Host, HostEnv, HostPaths, Scope};
use crate::receipt::ReceiptError;

/// A host in one scope: the paths of its files and of Agon's receipt.
#[derive(Clone, Debug)]
pub struct Installation {
    /// The host.
    pub host: &'static Host,
    /// The scope.
    pub scope: Scope,
    /// Paths of the host's files.
    pub places: HostPaths,
    /// Path of the receipt.
    pub receipt: PathBuf,
}

impl Installation {
    /// Returns the installation of `host`; receipts are stored in the folder `receipts`.
    pub fn new(host: &'static Host, scope: Scope, env: &HostEnv, receipts: &Path) -> Self {
        let places = (host.places)(env, &scope);
        let name = match &scope {
            Scope::User => format!("{}.json", host.name),
            // Each project has its own receipt, named after a hash of its path.
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

    /// Fails if a link leads a file outside the project. Otherwise the project's author could make Agon
    /// write into the user's own files.
    pub(super) fn refuse_links_outside_project<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Result<(), ReceiptError> {
        let Scope::Project(project) = &self.scope else {
            return Ok(());
        };
        for path in paths {
            if let Some(target) = link_target_outside(path, project) {
                let path = path.clone();
                return Err(ReceiptError::Outside { path, target });
            }
        }
        Ok(())
    }

    /// Returns the folder for files of this kind.
    pub(super) fn folder(&self, kind: Kind) -> Option<&Path> {
        match kind {
            Kind::Skill => Some(&self.places.skills),
            Kind::Command => self.places.commands.as_deref(),
            Kind::Agent => Some(&self.places.agents),
        }
    }
}
