//! Secrets known by their position, and published ones that stay.

use agon_redact::Redactor;

/// Checks that exactly the part of each text between `⟦` and `⟧` is redacted.
pub(crate) fn assert_taken(texts: &[&str]) {
    for marked in texts {
        let text = marked.replace(['⟦', '⟧'], "");
        let redacted = Redactor::new().redact(&text);
        let again = Redactor::new().redact(&redacted.text);
        assert_eq!(
            (again.text.as_ref(), again.hits),
            (redacted.text.as_ref(), vec![])
        );
        let hits = redacted.hits;
        let found: Vec<&str> = hits.iter().map(|hit| &text[hit.span.clone()]).collect();
        let expected: Vec<&str> = marked
            .split('⟦')
            .skip(1)
            .filter_map(|part| part.split('⟧').next())
            .collect();
        assert_eq!(found, expected, "in {text}");
    }
}

pub(crate) fn assert_kept(texts: &[&str]) {
    for text in texts {
        assert_eq!(Redactor::new().redact(text).text, *text);
    }
}

#[test]
fn passwords_of_routers_and_switches_are_taken_out() {
    assert_taken(&[
        "username ops privilege 15 password 0 ⟦Gr4nite+walk9⟧",
        "enable secret 0 ⟦GraniteWalk77!⟧",
        "tacacs-server host 10.0.0.7 key ⟦granite-Walk-365⟧",
        "snmp-server community ⟦hT4x@9Zq1⟧ RO",
        "snmpwalk -v2c -c ⟦hT4xQ9Zq1bNe⟧ 10.0.0.7 ifDescr",
    ]);
    assert_kept(&[
        "snmp-server community public RO",
        "snmpwalk -v2c -c public 10.0.0.7",
    ]);
}

#[test]
fn what_a_command_prints_or_waits_for_is_taken_out() {
    assert_taken(&[
        "Unseal Key 1: ⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBqz⟧",
        "$ wg genkey\n⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBq=⟧",
        "$ kubectl get secret db -o jsonpath='{.data.x}' | base64 -d\n⟦Gr4nite@walk9⟧",
        "expect \"assword:\"\nsend \"⟦Granite_WkQ2⟧\\r\"",
        "chpasswd:\n  list: |\n    ops:⟦k3Vd9QmZ1xLw7RbT5yHc⟧",
        "C: AUTH PLAIN ⟦AG9wcwBHcjRuaXRlK3dhbGs5⟧",
        "Password for the first user (drawn by `setup`):\n  ⟦k3Vd9QmZ1xLw7RbT5yHc⟧",
    ]);
}

#[test]
fn passwords_given_to_further_programs_are_taken_out() {
    assert_taken(&[
        "http -a ops:⟦Granite97Wb4⟧ GET db.internal/x",
        "zip -P ⟦k3Vd9QmZ1xLw⟧ -r all.zip out/",
        "wget --user=ops --password=⟦kVdjq_QmZxLwRbT⟧ https://db.internal/x",
        "rabbitmqadmin -u ops -p ⟦k3Vd9QmZ1xLw⟧ list queues",
        "mc alias set store http://db.internal:9000 ops_rw ⟦k3Vd9QmZ1xLw7RbT⟧",
        "poetry config http-basic.nexus deploy ⟦Granite97Wb4⟧",
        "printf 'machine %s login %s password %s\\n' db.internal ops ⟦k3Vd9QmZ1xLw⟧ >> ~/.netrc",
        "net use Z: \\\\db.internal\\share ⟦k3Vd9QmZ1xLw⟧ /user:ops",
    ]);
}

#[test]
fn passwords_among_the_arguments_of_calls_are_taken_out() {
    assert_taken(&[
        "auth := smtp.PlainAuth(\"\", \"ops@db.internal\", \"⟦k3Vd9QmZ1xLw⟧\", \"db.internal\")",
        "mysqli_connect(\"db.internal\", \"ops\", \"⟦Granit3_9534W⟧\", \"stock\");",
        "DBI->connect(\"dbi:Pg:dbname=stock\", \"ops\", \"⟦GraniteWalk54!⟧\");",
        "req.basic_auth 'ops', '⟦Granit3_9534W⟧'",
        "ks.load(in, \"⟦k3Vd9QmZ1xLw7RbT5yHc⟧\".toCharArray());",
        "jwt.sign(payload, \"⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ⟧\", { expiresIn: \"1h\" });",
        "OAuth1(\"⟦k3Vd9QmZ1xLw7RbT5yHc⟧\", \"⟦2NfJ8gPs4UaE6iWo0KtXv⟧\")",
        "{default_pass, <<\"⟦Granite_9900_kVd⟧\">>}",
        "if ($http_x_secret != \"⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ⟧\") { return 403; }",
        "curl_easy_setopt(h, CURLOPT_USERPWD, \"ops:⟦k3Vd9QmZ1xLw⟧\");",
    ]);
}

#[test]
fn values_of_elements_and_columns_are_taken_out() {
    assert_taken(&[
        "<key>APIKey</key>\n<string>⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ⟧</string>",
        "<property name=\"connection.password\">⟦granite-Walk-411⟧</property>",
        "<wsse:Password>⟦Gr4nite_7978wk⟧</wsse:Password>",
        "name,url,username,password\nshop,https://db.internal,ops,⟦yy93kN_6nlv5Gj7⟧\n",
        "  24\thibernate.connection.password ⟦GrWbMaD_FeLwa2⟧",
    ]);
    assert_kept(&[
        "<label for=\"password\">Enter</label>",
        "name,password,role\nops,required,admin\n",
    ]);
}

#[test]
fn passwords_of_words_and_a_number_are_taken_out() {
    assert_taken(&[
        "The root password used to be ⟦Gr4niteWalk⟧ and is now ⟦granite.walnut.28⟧ on every node.",
        "Le mot de passe est ⟦granite.walnut.28⟧, merci.",
        "DB_PASSWORD=⟦granite-walnut-28⟧",
        "what's the wifi pass?\n> it's ⟦Granite#27walk⟧, network Guest",
    ]);
    assert_kept(&[
        "The password is on node-pool-12, not here.",
        "cert({ credential: x, projectId: \"granite-walnut-1256\" })",
        "def hash_password(password: str) -> str:\n    return argon2.using(rounds=4).hash(password)",
        "The password is hashed with argon2id before it is stored.",
        "Password string `json:\"password\" validate:\"required,min=8\"`",
    ]);
}

#[test]
fn passwords_said_in_further_languages_are_taken_out() {
    assert_taken(&[
        "Lösenordet till servern är ⟦granite.walnut.85⟧.",
        "Пароль от сервера: ⟦granite935⟧, логин ops",
        "密码是 ⟦Granite#92walk⟧，用户名 ops",
        "パスワードは「⟦Gran$6947o⟧」です。",
        "Unser WLAN-Schlüssel im Büro ist ⟦efMVN9CZ1F8⟧.",
        "La phrase secrète de la clé est ⟦Granite8410!⟧ ; merci.",
        "Ho impostato la password di root su ⟦Granite7016!⟧ sul nodo.",
    ]);
    assert_kept(&[
        "密码策略见 docs/security.md",
        "Пароль хранится в хранилище.",
    ]);
}

#[test]
fn published_examples_stay() {
    assert_kept(&[
        "AccountName=devstoreaccount1;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
        "Authorization: Bearer mF_9.B5f-4.1JqM",
        "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
        "{\"access_token\":\"2YotnFZFEjr1zCsicMWpAA\"}",
        "TELEGRAM_TOKEN=123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11",
        "curl -u sk_test_4eC39HqLyjWDarjtT1zdp7dc: https://api.stripe.com",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
        "legal winner thank year wave sausage worth useful legal winner thank yellow",
        "secret: ENC[AES256_GCM,data:7+qsE7GU5qxYoNKa,iv:ulGEbsyg,tag:ioIHx9qG,type:str]",
    ]);
}

#[test]
fn values_in_further_surroundings_are_taken_out() {
    assert_taken(&[
        "name,value\nAPI_TOKEN,⟦k3Vd9QmZ1xLw7RbT5yHc⟧\nPORT,80\n",
        "public string ApiKey { get; set; } = \"⟦k3Vd9QmZ1xLw7RbT5yHc⟧\";",
        "#define API_SECRET \"⟦k3Vd9QmZ1xLw7RbT⟧\"",
        "ENV['API_TOKEN'] ||= \"⟦k3Vd9QmZ1xLw7RbT5yHc⟧\"",
        "gh secret set API_TOKEN --body \"⟦k3Vd9QmZ1xLw7RbT5yHc⟧\"",
        "The API_TOKEN was stale. The new value is ⟦k3Vd9QmZ1xLw7RbT5yHc⟧, take it.",
        "Authorization: Splunk ⟦a6dff19d-53ae-4ffd-a21a-fbde2f3e42cf⟧",
        "curl -b 'connect.sid=⟦s%3Ak3Vd9QmZ1xLw7RbT5yHc⟧' https://db.internal/x",
        "rpc: https://eth-mainnet.g.alchemy.com/v2/⟦k3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE⟧",
        "token: ⟦acme_secret_k3Vd9QmZ1xLw7RbT5yHc2NfJ⟧",
        "IMAGE := acme/api:3.2.0\nDB_PASSWORD ?= ⟦k3Vd9QmZ1xLw7RbT⟧\n",
        "API_TOKEN ::= ⟦k3Vd9QmZ1xLw7RbT5yHc⟧\n\ndeploy:",
        "args += --verbose\nAPI_TOKEN += ⟦k3Vd9QmZ1xLw7RbT5yHc⟧\n",
    ]);
    assert_kept(&[
        "DB_PASSWORD ?= $(shell pass show db)\n",
        "tokens += count",
        "std::secret::key::value",
        "HEX_PAT = \"[0-9A-Fa-f]{1,4}\"",
        "gpg --recv-keys 5BE8A3F6C8A5C01D106C0AD820B1A390B168D356",
        "search?q=password+manager&page=48&sort=price",
        "\"salt\": \"5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a\"",
        "UNEXPECTED_TOKEN: SyntaxError42",
        "STRIPE_KEY=pk_live_k3Vd9QmZ1xLw7RbT5yHc2NfJ",
        "TEST_PYPI_TOKEN=pypi-AgENdGVzdC5weXBpLm9yZwI...",
    ]);
}

#[test]
fn what_a_plan_changes_a_value_to_is_taken_out_too() {
    assert_taken(&[
        "~ deploy_token = \"⟦k3Vd9QmZ1xLw7RbT5yHc⟧\" -> \"⟦Zq8Lw2NfJ4gPs6UaE0iW⟧\"",
        "~ db_password = \"⟦Gr4nite@walk9⟧\" -> \"⟦Gr4nite@walk10⟧\" # forces replacement",
        "~ deploy_token = \"⟦k3Vd9QmZ1xLw7RbT5yHc⟧\" -> (known after apply)",
    ]);
}

#[test]
fn a_token_said_in_another_script_is_taken_out() {
    assert_taken(&[
        "ステージングの deploy token は ⟦k3Vd9QmZ1xLw7RbT5yHc⟧ です。",
        "deploy token 는 ⟦k3Vd9QmZ1xLw7RbT5yHc⟧ 입니다.",
        "我的 jwt secret 是 ⟦k3Vd9QmZ1xLw7RbT5yHc⟧ ，谢谢",
    ]);
    assert_kept(&["この token は あとで取得します。"]);
}

#[test]
fn calls_and_hosts_beside_the_name_of_a_secret_stay() {
    assert_kept(&[
        "password = models.CharField(max_length=128)",
        "UPDATE users SET password = crypt($1, gen_salt('bf'))",
        "$password = password_hash($_POST['password'], PASSWORD_ARGON2ID);",
    ]);
    assert_taken(&[
        "git clone https://x-access-token:⟦gld7-k3Vd9QmZ1xLw7RbT5yHc⟧@git.acme.internal/acme/scout.git",
    ]);
}

/// Lines of a key in a log: each after a time, a level and a name.
#[test]
fn a_key_whose_lines_a_log_labels_is_taken_out_whole() {
    let lines = [
        concat!("-----BEGIN ", "RSA PRIVATE KEY-----"),
        "MIIBugIBAAKBgQImTV76QwXBbGeOMLeY16W5ZnfBHIbh5kaEwZCi3NUIHzZ6WVvb",
        "a7L1AlCjxUXaXP+oNQK4nksiTPx7w4+ONHDJgflHvGUetRlB1XSLV/48+tHyIQtI",
        "HM/QZBjPySKnU5LvEWDf==",
        concat!("-----END ", "RSA PRIVATE KEY-----"),
    ];
    for label in [
        "2026-03-04T05:06:07Z DEBUG key: ",
        "[worker 3] ",
        "    app | 05:06 | ",
    ] {
        let text: String = lines.map(|line| format!("{label}{line}\n")).concat();
        let redacted = Redactor::new().redact(&text).text;
        for line in &lines[1..4] {
            assert!(!redacted.contains(&line[..8]), "{redacted}");
        }
        assert!(!redacted.contains(&lines[3][14..]), "{redacted}");
    }
    let prose =
        "Begin with -----BEGIN RSA PRIVATE KEY----- and then read\nabout internationalization\n";
    assert_kept(&[prose]);
}
