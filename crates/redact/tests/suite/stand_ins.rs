//! Placeholders beside the name of a secret.

use crate::places::{assert_kept, assert_taken};

#[test]
fn versions_times_and_names_of_resources_stay() {
    assert_kept(&[
        "Setting up passwd (1:4.13+dfsg1-1) ...",
        "passwd 1:4.13+dfsg1-4ubuntu3.2",
        "API_TOKEN  2026-06-08T02:22:54Z",
        "DEPLOY_TOKEN: 2026-06-08",
        "arn:aws:secretsmanager:eu-west-1:932289738447:secret:prod/db-password-a1B2c3",
        r"C:\ProgramData\Oasis\Credentials\TokenBroker\Cache\242104a5d321581099e583a0c719a4aa054c3311.tbres",
    ]);
}

#[test]
fn marks_of_templates_stay() {
    assert_kept(&[
        "password: \"@@DB_PASSWORD@@\"",
        "db_password = '##db_password##'",
        "api_key: \"[[ API_KEY_2 ]]\"",
        "amqp://${RABBIT_USER}:${RABBIT_PASSWORD}@rabbit:5672/",
    ]);
    assert_taken(&["password: \"⟦@@Gr4nite7walk@⟧\""]);
}

#[test]
fn public_parts_beside_a_secret_stay() {
    assert_taken(&[
        "url = https://hooks.slack.com/services/⟦T0Q7R2K9Z4/B0M1X8W3V6/k3Vd9QmZ1xLw7RbT5yHc2NfJ⟧",
        "c = HubClient(\n  conn=\"HostName=ore.azure-devices.net;DeviceId=probe-7;SharedAccessKey=⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBq=⟧\",\n)",
        "c = StoreClient(\n  url=\"clickhouse://ops:⟦k3Vd9QmZ1x.Lw7⟧@ore.internal:9440/stock\",\n)",
        "mnemonic=⟦gravity machine north sort system female filter attitude volume fold club stay⟧ host=db.internal",
    ]);
    assert_kept(&[
        "dsn: \"https://3f81c9ae27b60d453f81c9ae27b60d45@o4992.ingest.de.sentry.io/32798\"",
    ]);
}

#[test]
fn a_long_token_may_hold_a_short_word_by_chance() {
    assert_taken(&[
        "REFRESH_TOKEN=⟦k3Vd9QmZ1xLw7RbT5yHc_Ihr-2NfJ8gPs4UaE6iWo0KtXvBqz1xLw7RbT5yHc2NfJ8gPs4UaE6iWo⟧",
    ]);
    assert_kept(&["REFRESH_TOKEN=Ihr-Schluessel-4711"]);
}

#[test]
fn names_that_only_sound_secret_have_values_that_stay() {
    assert_kept(&[
        "Sec-WebSocket-Key: k3Vd9QmZ1xLw7RbT5yHc2A==",
        "https://ore.internal/k?X-Amz-Credential=AKIAXXXX%2F2026",
        "address constant ORE_TOKEN = 0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2;",
        "curl --header \"JOB-TOKEN: $CI_JOB_TOKEN\" \"$CI_API_V4_URL/projects\"",
        "Token    *oauth2.Token",
    ]);
}

#[test]
fn a_pass_that_is_no_password_stays() {
    assert_kept(&[
        "Tests pass, deploy to production!",
        "the forward pass of models built like GraniteLM2",
        "const TESTS_PASS: &str = include_str!(\"fixtures/run.txt\");",
    ]);
    assert_taken(&["the db pass is ⟦Granite7walk⟧ for now"]);
}
