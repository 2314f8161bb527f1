//! Fetches the objects that a partial clone lacks. Nothing else lets Agon's git use the network.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use crate::environment::config_reader_environment;
use crate::mirror;
use crate::run::{Call, GitError, GitLimits};
use crate::session::GitSession;
use crate::user_config::write_config;

/// Additional environment variables for a fetch: agents, proxies, certificates, and the user's own
/// commands for them.
pub const FETCH_VARS: [&str; 27] = [
    "ALL_PROXY",
    "CURL_CA_BUNDLE",
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "GIT_ASKPASS",
    "GIT_PROXY_COMMAND",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "LOGNAME",
    "NO_PROXY",
    "SSH_AGENT_PID",
    "SSH_ASKPASS",
    "SSH_AUTH_SOCK",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "USER",
    "WAYLAND_DISPLAY",
    "XDG_RUNTIME_DIR",
    "all_proxy",
    "http_proxy",
    "https_proxy",
    "no_proxy",
];

/// Maximum number of rounds of fetching, because fetched objects may refer to more missing ones.
const MAX_ROUNDS: usize = 64;

/// The result of a fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The remote.
    pub remote: String,
    /// The number of missing objects that were fetched.
    pub objects: usize,
}

impl GitSession {
    /// Fetches the objects of a commit that this partial clone lacks from its remote. Returns
    /// `None` if none is missing. The user's own settings and agents apply; of the repository's
    /// configuration only the remote's address does. Each fetch stays within `limits`.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be fetched.
    pub async fn fetch_missing(
        &self,
        commit: &str,
        limits: GitLimits,
    ) -> Result<Option<Fetched>, GitError> {
        let Some(remote) = self.config.promisor() else {
            return Ok(None);
        };
        let mut objects = 0;
        for _ in 0..MAX_ROUNDS {
            let missing = self.missing_objects(commit).await?;
            if missing.is_empty() {
                break;
            }
            objects += missing.lines().count();
            self.fetch(remote, &missing, limits).await?;
        }
        Ok((objects > 0).then(|| Fetched {
            remote: remote.to_owned(),
            objects,
        }))
    }

    /// Returns the ids of missing objects in a commit's tree, one per line.
    async fn missing_objects(&self, commit: &str) -> Result<String, GitError> {
        let tree = format!("{commit}^{{tree}}");
        let args = [
            "rev-list",
            "--objects",
            "--no-walk",
            "--no-object-names",
            "--missing=print",
            &tree,
        ];
        let printed = self.text(&args).await?;
        let missing = printed.lines().filter_map(|line| line.strip_prefix('?'));
        Ok(missing.map(|id| format!("{id}\n")).collect())
    }

    async fn fetch(&self, remote: &str, missing: &str, limits: GitLimits) -> Result<(), GitError> {
        let failed = |reason: String| GitError::Fetch {
            remote: remote.to_owned(),
            reason,
        };
        let key = |name: &str| format!("remote.{remote}.{name}");
        let url = self.config.value(&key("url"));
        let url = url.ok_or_else(|| failed("it has no URL".to_owned()))?;
        let filter = self.config.value(&key("partialclonefilter"));
        let filter = filter.unwrap_or("blob:none");
        let (url_key, promisor, filter_key) =
            (key("url"), key("promisor"), key("partialclonefilter"));
        let remote_settings = [
            ("core.repositoryformatversion", "1"),
            ("extensions.partialclone", remote),
            (&*url_key, url),
            (&*promisor, "true"),
            (&*filter_key, filter),
        ];
        let text = write_config(self.settings().chain(remote_settings));
        let folder = self.folder.path();
        let write = |text: &str| {
            let written = mirror::write_config(folder, text);
            written.map_err(|cause| failed(cause.to_string()))
        };
        write(&text)?;
        let filter = format!("--filter={filter}");
        let args = [
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-auto-maintenance",
            "--recurse-submodules=no",
            &filter,
            "--stdin",
            remote,
        ];
        // The protocols that git allows by default, without helpers for others.
        let settings = [
            "-c",
            "protocol.allow=never",
            "-c",
            "protocol.https.allow=always",
            "-c",
            "protocol.http.allow=always",
            "-c",
            "protocol.ssh.allow=always",
            "-c",
            "protocol.git.allow=always",
            "-c",
            "protocol.file.allow=always",
            "-c",
            "fetch.negotiationAlgorithm=noop",
        ];
        let fetched = Call {
            git: &self.git,
            env: self.fetching_environment(),
            cwd: self.cwd(),
            settings: &settings,
            args: &args,
            input: missing.as_bytes(),
            limits,
        }
        .run()
        .await;
        write(&write_config(self.settings()))?;
        fetched.map(drop).map_err(|error| match error {
            GitError::Failed { reason, .. } => failed(reason),
            timed_out @ GitError::TimedOut { .. } => timed_out,
            other => failed(other.to_string()),
        })
    }

    fn fetching_environment(&self) -> BTreeMap<OsString, OsString> {
        let mut env = self.env.clone();
        // The user's whole configuration applies: credential helpers, proxies, URL rewrites.
        env.retain(|name, _| !name.to_string_lossy().starts_with("GIT_CONFIG_"));
        env.extend(config_reader_environment(&self.git.vars));
        for name in ["GIT_ALLOW_PROTOCOL", "GIT_ASKPASS"] {
            env.remove(OsStr::new(name));
        }
        for name in FETCH_VARS {
            if let Some(value) = self.git.vars.get(OsStr::new(name)) {
                env.insert(name.into(), value.clone());
            }
        }
        env
    }
}
