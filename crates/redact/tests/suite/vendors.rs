//! Formats of single vendors, assembled here so that no scanner takes them for real secrets.

use agon_redact::Redactor;

const DRAWN: &str =
    "k3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBqzk3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtX";
const HEX: &str = "3f81c9ae27b60d4512ce8f4b7a903d6e3f81c9ae27b60d4512ce8f4b7a903d6e";

/// Checks that a token is redacted completely, and its name or address stays.
fn assert_token(token: &str) {
    for (before, after) in [("it is ", " there"), ("a: '", "'\n"), ("(", ")")] {
        let text = format!("{before}{token}{after}");
        let redacted = Redactor::new().redact(&text);
        let found: Vec<_> = redacted
            .hits
            .iter()
            .map(|hit| &text[hit.span.clone()])
            .collect();
        assert_eq!(found, [token], "in {text}");
    }
}

#[test]
fn tokens_made_of_several_parts_are_taken_out_whole() {
    let upper = DRAWN[..26].to_uppercase();
    for token in [
        format!(
            "access_token${}${}${}",
            "production",
            "k3vd9qmz1xlw7rbt",
            &HEX[..32]
        ),
        format!("1000.{}.{}", &HEX[..32], &HEX[4..36]),
        format!("1/{}:{}", "1204567893214567", &HEX[..32]),
        format!(
            "A3-{}-{}-{}-{}-{}-{}",
            &upper[..6],
            &upper[1..7],
            &upper[2..7],
            &upper[3..8],
            &upper[4..9],
            &upper[5..10]
        ),
        format!("47|{}{}", &DRAWN[..40], &HEX[..8]),
        format!(
            "_|WARNING:-DO-NOT-SHARE-THIS.--Sharing-this-will-allow-someone-to-log-in-as-you.|_{DRAWN}"
        ),
    ] {
        assert_token(&token);
    }
}

#[test]
fn tokens_that_only_begin_in_a_known_way_are_taken_out_whole() {
    for (prefix, body) in [
        ("RGAPI-", "a6dff19d-53ae-4ffd-a21a-fbde2f3e42cf"),
        ("pylf_v1_eu_", &DRAWN[..44]),
        ("wandb_v1_", &DRAWN[..77]),
        ("cs_", &HEX[..40]),
        ("cflt", &DRAWN[..60]),
        ("esecret_", &DRAWN[..26]),
        ("cnvca", &DRAWN[..50]),
    ] {
        assert_token(&[prefix, body].concat());
    }
}

#[test]
fn the_password_of_an_oracle_address_is_taken_out() {
    for text in [
        "jdbc:oracle:thin:batch/⟦k3Vd9QmZ1xLw⟧@//ore.internal:1521/ORCL",
        "jdbc:oracle:oci:batch/⟦Granite7-walk⟧@ore:1521:ORCL",
        "sqlplus -S batch/⟦k3Vd9QmZ1xLw⟧@ore",
    ] {
        crate::places::assert_taken(&[text]);
    }
    crate::places::assert_kept(&[
        "jdbc:oracle:thin:batch/password@//ore.internal:1521/ORCL",
        "sqlplus batch/@ore",
    ]);
}
