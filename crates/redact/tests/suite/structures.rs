//! Secrets that only the structure around them names.

use crate::places::{assert_kept, assert_taken};

#[test]
fn a_field_of_a_form_that_reads_like_a_file_name_is_a_password() {
    assert_taken(&["user=ops&password=⟦KsqzxrLnwP.Vm⟧&remember=1"]);
    assert_kept(&["user=ops&password=Reset.page&remember=1"]);
}

/// Lines of the private half as files, differences and logs have them.
#[test]
fn the_private_half_of_a_key_of_putty_is_taken_out() {
    let lines = [
        "Public-Lines: 1",
        "AAAAC3NzaC1lZDI1NTE5AAAAIGdyYW5pdGV3YWxr",
        "Private-Lines: 2",
        "k3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBqzk3Vd9QmZ1xLw7RbT5yHc",
        "Zq8Lw2NfJ4gPs6UaE0iW==",
        "Private-MAC: 3f81c9ae27b60d453f81c9ae27b60d45",
    ];
    for label in ["", "+", "    ", "2026-03-04T05:06:07Z "] {
        let text = lines.map(|line| format!("{label}{line}\n")).concat();
        let redacted = agon_redact::Redactor::new().redact(&text).text;
        for (at, line) in lines.iter().enumerate() {
            let is_secret = at == 3 || at == 4;
            assert_eq!(redacted.contains(&line[2..12]), !is_secret, "{redacted}");
        }
    }
}

#[test]
fn hashes_behind_the_name_of_a_user_are_taken_out() {
    assert_taken(&[
        "ops:⟦$y$j9T$k3Vd9QmZ1xLw7RbT$5yHc2NfJ8gPs4UaE6iWo0KtXvBqzk3Vd9QmZ1xLw7Rb⟧:19911:0:99999:7:::",
        "ops:⟦$2y$10$k3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBqzk3Vd9QmZ1⟧\n",
        "05:06:07 ops:⟦$apr1$k3Vd9QmZ$1xLw7RbT5yHc2NfJ8gPs4U⟧",
        "{\"text\": \"ops:⟦{SHA}k3Vd9QmZ1xLw7RbT5yHc2NfJ8gP=⟧\"}",
        "What is in .htpasswd?\nops:⟦$apr1$k3Vd9QmZ$1xLw7RbT5yHc2NfJ8gPs4U⟧\n",
    ]);
    assert_kept(&[
        "verify('walk', '$2b$12$k3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBqzk3Vd9QmZ1')",
        "root:*:19800:0:99999:7:::",
        "ops:$apr1$salt$...",
    ]);
}

#[test]
fn the_password_before_a_host_in_brackets_is_taken_out() {
    assert_taken(&[
        "mysql.dsn=ops:⟦granite4821-Walk⟧@tcp(ore.internal:3306)/stock?parseTime=true",
        "sql.Open(\"mysql\", \"ops:⟦Gr4nite:walk⟧@unix(/run/mysqld.sock)/stock\")",
        "set MYSQL_DSN=ops:⟦k3Vd9QmZ1xLw⟧@tcp(ore:3306)/stock\r\n",
    ]);
    assert_kept(&[
        "user:password@tcp(localhost:3306)/stock",
        "ops:${DB_PASSWORD}@tcp(ore:3306)/stock",
        "fmt.Sprintf(\"%s:%s@tcp(%s)/%s\", user, pass, host, name)",
    ]);
}

#[test]
fn a_key_of_a_wallet_is_taken_out_by_its_name() {
    assert_taken(&["MINER_WIF=⟦Kz9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWoKtXvBqzk3Vd9QmZ1xL⟧"]);
    assert_kept(&["the wifi in room 12", "MINER_WIF=<your-wif>"]);
}
