//! Kinds of secrets besides those of the corpus: configuration, command lines, headers, prose.

/// Name and form; the part between `⟦` and `⟧` must be redacted.
pub(crate) const KINDS: &[(&str, &str)] = &[
    (
        "account key",
        "AccountName=jobs;AccountKey=⟦{b:86}==⟧;EndpointSuffix=core.windows.net",
    ),
    (
        "shared access",
        "https://jobs.blob.core.windows.net/a?sv=2023-01-03&sp=r&sig=⟦{n:40}%2B{n:6}%3D⟧",
    ),
    (
        "presigned",
        "https://b.s3.amazonaws.com/o?X-Amz-Expires=900&X-Amz-Signature=⟦{x:64}⟧",
    ),
    ("bot token", "⟦{d:10}:AA{n:33}⟧"),
    ("two signs", "DB_PASSWORD=⟦{n:6}%{n:4}#{n:4}⟧"),
    ("npmrc", "//npm.internal/:_authToken=⟦{n:36}⟧"),
    ("docker", "\"auth\": \"⟦{n:22}{d:1}A=⟧\""),
    (
        "curl",
        "curl -s -u deploy:⟦{n:12}{d:2}⟧ https://ci.internal/job",
    ),
    (
        "netrc",
        "machine git.internal login deploy password ⟦{n:14}{d:2}⟧",
    ),
    ("container file", "ENV API_TOKEN ⟦{n:32}⟧"),
    ("fish", "set -x API_TOKEN ⟦{n:32}⟧"),
    ("define", "define('DB_PASSWORD', '⟦{n:12}{d:2}⟧');"),
    ("secret key base", "secret_key_base: ⟦{x:128}⟧"),
    ("client key", "client-key-data: ⟦{b:120}=⟧"),
    ("mailgun", "⟦key-{x:32}⟧"),
    ("mailchimp", "⟦{x:32}-us14⟧"),
    ("sshpass", "sshpass -p ⟦{n:12}{d:2}⟧ ssh ops@db"),
    ("cookie", "Cookie: theme=dark; session=⟦{n:32}⟧"),
    ("set cookie", "Set-Cookie: sid=⟦{n:32}⟧; Path=/; HttpOnly"),
    (
        "English",
        "The password for the staging host is ⟦{n:10}{d:2}⟧ until Monday.",
    ),
    (
        "German",
        "Das Passwort für den Server lautet ⟦{n:10}{d:2}⟧ bis Montag.",
    ),
    (
        "French",
        "Le mot de passe du serveur est ⟦{n:10}{d:2}⟧ depuis lundi.",
    ),
    (
        "Spanish",
        "La contraseña del servidor es ⟦{n:10}{d:2}⟧ desde el lunes.",
    ),
    (
        "Portuguese",
        "A senha do servidor é ⟦{n:10}{d:2}⟧ desde ontem.",
    ),
    (
        "Italian",
        "La password del server è ⟦{n:10}{d:2}⟧ da lunedì.",
    ),
    (
        "phrase of a wallet",
        "⟦gravity machine north sort system female filter attitude volume fold club stay⟧",
    ),
    (
        "key without an end",
        "-----BEGIN RSA PRIVATE KEY-----\n⟦{b:64}⟧\n{b:64}\n{b:44}=",
    ),
    (
        "driver address",
        "jdbc:postgresql://db/app?user=app&password=⟦{n:12}{d:2}⟧",
    ),
    ("mysql", "mysql -h db -u root -p⟦{n:12}{d:2}⟧ app"),
    ("redis", "redis-cli -h cache -a ⟦{n:14}{d:2}⟧ ping"),
    (
        "variable for one command",
        "PGPASSWORD=⟦{n:12}{d:2}⟧ psql -h db",
    ),
    (
        "account in SQL",
        "CREATE USER app IDENTIFIED BY '⟦{n:12}{d:2}⟧';",
    ),
    ("maven", "<password>⟦{n:12}{d:2}⟧</password>"),
    ("Go", "const apiToken = \"⟦{n:32}⟧\""),
    ("argument", "deploy --api-key ⟦{n:32}⟧ --region eu"),
    ("header", "X-Api-Key: ⟦{n:32}⟧"),
    ("basic", "Authorization: Basic ⟦{b:27}7=⟧"),
    ("terraform", "db_password = \"⟦{n:12}{d:2}⟧\""),
    ("properties", "spring.mail.password=⟦{n:12}{d:2}⟧"),
    ("typed", "const clientSecret: string = '⟦{n:32}⟧';"),
];
