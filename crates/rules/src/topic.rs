//! Decides whether a topic is about software.

use agon_record::spec::{Context, Spec};
use agon_record::words;

/// Words that occur only in software topics, in plain form. Ambiguous words, such as "table",
/// "branch" or "service", are left out: for other topics the rules require less.
const SOFTWARE_WORDS: &[&str] = &[
    "api",
    "apis",
    "backend",
    "backends",
    "cache",
    "caching",
    "cli",
    "codebase",
    "compiler",
    "cpu",
    "css",
    "database",
    "databases",
    "datenbank",
    "datenbanken",
    "debugger",
    "devops",
    "docker",
    "endpoint",
    "endpoints",
    "framework",
    "frameworks",
    "frontend",
    "git",
    "github",
    "gitlab",
    "golang",
    "graphql",
    "grpc",
    "html",
    "http",
    "https",
    "java",
    "javascript",
    "job store",
    "json",
    "kafka",
    "kotlin",
    "kubernetes",
    "linter",
    "linux",
    "microservice",
    "microservices",
    "middleware",
    "mongodb",
    "monorepo",
    "mysql",
    "npm",
    "oauth",
    "orm",
    "parser",
    "postgres",
    "postgresql",
    "programming language",
    "protobuf",
    "pull request",
    "python",
    "rabbitmq",
    "redis",
    "refactor",
    "refactoring",
    "repo",
    "rest api",
    "rollback",
    "rust",
    "schema",
    "sdk",
    "serverless",
    "server",
    "servers",
    "software",
    "source code",
    "sql",
    "sqlite",
    "terraform",
    "typescript",
    "unit test",
    "unit tests",
    "wasm",
    "webhook",
    "webhooks",
    "websocket",
    "websockets",
    "xml",
    "yaml",
    "数据库",
    "データベース",
    "软件",
    "ソフトウェア",
];

/// Returns whether the debate is about software: its context is a project or a change, or its topic
/// contains a software word.
pub fn is_about_software(spec: &Spec) -> bool {
    match spec.context {
        Context::Diff { .. } => true,
        // The user did not choose a default context, so it says nothing about the topic.
        Context::Repo(_) if spec.default_context.is_none() => true,
        Context::Repo(_) | Context::None | Context::File { .. } | Context::Files { .. } => {
            words::find_phrase_in_any_script(&spec.topic, SOFTWARE_WORDS).is_some()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_software(topic: &str) -> bool {
        let mut spec = crate::rule::tests::fixture::spec();
        spec.topic = topic.to_owned();
        is_about_software(&spec)
    }

    #[test]
    fn a_topic_is_of_software_by_a_word_that_no_other_topic_has() {
        for topic in [
            "SQLite or plain files for the job store?",
            "Should we cache in Redis?",
            "我们应该使用哪种数据库？",
        ] {
            assert!(is_software(topic), "{topic}");
        }
        for topic in [
            "Tabs or spaces?",
            "Should we rent the office for five years?",
            "Ban cars in the old town?",
            "Nachtzüge wieder einführen?",
        ] {
            assert!(!is_software(topic), "{topic}");
        }
    }
}
