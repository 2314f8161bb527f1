//! Texts that must stay, because debates quote them as evidence.

use super::Kind;

/// Kinds of texts without a secret.
pub(crate) const LOOK_ALIKES: &[Kind] = &[
    // Version control and content addresses.
    ("commit", "commit {x:40}"),
    ("short commit", "reverted in {x:7}, again in {x:10}"),
    (
        "commit address",
        "https://git.example.org/team/repo/commit/{x:40}",
    ),
    ("tree entry", "100644 blob {x:40}\tsrc/{word:2}.rs"),
    ("sha-256", "{x:64}  {word:1}.tar.gz"),
    (
        "image digest",
        "registry.example.org/{word:2}@sha256:{x:64}",
    ),
    ("md5", "ETag: \"{x:32}\""),
    ("lock file", "checksum = \"{x:64}\""),
    ("integrity", "\"integrity\": \"sha512-{b:86}==\""),
    ("go sum", "example.org/{word:1} v1.4.2 h1:{b:43}="),
    ("nix path", "/nix/store/{w:32}-{word:1}-2.4.1"),
    ("cid", "ipfs://bafybei{w:52}"),
    ("journal line", "\"prev\":\"{x:64}\",\"hash\":\"{x:64}\""),
    // Ids.
    ("uuid", "{x:8}-{x:4}-4{x:3}-a{x:3}-{x:12}"),
    ("uuid as a key", "key: {x:8}-{x:4}-7{x:3}-b{x:3}-{x:12}"),
    ("ulid", "01{u:24}"),
    ("trace", "traceparent: 00-{x:32}-{x:16}-01"),
    ("pod", "{word:2}-{v:10}-{v:5}"),
    ("address of an account", "0x{x:40}"),
    (
        "session of a debate",
        "pro_{d:3}a answers cha_{d:3}b, see {x:12}",
    ),
    // Encoded bytes.
    (
        "image",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA{b:400}==",
    ),
    (
        "font",
        "src: url(data:font/woff2;base64,d09GMgABAAAAA{b:300}=)",
    ),
    ("base64 text", "payload: {b:120}"),
    (
        "certificate",
        "-----BEGIN CERTIFICATE-----\n{b:64}\n{b:64}\n{b:40}==\n-----END CERTIFICATE-----",
    ),
    (
        "public key",
        "-----BEGIN PUBLIC KEY-----\n{b:64}\n{b:64}\n{b:40}==\n-----END PUBLIC KEY-----",
    ),
    (
        "ssh public key",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b:43} worker@host",
    ),
    // Code and paths.
    ("path", "/usr/lib/{word:2}/{word:3}/{word:2}.so.{d:1}.{d:2}"),
    ("built file", "dist/assets/{word:1}-{n:8}.js.map"),
    ("class name", ".{word:1}__{n:5}--{word:2}"),
    ("import", "use {word:1}::{word:1}::{word:1}::{word:1};"),
    (
        "long name",
        "AbstractRetryingWorkerQueueConfigurationFactory{d:2}",
    ),
    ("constant", "MAX_SESSION_TOKEN_LIFETIME_SECONDS={d:4}"),
    ("slug", "task-{word:4}-{d:4}"),
    (
        "address with a query",
        "https://example.org/{word:1}?page={d:3}&sort={word:1}&cursor={x:16}#{word:2}",
    ),
    (
        "types",
        "function login(password: string, token: SessionToken): Promise<Secret>",
    ),
    ("lookup", "api_key = os.environ[\"SERVICE_API_KEY\"]"),
    (
        "lookup in code",
        "const token = process.env.SERVICE_TOKEN ?? config.get('token');",
    ),
    ("call", "let password = read_password(\"Password: \")?;"),
    (
        "pattern of a token",
        "ghp_[A-Za-z0-9]{36} and AKIA[0-9A-Z]{16}",
    ),
    (
        "setting from elsewhere",
        "const API_KEY=process.env.API_KEY; let t = MAX_TOKEN=Integer.MAX_VALUE",
    ),
    (
        "path to a secret",
        "TOKEN_FILE=/run/secrets/token{d:1} TOKEN=/run/secrets/token{d:1}",
    ),
    ("call in a script", "PASSWORD=getPassword()"),
    (
        "type of a key",
        "  apiKey: ApiKeyV{d:1}Config; token: Sha256Hash",
    ),
    // Placeholders.
    ("placeholder", "OPENAI_API_KEY=<your key>"),
    ("variable", "export ANTHROPIC_API_KEY=${SERVICE_KEY_{d:2}}"),
    ("stars", "password: ************"),
    (
        "example address",
        "postgres://user:password@localhost:5432/{word:1}",
    ),
    (
        "address by variables",
        "postgres://${DB_USER}:${DB_PASSWORD}@${DB_HOST}/{word:1}",
    ),
    (
        "address in angles",
        "https://<user>:<token>@git.example.org/{word:1}.git",
    ),
    ("shortened", "the key sk-...{n:4} was rotated"),
    (
        "prose",
        "the token is {d:2} hours old, the password policy is {word:2}, and the secret is kept elsewhere",
    ),
    ("mail", "worker.{word:1}@example.org"),
    (
        "time and numbers",
        "2026-11-{d:2}T20:00:00.{d:6}Z took {d:7} ns at 0.{d:12}",
    ),
    ("address v6", "2001:0db8:85a3:{x:4}:{x:4}:8a2e:0370:{x:4}"),
];
