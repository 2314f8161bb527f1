//! The environment variables that each kind of child process gets from the caller.
//!
//! Each list names the allowed variables; all others are withheld. The lists of seats and members
//! are in the profiles of the tools.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use agon_agents::profile::{Api, TOOL_VARIABLES};
use agon_agents::{Environment, Profiles};
use agon_hosts::host::{HOSTS, host_signs};
use agon_proc::{NETWORK_VARIABLES, PLACE_VARIABLES, allowed_variables};

use crate::{Caller, Code, Failure, profiles, settings};

/// The variable with the token of a member that Agon started.
pub const TOKEN_VAR: &str = "AGON_TEAM_TOKEN";

/// The variables of toolchains, for commands that build and test.
pub(crate) const TOOLCHAIN_VARIABLES: &[&str] = &[
    // The terminal, and variables that identify CI systems.
    "TERM",
    "COLORTERM",
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "CI",
    "GITHUB_ACTIONS",
    "GITLAB_CI",
    "BUILDKITE",
    "SOURCE_DATE_EPOCH",
    // A pattern that ends with `*` also withholds URLs that contain a password.
    "HTTP_PROXY*",
    "HTTPS_PROXY*",
    "ALL_PROXY*",
    "http_proxy*",
    "https_proxy*",
    "all_proxy*",
    "NO_PROXY",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "CURL_CA_BUNDLE",
    "REQUESTS_CA_BUNDLE",
    "DOCKER_HOST*",
    // Rust.
    "CARGO_*",
    "RUSTUP_*",
    "RUST_*",
    "RUSTC_WRAPPER",
    "RUSTFLAGS",
    "RUSTDOCFLAGS",
    "SCCACHE_DIR",
    // C and C++.
    "CC",
    "CXX",
    "AR",
    "LD",
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "MAKEFLAGS",
    "CMAKE_*",
    "PKG_CONFIG_*",
    "LD_LIBRARY_PATH",
    "LIBRARY_PATH",
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "CCACHE_DIR",
    // Java and other JVM languages.
    "JAVA_HOME",
    "JDK_HOME",
    "MAVEN_HOME",
    "M2_HOME",
    "GRADLE_HOME",
    "GRADLE_USER_HOME",
    "ANDROID_HOME",
    "ANDROID_SDK_ROOT",
    "KOTLIN_HOME",
    "SCALA_HOME",
    // Go.
    "GOPATH",
    "GOROOT",
    "GOBIN",
    "GOCACHE",
    "GOMODCACHE",
    "GOFLAGS",
    "GOTOOLCHAIN",
    "GOOS",
    "GOARCH",
    "CGO_ENABLED",
    "GO111MODULE",
    "GOPROXY*",
    "GOPRIVATE",
    "GONOPROXY",
    "GONOSUMDB",
    "GOSUMDB",
    // JavaScript.
    "NODE_*",
    "NVM_DIR",
    "NVM_BIN",
    "VOLTA_HOME",
    "FNM_DIR",
    "PNPM_HOME",
    "BUN_INSTALL",
    "DENO_DIR",
    "COREPACK_HOME",
    "YARN_CACHE_FOLDER",
    "npm_config_cache",
    "npm_config_prefix",
    "PLAYWRIGHT_BROWSERS_PATH",
    "PUPPETEER_EXECUTABLE_PATH",
    // Python.
    "PYENV_ROOT",
    "PYENV_VERSION",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "CONDA_DEFAULT_ENV",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    "PIP_CACHE_DIR",
    "UV_CACHE_DIR",
    "UV_PYTHON",
    "POETRY_HOME",
    "PIPX_HOME",
    // Ruby, PHP, .NET, package managers and other languages.
    "RBENV_ROOT",
    "GEM_HOME",
    "GEM_PATH",
    "BUNDLE_PATH",
    "RUBYLIB",
    "PHPENV_ROOT",
    "COMPOSER_HOME",
    "DOTNET_ROOT",
    "DOTNET_CLI_HOME",
    "NUGET_PACKAGES",
    "SDKMAN_DIR",
    "ASDF_DIR",
    "ASDF_DATA_DIR",
    "MISE_DATA_DIR",
    "NIX_PATH",
    "NIX_PROFILES",
    "NIX_SSL_CERT_FILE",
    "HOMEBREW_PREFIX",
    "OPAMROOT",
    "OPAM_SWITCH_PREFIX",
    "CABAL_DIR",
    "STACK_ROOT",
    "MIX_HOME",
    "HEX_HOME",
];

/// The variables for the user's editor, pager and browser.
pub(crate) const TERMINAL_VARIABLES: &[&str] = &[
    "TERM",
    "TERMINFO",
    "TERMINFO_DIRS",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "COLORTERM",
    "COLUMNS",
    "LINES",
    "NO_COLOR",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_*",
    "DBUS_SESSION_BUS_ADDRESS",
    "DESKTOP_SESSION",
    "GNOME_*",
    "KDE_*",
    "QT_*",
    "GTK_*",
    "GDK_*",
    "WSL_*",
    "WSLENV",
    "TMUX",
    "TMUX_PANE",
    "STY",
    "SSH_TTY",
    "SSH_CONNECTION",
    "KITTY_*",
    "WEZTERM_*",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "MANPAGER",
    "BROWSER",
    "LESS*",
    "MORE",
    "LS_COLORS",
    "BAT_*",
    "DELTA_*",
    "VIM*",
    "MYVIMRC",
    "NVIM_*",
    "NVIM",
    "EMACS*",
    "ALTERNATE_EDITOR",
    "HELIX_RUNTIME",
    "MICRO_*",
    "VSCODE_IPC_HOOK_CLI",
    "VSCODE_INJECTION",
];

/// The variables for Agon in the background, besides the variables of the tools in its seats.
pub(crate) const BACKGROUND_VARIABLES: &[&str] = &[
    "AGON_*",
    "AGON_MAX_TOKENS",
    "TERM",
    "COLORTERM",
    "COLUMNS",
    "NO_COLOR",
    "EDITOR",
    "VISUAL",
    "PIP_INDEX_URL",
    "UV_DEFAULT_INDEX",
    "UV_INDEX_URL",
    "OTEL_*",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
    "TRACEPARENT",
    "TRACESTATE",
    // Git variables for the user's identity and the access to repositories.
    "GIT_AUTHOR_*",
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_COMMITTER_*",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_PROXY_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
];

/// Returns the environment of a gate, which runs a member's code; `named` are the variables in its
/// definition.
pub fn gate_variables(caller: &Caller, named: &[String]) -> BTreeMap<OsString, OsString> {
    let mut env = command_variables(caller);
    for name in named {
        if let Some(value) = caller.vars_os.get(OsStr::new(name)) {
            env.insert(name.into(), value.clone());
        }
    }
    env
}

/// Returns the names of the variables that a gate with this definition does not get.
pub fn withheld_from_gate(caller: &Caller, named: &[String]) -> Vec<String> {
    let given = gate_variables(caller, named);
    let names = caller
        .vars_os
        .keys()
        .filter(|name| !given.contains_key(*name));
    let names = names.filter_map(|name| name.to_str());
    // Leave out the variables of Agon, git and the shell, which no test needs.
    let own = ["_", "PWD", "OLDPWD", "SHLVL"];
    names
        .filter(|name| {
            !name.starts_with("AGON_") && !name.starts_with("GIT_") && !own.contains(name)
        })
        .map(str::to_owned)
        .collect()
}

/// Returns the environment of a user's command for a debate, whose output goes to every seat.
pub fn command_variables(caller: &Caller) -> BTreeMap<OsString, OsString> {
    allowed_variables(&caller.vars_os, &[PLACE_VARIABLES, TOOLCHAIN_VARIABLES])
}

/// Returns the environment of an editor, a pager or a browser.
pub(crate) fn terminal_variables(caller: &Caller) -> BTreeMap<OsString, OsString> {
    let lists = [PLACE_VARIABLES, NETWORK_VARIABLES, TERMINAL_VARIABLES];
    allowed_variables(&caller.vars_os, &lists)
}

/// Returns the environment of an AI tool that lists its servers and skills: the variables of a
/// seat, with the settings and servers of the user.
pub fn host_variables(caller: &Caller, host: &str) -> BTreeMap<OsString, OsString> {
    let here = Environment::new(caller.vars_os.clone());
    let profiles = profiles(caller);
    let profile = host
        .parse()
        .ok()
        .and_then(|name| profiles.as_ref()?.find(&name));
    match profile {
        Some(profile) => profile.env.passed_env(&here, None),
        // A tool that cannot take part in debates has no profile, so use its own list.
        None => {
            let own = HOSTS.iter().find(|it| it.name == host);
            let own = own.map_or(&[][..], |it| it.variables);
            allowed_variables(&caller.vars_os, &[PLACE_VARIABLES, NETWORK_VARIABLES, own])
        }
    }
}

/// Returns the program that runs a debate in the background.
///
/// # Errors
///
/// Returns an error if the caller has none.
pub fn background_program(caller: &Caller) -> Result<&Path, Failure> {
    caller.program.as_deref().ok_or_else(|| {
        let message = "no program to run in the background";
        Failure::new(Code::NotStarted, message)
    })
}

/// Returns the environment of an Agon process in the background: the variables of all tools, which
/// it starts, without the token of a member.
pub fn background_variables(caller: &Caller) -> BTreeMap<OsString, OsString> {
    let here = Environment::new(caller.vars_os.clone());
    let mut names: Vec<String> = Vec::new();
    for profile in profiles(caller).iter().flat_map(Profiles::iter) {
        names.extend(profile.env.possible_names(&here));
        names.extend(profile.login.env.iter().cloned());
        names.extend(
            profile
                .http
                .iter()
                .flat_map(|http| http.key_env.iter().cloned()),
        );
    }
    names.extend(Api::all().into_iter().flat_map(|api| api.key_env));
    for (_, sign) in host_signs() {
        names.push(sign.variable.to_owned());
        names.extend(sign.session_variable.map(str::to_owned));
    }
    let own: Vec<&str> = names.iter().map(String::as_str).collect();
    let lists = [
        PLACE_VARIABLES,
        NETWORK_VARIABLES,
        TOOL_VARIABLES,
        BACKGROUND_VARIABLES,
        &own,
    ];
    let mut env = allowed_variables(&caller.vars_os, &lists);
    env.remove(OsStr::new(TOKEN_VAR));
    env
}

/// Returns the configured profiles of tools, or the built-in ones if the configuration is invalid.
fn profiles(caller: &Caller) -> Option<Profiles> {
    let configured = settings::read_settings(caller).ok();
    let configured = configured.and_then(|settings| profiles::profiles(&settings).ok());
    configured.or_else(|| Profiles::builtin().ok())
}

#[cfg(test)]
mod tests;
