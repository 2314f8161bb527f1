//! Kinds of secrets that a tool or a file names in its own way.

use crate::places::{assert_kept, assert_taken};

#[test]
fn cookies_of_erlang_are_taken_out() {
    assert_taken(&[
        "export RABBITMQ_ERLANG_COOKIE=⟦KVDQMZXLWRBTYHCNFJGP⟧",
        "RELEASE_COOKIE = \"⟦KVDQMZXLWRBTYHCNFJGP⟧\"",
        "$ cat /var/lib/rabbitmq/.erlang.cookie\n⟦KVDQMZXLWRBTYHCNFJGP⟧",
        "erl -name ops@ore -setcookie ⟦k3Vd9QmZ1xLw7RbT⟧ -remsh stock@ore",
        "erlangCookie: ⟦KVDQMZXLWRBTYHCNFJGP⟧\n",
    ]);
    assert_kept(&[
        "RELEASE_COOKIE=$(cat cookie)",
        "the Erlang cookie must be the same on all nodes",
        "chmod 600 ~/.erlang.cookie",
    ]);
}

#[test]
fn secrets_of_ipsec_are_taken_out() {
    assert_taken(&[
        "203.0.113.7 198.51.100.21 : PSK \"⟦k3Vd9QmZ1xLw7RbT⟧\"\nops : EAP \"⟦Zq8Lw2NfJ4gPs⟧\"\n",
        "ops : XAUTH \"⟦Gr4nite+walk9⟧\"",
        ": RSA ore.pem \"⟦Gr4nite+walk9⟧\"",
        "203.0.113.7 : PSK ⟦0sk3Vd9QmZ1xLw7RbT5yHc2NfJ⟧",
    ]);
    assert_kept(&["ops : EAP \"password\"", ": RSA ore.pem", ": PIN 1234"]);
}

#[test]
fn private_members_of_keys_without_quotes_are_taken_out() {
    assert_taken(&[
        "jwks:\n  - kty: RSA\n    n: Zq8Lw2NfJ4gPs6UaE0iWZq8Lw2NfJ4gPs6UaE0iWZq8\n    d: ⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBq⟧\n    p: ⟦xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBqk3Vd9QmZ1⟧\n",
        "importJWK({ kty: 'oct', k: '⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBq⟧' }, 'HS256')",
    ]);
    assert_kept(&["d: 3f81c9ae27b60d453f81c9ae27b60d453f81c9ae27b60d453f81c9ae27b60d45"]);
}

#[test]
fn the_result_of_a_drawn_password_in_a_state_is_taken_out() {
    assert_taken(&[
        "{\"resources\": [{\"type\": \"random_password\", \"instances\": [{\"attributes\": {\"length\": 24, \"result\": \"⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ⟧\"}}]}]}",
        "{\"type\": \"aws_db_instance\", \"instances\": [{\"attributes\": {\"engine\": \"postgres\", \"password\": \"⟦Gr4nite+walk9⟧\"}}]}",
        "{\"type\": \"aws_rds_cluster\", \"instances\": [{\"attributes\": {\"engine\": \"mysql\", \"master_password\": \"⟦Gr4nite+walk9⟧\"}}]}",
    ]);
    assert_kept(&[
        "{\"resources\": [{\"type\": \"random_id\", \"instances\": [{\"attributes\": {\"result\": \"k3Vd9QmZ1xLw7RbT5yHc2NfJ\"}}]}]}",
        "{\"type\": \"random_password\", \"instances\": [{\"id\": \"k3Vd9QmZ1xLw7RbT5yHc2NfJ\"}]}",
    ]);
}

#[test]
fn seeds_that_are_typed_in_by_hand_are_taken_out() {
    assert_taken(&[
        "Can't scan the QR code? Enter this key manually: ⟦KVDQMZXLW3RBT5YHC2NFJ6GPS4UAEIWO⟧",
        "Enter this code manually: ⟦KVDQ MZXL W3RB T5YH C2NF J6GP S4UA EIWO⟧",
        "otpauth://totp/Ore:ops?secret=⟦KVDQMZXLW3RBT5YHC2NFJ6GPS4UAEIWO⟧&issuer=Ore",
    ]);
    assert_kept(&["Enter this key manually: see the manual"]);
}

#[test]
fn codes_that_a_login_sends_back_are_taken_out() {
    assert_taken(&[
        "GET /oauth/callback?code=⟦4/0Ak3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBqzk3Vd9QmZ1xLw7RbT5yHcA⟧&scope=email",
        "GET /auth/callback?state=ore&code=⟦k3Vd9QmZ1xLw7RbT5yHc⟧ HTTP/1.1",
    ]);
    assert_kept(&[
        "GET /oauth/callback?code=access_denied",
        "/callback?code=404",
    ]);
}

#[test]
fn signed_sessions_of_frameworks_are_taken_out() {
    assert_taken(&[
        "cookies = {\"session\": \"⟦eyJfdXNlcl9pZCI6ICI0ODIxIn0.k3Vd9Q.mZ1xLw7RbT5yHc2NfJ8gPs4UaE6⟧\", \"consent\": \"yes\"}",
        "session=⟦.eJwlzjEOwjAMAEC_kpkhcRzH6WeQ7dgCBlYSpPJ3KnHTbdvTz3i8bSPJkk3fHQ.k3Vd9Q.mZ1xLw7RbT5yHc2NfJ8gPs4UaE6⟧",
        "sessionid=⟦eyJfdXNlcl9pZCI6ICI0ODIxIn0:1k3Vd9:mZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBqzk3Vd9⟧",
    ]);
    assert_kept(&["eyJfdXNlcl9pZCI6ICI0ODIxIn0"]);
}

#[test]
fn passwords_that_a_test_types_into_a_field_are_taken_out() {
    assert_taken(&[
        "await page.getByLabel('Password').fill('⟦Granite-walk-1908⟧');",
        "cy.get('input[name=\"password\"]').type('⟦Gr4nite+walk9⟧', { log: false })",
        "cy.get('#password').type('⟦Gr4nite+walk9⟧')",
        "driver.find_element(By.ID, \"password\").send_keys(\"⟦Gr4nite+walk9⟧\")",
        "fill_in 'Password', with: '⟦Gr4nite+walk9⟧'",
        "await page.type('#password', '⟦Gr4nite+walk9⟧');",
        "await page.fill('input[name=password]', '⟦Gr4nite+walk9⟧');",
    ]);
    assert_kept(&[
        "await page.getByLabel('Password').fill(process.env.APP_PASSWORD);",
        "await page.getByLabel('Password').click(); expect('Granite-walk-1908')",
    ]);
}

#[test]
fn passphrases_of_words_are_taken_out_where_a_name_says_so() {
    assert_taken(&[
        "DEBUG app.borg.passphrase = ⟦granite-walk-copper-hazel-84⟧\nINFO",
        "• set RESTIC_PASSWORD to `⟦granite-walk-copper-hazel-84⟧`\n• rerun",
    ]);
    assert_kept(&["passphrase-file = granite-walk-copper-hazel-84"]);
}

#[test]
fn keys_that_a_letter_names_and_gives_below_are_taken_out() {
    assert_taken(&[
        "hey, here's the Rails key for staging: ⟦3f81c9ae27b60d453f81c9ae27b60d45⟧\n",
        "attached are the minutes. The Mistral key you asked for is\n⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE⟧\nBest regards",
        "The Rails secret you asked for is\n⟦3f81c9ae27b60d453f81c9ae27b60d453f81c9ae27b60d453f81c9ae27b60d45⟧\nBest regards",
        "Cloudflare key: ⟦3f81c9ae27b60d453f81c9ae27b60d4517cae⟧",
    ]);
    assert_kept(&[
        "The Cache key you asked for is\nk3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE\n",
        "The Enter key you asked for is\nbroken\n",
    ]);
}

#[test]
fn a_value_that_its_statement_or_entry_gives_before_the_name_is_taken_out() {
    assert_taken(&[
        "UPDATE app_config SET value = '⟦3f81c9ae27b60d453f81c9ae27b60d4517cae⟧' WHERE name = 'ore_api_key'; -- ORE-1",
        "update settings set val='⟦kqzx vjwq xkzp qvhj⟧' where key='mail_password';",
        "env:\n- value: ⟦k3Vd9QmZ1xLw7RbT5yHc⟧\n  name: API_SECRET\n- value: k3Vd9QmZ1xLw7RbT5yHc\n  name: MODE\n",
        "env:\n  - value: \"⟦Gr4nite+walk9⟧\"\n    name: DB_PASSWORD\n",
    ]);
    assert_kept(&[
        "UPDATE app_config SET value = '3f81c9ae27b60d453f81c9ae27b60d45' WHERE name = 'revision';",
        "UPDATE users SET state = 'expired' WHERE token = 'none';",
    ]);
}

#[test]
fn a_row_that_names_a_secret_has_it_in_the_column_of_values() {
    assert_taken(&[
        "name,environment,value,owner\nore_api_key,prod,⟦3f81c9ae27b60d453f81c9ae27b60d4517cae⟧,ops\nmax_mb,prod,25,ops",
        "key;stage;value\nDB_PASSWORD;prod;⟦Gr4nite+walk9⟧\n",
    ]);
    assert_kept(&[
        "name,environment,hash,owner\nore_api_key,prod,3f81c9ae27b60d453f81c9ae27b60d4517cae,ops\n",
    ]);
}

#[test]
fn hashes_in_a_field_that_is_named_after_a_password_are_taken_out() {
    assert_taken(&[
        "\"password\": \"⟦pbkdf2_sha256$600000$k3Vd9QmZ1xLw$7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBqzk3Vd9QmZ1xL=⟧\"",
        "\"ops\" \"⟦md53f81c9ae27b60d453f81c9ae27b60d45⟧\"",
        "\"ops\" \"⟦SCRAM-SHA-256$4096:k3Vd9QmZ1xLw7RbT5yHc2A==$NfJ8gPs4UaE6iWo0KtXvBqzk3Vd9QmZ1xLw7RbT5yHc=:Zq8Lw2NfJ4gPs6UaE0iWZq8Lw2NfJ4gPs6UaE0iWZq8=⟧\"",
        "Authorization: GenieKey ⟦a6dff19d-53ae-4ffd-a21a-fbde2f3e42cf⟧",
        "read(3, \"ore.internal:5432:stock:ops:⟦Gr4nite+walk9⟧\\n\", 4096) = 44",
        "docker login -u ops --password-stdin <<EOF\n⟦Gr4nite+walk9⟧\nEOF\n",
    ]);
    assert_kept(&["docker login -u ops --password-stdin <<EOF\n$DOCKER_PASSWORD\nEOF\n"]);
}

#[test]
fn commits_filters_and_code_about_passwords_stay() {
    assert_kept(&[
        "ops: the token bug came in with 3f81c9ae27b60d453f81c9ae27b60d4517cae123, reverting it",
        "the password fix is 3f81c9ae27b60d453f81c9ae27b60d4517cae123",
        "password: {{ .Values.nextOre.password | b64enc | quote }}\ntoken: {{ include \"ore.token\" . }}",
        "validates :password, length: { minimum: 12 }, if: -> { password.present? }",
        "password: user.password_digest.blank?",
        "| every tool | `GRANITE_OAUTH_TOKEN`, `GRANITE_*`, `ORE_CONFIG_DIR` |",
        "`ORE_CLIENT_PASSWORD`, `ORE_WALK_*`",
    ]);
    assert_taken(&[
        "the token is ⟦3f81c9ae27b60d453f81c9ae27b60d4517cae123⟧",
        "RECAPTCHA_SECRET: \"⟦6LWkff6nAAAAAac98tWx2MVYS2kBqPvszkgoA2_b⟧\"",
    ]);
    let sealed = "AgBk3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBqz".repeat(6);
    assert_kept(&[&format!(
        "kind: SealedSecret\nspec:\n  encryptedData:\n    password: {sealed}\n"
    )]);
}

#[test]
fn links_that_let_in_whoever_has_them_lose_their_token() {
    assert_taken(&[
        "https://ore.internal/reset-password/⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ⟧",
        "https://ore.internal/password/reset/⟦3f81c9ae27b60d453f81c9ae27b60d453f81c9ae⟧?email=x",
        "https://ore.internal/magic-link/⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ⟧",
        "https://ore.internal/accounts/reset/MQ/⟦c4k3d9-3f81c9ae27b60d453f81c9ae27b60d45⟧/",
        "https://ore.internal/reset?token=⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ⟧",
        "https://ore.internal/verify?code=⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ⟧",
    ]);
    assert_kept(&[
        "https://ore.internal/reset/how-to-reset-your-password-today",
        "src/verify/signature_of_the_release.rs",
    ]);
}

#[test]
fn sessions_in_cookies_of_usual_names_are_taken_out() {
    assert_taken(&[
        ".AspNetCore.Cookies=⟦CfDJ8k3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBqz⟧",
        "wordpress_logged_in_3f81c9ae=⟦ops%7C1793152417%7Ck3Vd9QmZ1xLw7RbT5yHc2NfJ⟧",
        "\"connect.sid\": \"⟦s:k3Vd9QmZ1xLw7RbT5yHc2NfJ.gPs4UaE6iWo0KtXvBqzk3Vd9QmZ1xLw7RbT5yHc⟧\"",
    ]);
}

#[test]
fn arguments_and_fields_of_forms_that_hold_a_password_are_taken_out() {
    assert_taken(&[
        "------Form\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n⟦Gr4nite+walk9⟧\r\n------Form--",
        "X-Genie-Key: ⟦a6dff19d-53ae-4ffd-a21a-fbde2f3e42cf⟧",
        "wpa_passphrase ore ⟦Gr4nite+walk9⟧",
        "security add-generic-password -a ops -s ore -w ⟦Gr4nite+walk9⟧",
        "elixir --name ops@ore --cookie ⟦k3Vd9QmZ1xLw7RbT⟧ -S mix",
        "set_cookie(node(), '⟦KVDQMZXLWRBTYHCNFJGP⟧')",
        "Datadog key ⟦3f81c9ae27b60d453f81c9ae27b60d45⟧",
        "our openai key is ⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ⟧",
        "passphrase: ⟦granite-walk-copper-hazel⟧",
    ]);
    assert_kept(&[
        "Content-Disposition: form-data; name=\"title\"\r\n\r\nGr4nite+walk9\r\n",
        "X-Idempotency-Key: a6dff19d-53ae-4ffd-a21a-fbde2f3e42cf",
        "the openai key is missing",
    ]);
}
