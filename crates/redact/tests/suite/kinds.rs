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
