//! Secrets identified only by the structure around them.

use crate::places::{assert_kept, assert_taken};

#[test]
fn a_field_of_a_form_that_reads_like_a_file_name_is_a_password() {
    assert_taken(&["user=ops&password=⟦KsqzxrLnwP.Vm⟧&remember=1"]);
    assert_kept(&["user=ops&password=Reset.page&remember=1"]);
}

/// Lines of a private half in files, diffs and logs.
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

#[test]
fn codes_for_the_second_factor_are_taken_out() {
    assert_taken(&[
        "Recovery codes of the build account\nKeep them like a password.\n⟦p2kfw-0bzib⟧\n⟦x7qii-bnqjz⟧\n⟦owcsj-g5m1c⟧\nDone.\n",
        "05:06:07 Backup codes\n05:06:07 1. ⟦48217730⟧\n05:06:07 2. ⟦91630458⟧\n",
        "backup_codes = [\"⟦k3vd9qmz⟧\", \"⟦1xlw7rbt⟧\"]",
        "{\"recoveryCodes\": [\"⟦k3vd9-qmz1x⟧\", \"⟦lw7rb-t5yhc⟧\"]}",
        "Your backup code is ⟦4821-7730⟧.",
        "The recovery code is ⟦k3vd9-qmz1x⟧, keep it.",
        "| scratch code |\n|---|\n| ⟦k3vd9qmz1x⟧ |\n| ⟦lw7rbt5yhc⟧ |\n",
    ]);
    assert_kept(&[
        "Recovery codes are shown once.\nPrint them and keep them in a safe place.\nSee section 4 below.\n",
        "The backup codes were rotated on 2026-05-02.",
        "recovery codes:\n- never shared\n- never stored\n",
        "backup_codes = [generate() for _ in range(10)]",
        "Recovery code: see docs/mfa.md",
    ]);
}

#[test]
fn passwords_in_groups_of_four_are_taken_out() {
    assert_taken(&[
        "let wpAppPassword = \"⟦k3Vd 9QmZ 1xLw 7RbT 5yHc 2NfJ⟧\"",
        "- 'WP_APP_PASSWORD=⟦k3Vd 9QmZ 1xLw 7RbT 5yHc 2NfJ⟧'",
        "SMTP_PASSWORD=⟦kqzx vjwq xkzp qvhj⟧\nSMTP_PORT=587",
        "The app password is ⟦kqzx vjwq xkzp qvhj⟧, for mail only.",
        "curl --user 'ops:⟦k3Vd 9QmZ 1xLw 7RbT⟧' https://blog.internal/wp-json",
    ]);
    assert_kept(&[
        "The password must have at most four more parts than the last.",
        "password: with some more text that does what they want",
    ]);
}

#[test]
fn the_value_below_a_named_member_is_taken_out() {
    assert_taken(&[
        "{\"outputs\": {\"db_password\": {\"value\": \"⟦hZqyQbJ~b6vac1.9x⟧\", \"type\": \"string\", \"sensitive\": true}}}",
        "{\"api_secret\": {\"sensitive\": true, \"content\": \"⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ⟧\"}}",
    ]);
    assert_kept(&[
        "{\"password\": {\"type\": \"string\", \"value\": \"required\"}}",
        "{\"password\": {\"label\": \"Granite7walk\"}}",
    ]);
}

#[test]
fn the_value_of_an_element_is_taken_out_by_any_name_around_it() {
    assert_taken(&[
        "<string name=\"signing_key\" translatable=\"false\">⟦3f81c9ae27b60d453f81c9ae27b60d45⟧</string>",
        "<property name=\"blynkAuthToken\">\n  <value>⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ⟧</value>\n</property>",
        "<Password>\n    <Value>⟦granite6043-Walk⟧</Value>\n    <PlainText>true</PlainText>\n</Password>",
        "05:06:07 <Password>\n05:06:07   <Value>⟦granite6043-Walk⟧</Value>\n05:06:07 </Password>",
        "<password><![CDATA[⟦Gr4nite+walk9⟧]]></password>",
        "<property name=\"authorization\">\n  <value>Basic ⟦b3BzOkdyNG5pdGUrd2Fsazk=⟧</value>\n</property>",
    ]);
    assert_kept(&[
        "<input name=\"password\" type=\"password\">Type it</input>",
        "<Password>\n  <Value>required</Value>\n</Password>",
        "<string name=\"api_key_label\">Your key</string>",
    ]);
}

#[test]
fn columns_that_are_named_after_a_secret_are_taken_out() {
    assert_taken(&[
        "COPY public.sessions (id, access_token, state) FROM stdin;\n1\t⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ⟧\tlive\n2\t⟦Zq8Lw2NfJ4gPs6UaE0iW⟧\told\n\\.\n",
        "INSERT INTO users (id, name, password) VALUES (1, 'ops, eu', '⟦Gr4nite+walk9⟧'), (2, 'ci', '⟦granite6043-Walk⟧');",
        "id,name,api_key\n1,ops,⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ⟧\n",
        "id\tname\trefresh_token\n1\tops\t⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ⟧\n",
        "+----+----------------------+\n| id | api_token            |\n+----+----------------------+\n|  1 | ⟦k3Vd9QmZ1xLw7RbT5yHc⟧ |\n",
        " id |      api_token\n----+----------------------\n  1 | ⟦k3Vd9QmZ1xLw7RbT5yHc⟧\n",
    ]);
    assert_kept(&[
        "INSERT INTO users (id, password_hash) VALUES (1, '$2b$12$k3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBqzk3Vd9QmZ1');",
        "id,name,token\n1,ops,expired\n2,ci,none\n",
        "COPY public.tokens (id, token, state) FROM stdin;\n\\.\n",
        "SELECT token FROM sessions WHERE id IN (1, 2);",
    ]);
}

#[test]
fn what_a_failed_test_prints_is_taken_out() {
    assert_taken(&[
        "> assert cfg.api_key == expected\nE  AssertionError: assert '⟦3f81c9ae27b60d453f81c9ae27b60d45⟧' == None\nE   + where '⟦3f81c9ae27b60d453f81c9ae27b60d45⟧' = Config(...).api_key\n",
        "expect(config.stripeApiKey).toBe(undefined)\n\nExpected: undefined\nReceived: \"⟦k3Vd9QmZ1xLw7RbT5yHc⟧\"\n",
        "assertion failed: assert_eq!(cfg.api_token, \"\")\n  left: \"⟦k3Vd9QmZ1xLw7RbT5yHc⟧\"\n right: \"\"\n",
    ]);
    assert_kept(&[
        "> assert cfg.api_key == expected\nE  AssertionError: assert 'none' == None\n",
        "expect(user.token).toBe(other)\nExpected: \"expired\"\n",
    ]);
}

#[test]
fn keys_that_a_sentence_names_by_their_vendor_are_taken_out() {
    assert_taken(&[
        "ops: the Graniteflare key is ⟦3f81c9ae27b60d453f81c9ae27b60d4517cae⟧, keep it",
        "Use `⟦3f81c9ae27b60d453f81c9ae27b60d45⟧` as the Granite API key from now on.",
        "gh secret set API_TOKEN --repo ops/stock --body '⟦k3Vd9QmZ1xLw7RbT5yHc⟧'",
    ]);
    assert_kept(&[
        "The Cache key is 3f81c9ae27b60d453f81c9ae27b60d45",
        "the Escape key is pressed",
        "the Redis key is session:3f81c9ae27b60d45",
    ]);
}

#[test]
fn a_value_is_taken_out_if_its_name_follows() {
    assert_taken(&[
        "{\"value\": \"⟦k3Vd9QmZ1xLw7RbT5yHc⟧\", \"name\": \"DB_PASSWORD\"}",
        "[{\"value\": \"⟦k3Vd9QmZ1xLw7RbT5yHc⟧\", \"type\": \"plain\", \"key\": \"API_TOKEN\"}, {\"value\": \"k3Vd9QmZ1xLw7RbT5yHc\", \"key\": \"MODE\"}]",
    ]);
    assert_kept(&["{\"value\": \"required\", \"name\": \"DB_PASSWORD\"}"]);
}

#[test]
fn what_a_command_prints_for_a_named_secret_is_taken_out() {
    assert_taken(&[
        "$ printenv API_TOKEN\n⟦k3Vd9QmZ1xLw7RbT5yHc⟧\n",
        "$ echo $DB_PASSWORD\n⟦Gr4nite+walk9⟧\n",
        "$ consul kv get app/db_password\n⟦k3Vd9QmZ1xLw⟧\n",
        "127.0.0.1:6379> GET api:token\n\"⟦k3Vd9QmZ1xLw7RbT5yHc⟧\"\n",
        "$ kubectl get secret db -o jsonpath='{.data.password}'\n⟦R3I0bml0ZSt3YWxrOQ==⟧\n",
        "az keyvault secret set --vault-name ore --name db --value '⟦k3Vd9QmZ1xLw7RbT⟧'",
        "aws ssm put-parameter --name /app/db-password --value '⟦k3Vd9QmZ1xLw⟧' --type SecureString",
    ]);
    assert_kept(&[
        "$ cat token\nexpired\n",
        "$ vim password\n$ git status\n",
        "$ ls secrets/token\nREADME.md\n",
    ]);
}

#[test]
fn values_below_their_name_in_yaml_are_taken_out() {
    assert_taken(&[
        "Parameters:\n  DBPassword:\n    Type: String\n    Default: ⟦k3Vd9QmZ1xLw⟧\n",
        "weather:\n  api:\n    key: ⟦3f81c9ae27b60d453f81c9ae27b60d45⟧\n",
        "| API key | ⟦k3Vd9QmZ1xLw7RbT5yHc⟧ |\n",
    ]);
    assert_kept(&[
        "  DBPassword:\n    Type: String\n  Size:\n    Default: k3Vd9QmZ1xLw\n",
        "cache:\n  paths:\n    key: 3f81c9ae27b60d453f81c9ae27b60d45\n",
        "metadata:\n  checksum/secret: 3f81c9ae27b60d453f81c9ae27b60d453f81c9ae27b60d453f81c9ae27b60d45\n",
    ]);
}

#[test]
fn hashes_and_sealed_values_in_files_of_systems_are_taken_out() {
    assert_taken(&[
        "enable secret 5 ⟦$1$k3Vd$9QmZ1xLw7RbT5yHc2NfJ8g⟧",
        "rootpw --iscrypted ⟦$6$k3Vd9QmZ$1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtX⟧\n",
        "ops:1000:aad3b435b51404eeaad3b435b51404ee:⟦3f81c9ae27b60d453f81c9ae27b60d45⟧:::",
        "auth.basicauth.users=ops:⟦$$apr1$$k3Vd9QmZ$$1xLw7RbT5yHc2NfJ8gPs4U⟧",
        "<Secret>{⟦AQAAABAAAAAgk3Vd9QmZ1xLw7RbT5yHc⟧}</Secret>",
        "{\"kty\": \"EC\", \"x\": \"Zq8Lw2NfJ4gPs6UaE0iWZq8Lw2NfJ4gPs6UaE0iWZq8\", \"d\": \"⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBq⟧\"}",
        "stats auth ops:⟦k3Vd9QmZ1xLw⟧",
    ]);
}

#[test]
fn further_codes_and_keys_that_a_sentence_names_are_taken_out() {
    assert_taken(&[
        "Recovery Key: ⟦108220-595726-408975-906792-368945-685293-135252-834172⟧",
        "the recovery key is '⟦Q5GT-388G-ZKHV-HD8C-H79R-MEXP⟧'",
        "Your setup key: ⟦ry3m pcwt q6ka aiju 7rnb g7lz d2yq ma4p⟧\n",
        "Here's the token — ⟦k3Vd9QmZ1xLw7RbT5yHc⟧",
        "{\"totp\": \"⟦K3VD2QMZ7XLW4RBT5YHC3NFJ6GPS4UAE⟧\"}",
        "the creds are ops:⟦k3Vd9QmZ1xLw⟧",
        "TURNSTILE_SECRET_KEY=⟦0x4AAAAAAk3Vd9QmZ1xLw7RbT5yHc2NfJ8⟧",
    ]);
}

/// Structures of several lines, with labels before each line.
#[test]
fn labels_of_lines_do_not_part_a_name_from_its_value() {
    for label in [
        "2026-03-04T05:06:07Z ",
        "    7\t",
        "   12→",
        "+",
        "> ",
        "app-1  | ",
    ] {
        for text in [
            "env:\n- name: API_SECRET\n  value: ⟦k3Vd9QmZ1xLw7RbT5yHc⟧\n- name: MODE\n",
            "Parameters:\n  DBPassword:\n    Type: String\n    Default: ⟦k3Vd9QmZ1xLw⟧\n",
            "$ printenv API_TOKEN\n⟦k3Vd9QmZ1xLw7RbT5yHc⟧\n",
            "user,password,mail\nops,⟦k3Vd9QmZ1xLw⟧,x@ore.internal\n",
            "<key>ClientSecret</key>\n<string>⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ⟧</string>\n",
        ] {
            let labelled = text.lines().map(|line| format!("{label}{line}\n"));
            assert_taken(&[&labelled.collect::<String>()]);
        }
    }
}
