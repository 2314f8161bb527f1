//! Secrets with a recognizable beginning.

use std::sync::OnceLock;

use regex::Regex;

use crate::randomness;
use crate::value::{is_hash, is_placeholder, is_random};

/// A rule for one kind of secret.
///
/// `pattern` matches only ASCII bytes, at one of the `marks`. It has one group, the secret, and no
/// unbounded repetition over white space, so that a scan takes linear time. No `tag` may match a
/// rule itself, and no secret starts with `[`. Both make redaction idempotent.
pub(crate) struct Rule {
    pub(crate) tag: &'static str,
    /// The beginning of a match, in any case.
    pub(crate) marks: &'static [&'static str],
    pub(crate) pattern: &'static str,
    pub(crate) check: Check,
    /// What may precede the mark in a match.
    pub(crate) lead: Lead,
    /// Whether the vendors' rules take precedence.
    pub(crate) late: bool,
    compiled: OnceLock<Regex>,
}

/// What may precede a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lead {
    /// No letter, digit or underscore.
    Edge,
    /// Anything.
    Free,
    /// Digits, which belong to the match.
    Digits,
    /// One to eight digits, which belong to the match.
    Number,
    /// Hexadecimal digits and hyphens, which belong to the match.
    Hex,
    /// 32 hexadecimal digits, which belong to the match.
    Hex32,
    /// About two dozen letters and digits, which belong to the match.
    Word,
    /// A few characters: letters, digits and symbols, which belong to the match.
    Few,
    /// About 6 to 24 characters: letters, digits and symbols, which belong to the match.
    Some,
    /// At least 28 characters: letters, digits and symbols, which belong to the match.
    Long,
}

impl Lead {
    /// Returns whether `byte`, directly before the mark, is part of the match.
    pub(crate) fn accepts_lead_byte(self, byte: u8) -> bool {
        match self {
            Self::Edge | Self::Free => false,
            Self::Digits | Self::Number => byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_hexdigit() || byte == b'-',
            Self::Hex32 => byte.is_ascii_hexdigit(),
            Self::Some => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Long => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/'),
            Self::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Few => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'~'),
        }
    }

    /// Returns whether this number of bytes may precede the mark.
    pub(crate) fn accepts_lead_length(self, count: usize) -> bool {
        match self {
            Self::Edge | Self::Free => true,
            Self::Digits => (8..=12).contains(&count),
            Self::Number => (1..=8).contains(&count),
            Self::Hex => count >= 32,
            Self::Hex32 => count == 32,
            Self::Word => (23..=29).contains(&count),
            Self::Few => (3..=8).contains(&count),
            Self::Some => (6..=24).contains(&count),
            Self::Long => count >= 28,
        }
    }
}

/// An additional condition for a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    /// No condition.
    Nothing,
    /// It contains a digit; words and slugs usually do not.
    Digit,
    /// It contains a digit, or letters of both cases.
    Mixed,
    /// It looks random, and is neither a hash nor a UUID.
    Random,
    /// It looks random, or is hexadecimal.
    Drawn,
    /// It is the first line of a private key, and the key follows.
    PrivateKey,
}

impl Check {
    /// Returns whether `secret` satisfies the condition; the text after a key's first line is not
    /// checked here.
    pub(crate) fn passes(self, secret: &str) -> bool {
        let has = |test: fn(&u8) -> bool| secret.as_bytes().iter().any(test);
        let fits = match self {
            Self::PrivateKey => return true,
            Self::Nothing => true,
            Self::Digit => has(u8::is_ascii_digit),
            Self::Mixed => {
                has(u8::is_ascii_digit)
                    || (has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase))
            }
            Self::Random => is_random(secret),
            Self::Drawn => {
                randomness::looks_random(secret) || has(u8::is_ascii_digit) && is_hash(secret)
            }
        };
        fits && !is_placeholder(secret)
    }
}

impl Rule {
    const fn of(tag: &'static str, marks: &'static [&'static str], pattern: &'static str) -> Self {
        Self {
            tag,
            marks,
            pattern,
            check: Check::Nothing,
            lead: Lead::Edge,
            late: false,
            compiled: OnceLock::new(),
        }
    }

    const fn with_check(mut self, check: Check) -> Self {
        self.check = check;
        self
    }

    const fn with_lead(mut self, lead: Lead) -> Self {
        self.lead = lead;
        self
    }

    const fn after_vendor_rules(mut self) -> Self {
        self.late = true;
        self
    }

    /// The pattern, compiled when one of its marks is first found.
    #[expect(
        clippy::expect_used,
        reason = "a pattern that does not compile must not leave secrets in; a test compiles it"
    )]
    pub(crate) fn regex(&self) -> &Regex {
        // Without Unicode tables, word boundaries stay fast on any text.
        let compiled = || {
            Regex::new(&format!("^(?-u:{})", self.pattern)).expect("the rule is a valid pattern")
        };
        self.compiled.get_or_init(compiled)
    }
}

/// The rules. If two match at one place, the longer match wins, or else the first.
pub(crate) static RULES: [Rule; 114] = [
    Rule::of("anthropic-key", &["sk-ant-"], r"(sk-ant-[A-Za-z0-9_-]{10,})"),
    Rule::of("openai-key", &["sk-proj-", "sk-svcacct-", "sk-admin-"], r"(sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{10,})"),
    Rule::of("sk-key", &["sk-"], r"(sk-[A-Za-z0-9]{20,}[A-Za-z0-9_-]*)"),
    Rule::of("sk-key", &["sk-"], r"(sk-[A-Za-z0-9_-]{20,})").with_check(Check::Digit),
    Rule::of("google-key", &["AIza"], r"(AIza[A-Za-z0-9_-]{20,})"),
    Rule::of("google-oauth", &["GOCSPX-"], r"(GOCSPX-[A-Za-z0-9_-]{20,})"),
    Rule::of("google-oauth", &["ya29."], r"(ya29\.[A-Za-z0-9_-]{20,})"),
    Rule::of("google-refresh-token", &["1//0"], r"(1//0[A-Za-z0-9_-]{30,})").with_check(Check::Digit),
    Rule::of("github-token", &["github_pat_"], r"(github_pat_[A-Za-z0-9_]{20,})"),
    Rule::of("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], r"(gh[opusr]_[A-Za-z0-9]{20,})"),
    Rule::of("aws-access-key", &["AKIA", "ASIA"], r"(A(?:KI|SI)A[A-Z0-9]{16}\b{end-half})"),
    Rule::of("crates-io-token", &["cio"], r"(cio[A-Za-z0-9]{32}\b{end-half})").with_check(Check::Mixed),
    Rule::of("fly-token", &["fo1_", "fm2_"], r"((?:fo1_[A-Za-z0-9_-]{43}|fm2_[A-Za-z0-9+/=_-]{40,}))"),
    Rule::of("new-relic-key", &["NRAK-"], r"(NRAK-[A-Z0-9]{27})"),
    Rule::of("planetscale-token", &["pscale_"], r"(pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=-]{32,})"),
    Rule::of("tailscale-key", &["tskey-"], r"(tskey-[a-z]{2,10}-[A-Za-z0-9]{10,}-[A-Za-z0-9]{20,})"),
    Rule::of("discord-webhook", &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"], r"(?:discord|discordapp)\.com/api/webhooks/([0-9]{17,20}/[A-Za-z0-9_-]{60,})").with_lead(Lead::Free),
    Rule::of("slack-webhook", &["hooks.slack.com/"], r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9]{6,}/[A-Za-z0-9]{6,}/[A-Za-z0-9]{16,})").with_lead(Lead::Free),
    Rule::of("slack-token", &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxc-", "xoxd-", "xoxe."], r"(xox[abcdeprs][-.][A-Za-z0-9%/+-]{20,})").with_check(Check::Digit).after_vendor_rules(),
    Rule::of("teams-webhook", &[".webhook.office.com/"], r"\.webhook\.office\.com/webhookb2/([A-Za-z0-9@/-]{60,})").with_lead(Lead::Free),
    Rule::of("private-key", &["-----BEGIN ", "---- BEGIN SSH2"], r"(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)").with_check(Check::PrivateKey).with_lead(Lead::Free),
    Rule::of("jwt", &["eyJ"], r"(ey[A-Za-z0-9_-]{8,}\.ey[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{10,})"),
    Rule::of("jwt", &["eyJ"], r"(eyJ[A-Za-z0-9_-]{15,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,})"),
    Rule::of("telegram-bot-token", &[":AA"], r"([0-9]{8,10}:AA[A-Za-z0-9_-]{32,34})").with_lead(Lead::Digits),
    Rule::of("twilio-key", &["SK"], r"(SK[0-9a-f]{32}\b{end-half})").with_check(Check::Digit).after_vendor_rules(),
    Rule::of("mailgun-key", &["key-"], r"(key-[0-9a-f]{32}\b{end-half})").with_check(Check::Digit).after_vendor_rules(),
    Rule::of("mailchimp-key", &["-us"], r"([0-9a-f]{32}-us[0-9]{1,2}\b{end-half})").with_lead(Lead::Hex).after_vendor_rules(),
    Rule::of("airtable-token", &["pat"], r"(pat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b{end-half})").after_vendor_rules(),
    Rule::of("discord-bot-token", &["."], r"([MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}\b{end-half})").with_check(Check::Random).with_lead(Lead::Word).after_vendor_rules(),
    Rule::of("sendgrid-key", &["SG."], r"(SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64})").after_vendor_rules(),
    Rule::of("stripe-key", &["sk_live_", "rk_live_", "sk_test_", "rk_test_", "whsec_"], r"((?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9+/=]{16,})").after_vendor_rules(),
    Rule::of("age-key", &["AGE-SECRET-KEY-1"], r"(AGE-SECRET-KEY-1[A-Za-z0-9]{40,})").after_vendor_rules(),
    Rule::of("square-token", &["EAAA", "sq0csp-", "sq0atp-"], r"((?:EAAA|sq0csp-|sq0atp-)[A-Za-z0-9_-]{20,})").with_check(Check::Random).after_vendor_rules(),
    Rule::of("aws-secret", &["AKIA", "ASIA"], r#"A(?:KI|SI)A[A-Z0-9]{16}["'`\s,/:;|]{1,8}([A-Za-z0-9/+]{40}\b{end-half})"#).with_check(Check::Random),
    Rule::of("aws-session-token", &["IQoJb3JpZ2lu", "FwoGZXIvYXdz"], r"((?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[A-Za-z0-9+/=_-]{40,})"),
    Rule::of("azure-secret", &["8Q~", "7Q~"], r"([A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{30,40})").with_lead(Lead::Few),
    Rule::of("atlassian-token", &["ATATT3", "ATCTT3"], r"(AT[AC]TT3[A-Za-z0-9_=-]{20,})").after_vendor_rules(),
    Rule::of("sentry-token", &["sntrys_", "sntryu_"], r"(sntry[su]_[A-Za-z0-9+/=_-]{20,})").after_vendor_rules(),
    Rule::of("vault-token", &["hvs.", "hvb.", "hvr."], r"(hv[sbr]\.[A-Za-z0-9_-]{20,})").with_check(Check::Digit).after_vendor_rules(),
    Rule::of("nuget-key", &["oy2"], r"(oy2[a-z0-9]{43}\b{end-half})").with_check(Check::Digit).after_vendor_rules(),
    Rule::of("new-relic-key", &["NRAL"], r"([0-9a-f]{36}NRAL\b{end-half})").with_lead(Lead::Hex),
    Rule::of("mailgun-key", &["-"], r"([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}\b{end-half})").with_lead(Lead::Hex32),
    Rule::of("app-key", &["base64:"], r"base64:([A-Za-z0-9+/]{43}=)").with_check(Check::Random),
    Rule::of("pgpass", &[":543", ":*:"], r"(?::543[0-9])?:[!-9;-~]{1,64}:[!-9;-~]{1,64}:([!#-&(-9;-_a-~]{5,})").with_check(Check::Mixed).with_lead(Lead::Free),
    Rule::of("mail-password", &["]:587", "]:465", "]:25"], r"\]:(?:587|465|25)[ \t]+[!-9;-~]{1,64}:([!#-&(-_a-~]{5,})").with_check(Check::Mixed).with_lead(Lead::Free),
    Rule::of("wifi-password", &["WIFI:"], r"WIFI:[!-~]{0,100}?;P:([!-:<-~]{6,64});"),
    Rule::of("redis-user", &[" on >"], r" on >([!#-&(-_a-~]{5,})").with_check(Check::Mixed).with_lead(Lead::Free),
    Rule::of("cookie", &["\tTRUE\t", "\tFALSE\t"], r"\t(?:TRUE|FALSE)\t[0-9]{1,12}\t[!-~]{1,64}\t([!-~]{8,})").with_check(Check::Digit).with_lead(Lead::Free),
    Rule::of("aws-signature", &["Signature="], r"(?i:signature)=([0-9a-f]{64}\b{end-half})").with_lead(Lead::Free),
    Rule::of(
        "vendor-token",
        &["glpat-", "gldt-", "glrt-", "npm_", "pypi-", "rubygems_", "dop_v1_", "doo_v1_", "shpat_", "shpss_", "shpca_", "xai-", "gsk_", "hf_", "r8_", "pplx-", "figd_", "lin_api_", "ntn_", "dapi", "HRKU-", "PMAK-", "pul-", "dckr_pat_", "glsa_", "glc_", "CFPAT-", "dp.pt.", "dp.st.", "sbp_", "tfp_", "ATTA", "NRII-", "NRAA-", "phx_", "CLOJARS_", "cmVmd", "sgp_", "rpa_", "e2b_", "tvly-", "nvapi-", "vcp_", "EAAC", "EAAG", "xkeysib-", "mlsn.", "SWMTKN-", "SWMKEY-", "PRVT", "dt0c01.", "gitea_", "nfp_", "AKCp"],
        r"([A-Za-z0-9_.]{2,10}[-_.]?[A-Za-z0-9_+/=.-]{18,})",
    )
    .with_check(Check::Random)
    .after_vendor_rules(),
    Rule::of("notion-token", &["secret_"], r"(secret_[A-Za-z0-9]{40,})").with_check(Check::Random).after_vendor_rules(),
    Rule::of("bundle-password", &["bundle config"], r"bundle config (?:set )?(?:--[a-z]+ ){0,2}[A-Za-z0-9._-]{3,80} ([!-9;-~]{3,}:[!-~]{5,})").with_check(Check::Digit),
    Rule::of("weather-key", &["appid="], r"appid=([0-9a-f]{32}\b{end-half})").with_check(Check::Digit),
    Rule::of("wallet-key", &["xprv"], r"(xprv[A-Za-z0-9]{80,})"),
    Rule::of("vault-key", &["Unseal Key", "Recovery Key"], r"(?i:unseal|recovery) (?i:key)(?: [0-9]{1,2})?(?: \([ -(*-~]{1,40}\))?: {0,4}([A-Za-z0-9+/]{24,}={0,2})").with_check(Check::Digit),
    Rule::of("backblaze-key", &["K00"], r"(K00[0-9][A-Za-z0-9+/]{27}\b{end-half})").with_check(Check::Digit),
    Rule::of("dropbox-token", &["sl."], r"(sl\.(?:u\.)?[A-Za-z0-9_-]{60,})").with_check(Check::Digit),
    Rule::of("twitter-token", &["AAAAAAAAAAAAAAAAAAAA"], r"(A{20,22}[A-Za-z0-9%]{60,})").with_check(Check::Digit),
    // Router and switch configuration: type 0 is unencrypted, types 6 and 7 are reversible.
    Rule::of("device-password", &["password 0 ", "password 7 ", "password 6 ", "secret 0 ", "secret 7 ", "key 0 ", "key 7 "], r"(?i:password|secret|key) [067] ([!-~]{5,})").with_check(Check::Digit),
    Rule::of("device-password", &["tacacs-server ", "radius-server "], r"(?i:tacacs|radius)-server [ -~]{0,80}?\bkey ([!-~]{5,})").with_check(Check::Digit),
    Rule::of("device-password", &["snmp-server community ", "rocommunity ", "rwcommunity "], r"(?i:snmp-server community|r[ow]community) ([!-~]{5,})").with_check(Check::Mixed),
    // Commands that generate or decode a secret, whose output is on the next line.
    Rule::of("drawn-by-command", &["wg genkey", "wg genpsk", "openssl rand", "pwgen"], r"(?:wg gen(?:key|psk)|openssl rand -(?:hex|base64) [0-9]{2,3}|pwgen[ a-z0-9-]{0,20})\n[ \t0-9:|>+-]{0,12}?([A-Za-z0-9+/]{12,}={0,2})").with_check(Check::Digit),
    Rule::of("decoded-secret", &["get secret"], r"get secrets? [ -~]{0,160}base64 (?:-d|-D|--decode)\n[ \t0-9:|>+-]{0,12}?([!-~]{6,})").with_check(Check::Digit),
    // Expect scripts, which wait for a password prompt and send the answer.
    Rule::of("answer-to-prompt", &["assword:"], concat!(r#"(?i:assword):[ !#-&(-~]{0,10}["'][)\]]{0,2};?[ \t]{0,4}\n"#, r#"[ \t!#-&(-~]{0,40}\bsend(?:line)?[ \t(]{1,4}(?:--[ \t])?["']([!#-&(-~]{4,})"#)).with_lead(Lead::Free),
    Rule::of("user-list", &["chpasswd:"], r"chpasswd:\s{1,8}(?:expire: ?[A-Za-z]+\s{1,8})?list: ?[|>]?-?\s{1,12}(?:- )?[A-Za-z0-9._-]{1,64}:([!-~]{5,})").with_check(Check::Mixed),
    Rule::of("mail-password", &["auth plain "], r"(?i:auth plain) ([A-Za-z0-9+/]{12,}={0,2})").with_check(Check::Mixed),
    Rule::of("drawn-by-command", &["random_password"], r#"random_password"[ -|~\s]{0,300}?"result": ?"([!#-~]{6,})"#),
    Rule::of("azure-key", &["AzFu", "AzSe", "ACDb", "+ASt", "+ACR", "JQQJ99", "AIoT", "+ABa", "AEhmo", "AIPM"], r"([A-Za-z0-9+/_-]{28,86}(?:AzFu|AzSe|ACDb|\+ASt|\+ACR|JQQJ99|AIoT|\+ABa|AEhmo|AIPM)[A-Za-z0-9+/_-]{3,40}={0,2})").with_check(Check::Random).with_lead(Lead::Long),
    Rule::of("fcm-key", &[":APA91b"], r"([A-Za-z0-9_-]{6,24}:APA91b[A-Za-z0-9_-]{80,})").with_lead(Lead::Some),
    Rule::of("upstash-token", &["AAIjcD", "AAIncD"], r"(A[A-Za-z0-9]{2,7}AAI[jn]cD[A-Za-z0-9=]{20,})").with_lead(Lead::Few),
    Rule::of("terraform-token", &[".atlasv1."], r"([A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{50,})").with_lead(Lead::Some),
    Rule::of("k3s-token", &["::server:", "::node:"], r"(K10[0-9a-f]{40,80}::[a-z]{4,8}:[0-9a-f.]{20,})").with_lead(Lead::Long),
    Rule::of("salesforce-token", &["00D"], r"(00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{60,})"),
    Rule::of("mapbox-token", &["sk.eyJ", "tk.eyJ"], r"([st]k\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{15,})"),
    Rule::of("clickup-token", &["pk_"], r"(pk_[0-9]{5,10}_[A-Z0-9]{32}\b{end-half})").with_check(Check::Digit),
    Rule::of("rapidapi-key", &["jsn"], r"([0-9a-f]{10}msh[0-9a-f]{15}p1[0-9a-f]{6}jsn[0-9a-f]{12}\b{end-half})").with_lead(Lead::Long),
    Rule::of("astra-token", &["AstraCS:"], r"(AstraCS:[A-Za-z]{16,}:[0-9a-f]{40,})"),
    Rule::of("token-in-address", &["g.alchemy.com/", "infura.io/", "quiknode.pro/", "quicknode.pro/", "events.pagerduty.com/", "rpc.ankr.com/", "blastapi.io/", "open.feishu.cn/", "open.larksuite.com/", "hc-ping.com/", "betterstack.com/api/v1/heartbeat/", "hook.eu1.make.com/", "hook.eu2.make.com/", "hook.us1.make.com/", "hook.us2.make.com/", "getblock.io/", "maker.ifttt.com/", "chainstack.com/", "hooks.pipedream", "logic.azure.com/", "helius-rpc.com/"], r"[a-z0-9.-]{6,60}(?:/[A-Za-z0-9_.-]{1,18}){0,6}?/([A-Za-z0-9_-]{20,})").with_check(Check::Drawn).with_lead(Lead::Free),
    Rule::of("zapier-webhook", &["hooks.zapier.com/"], r"hooks\.zapier\.com/hooks/(?:catch|standard)/([0-9]{5,9}/[A-Za-z0-9]{6,})").with_lead(Lead::Free),
    Rule::of("braintree-token", &["access_token$"], r"(access_token\$(?:production|sandbox)\$[a-z0-9]{12,20}\$[0-9a-f]{32}\b{end-half})"),
    Rule::of("roblox-cookie", &["_|WARNING:-DO-NOT-SHARE-THIS"], r"(_\|WARNING:-DO-NOT-SHARE-THIS[ -{}~]{0,120}\|_[A-Za-z0-9_-]{40,})").with_lead(Lead::Free),
    Rule::of("zoho-token", &["1000."], r"(1000\.[0-9a-f]{32}\.[0-9a-f]{32}\b{end-half})"),
    Rule::of("asana-token", &["1/", "2/"], r"([12]/[0-9]{13,18}(?:/[0-9]{13,18})?:[0-9a-f]{32}\b{end-half})"),
    Rule::of("bitwarden-token", &["0."], r"(0\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/]{22}==)"),
    Rule::of("onepassword-key", &["A3-"], r"(A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}\b{end-half})"),
    // A Laravel Sanctum token: a number, `|`, and random characters with a checksum of eight
    // digits.
    Rule::of("sanctum-token", &["|"], r"([0-9]{1,8}\|[A-Za-z0-9]{40}(?:[0-9a-f]{8})?\b{end-half})").with_check(Check::Random).with_lead(Lead::Number),
    Rule::of("oracle-password", &["oracle:thin:", "oracle:oci:", "oracle:oci8:"], r#"oracle:(?:thin|oci8?):[!-.0-9;-?A-Z_a-z]{1,64}/"?([!#-&(-.0-?A-~]{4,}?)"?@"#).with_check(Check::Mixed).with_lead(Lead::Free),
    Rule::of("oracle-password", &["sqlplus ", "expdp ", "impdp ", "sqlldr ", "rman target "], r#"(?:sqlplus|expdp|impdp|sqlldr|rman target)(?: -[A-Za-z]+){0,4} ["']?[A-Za-z0-9_$#]{1,64}/"?([!#-&(-.0-?A-~]{4,}?)"?@"#).with_check(Check::Mixed),
    Rule::of("password-hash", &["secret 5 ", "secret 8 ", "secret 9 ", "--iscrypted "], r#"(?:(?i:secret) [589]|--iscrypted) ["']?(\$[0-9a-z]{1,8}\$[!#-&(-~]{20,})"#),
    // A dump of Windows accounts: the NT hash follows the LM hash of an empty password.
    Rule::of("password-hash", &[":aad3b435b51404ee"], r":aad3b435b51404eeaad3b435b51404ee:([0-9a-f]{32}):").with_lead(Lead::Free),
    Rule::of("jenkins-secret", &["{AQAA"], r"\{(AQAA[A-Za-z0-9+/]{20,}={0,2})\}"),
    // Private members of a JSON Web Key (RFC 7518, 6), each after its quoted key.
    Rule::of("private-key", &["\"d\": \"", "\"k\": \"", "\"p\": \"", "\"q\": \"", "\"dp\": \"", "\"dq\": \"", "\"qi\": \""], r#""(?:d|k|p|q|dp|dq|qi)": "([A-Za-z0-9_-]{43,})""#).with_check(Check::Random).with_lead(Lead::Free),
    Rule::of("bearer-token", &["bearer"], concat!(r#"(?i:bearer)(?:[ \t]{1,4}|["']?[ \t]{0,4}[:=][ \t]{0,4}["'])"#, r"([A-Za-z0-9]{20,}[A-Za-z0-9_~+/.-]*=*)")),
    Rule::of("bearer-token", &["bearer"], concat!(r#"(?i:bearer)(?:[ \t]{1,4}|["']?[ \t]{0,4}[:=][ \t]{0,4}["'])"#, r"([A-Za-z0-9_~+/.-]{10,}(?::[A-Za-z0-9]{20,})?=*)")).with_check(Check::Digit),
    // The cookie (shared secret) of Erlang nodes; a generated one has 20 capitals.
    Rule::of("erlang-cookie", &["erlang_cookie", "erlang.cookie", "erlangcookie", "release_cookie"], concat!(r#"(?i:erlang[._]?cookie|release_cookie)["']?(?:[ \t]{0,4}(?::=|=>|[:=])[ \t]{0,4}["']?|[ \t]{0,4}\n[ \t]{0,12})"#, r"([A-Z]{16,32}\b{end-half})")).with_lead(Lead::Free),
    Rule::of("erlang-cookie", &["erlang_cookie", "erlang.cookie", "erlangcookie", "release_cookie"], r#"(?i:erlang[._]?cookie|release_cookie)["']?[ \t]{0,4}(?::=|=>|[:=])[ \t]{0,4}["']?([A-Za-z0-9_+/=-]{12,})"#).with_check(Check::Digit).with_lead(Lead::Free),
    Rule::of("erlang-cookie", &["-setcookie "], r#"-setcookie ["']?([A-Z]{16,32}\b{end-half})"#).with_lead(Lead::Free),
    Rule::of("erlang-cookie", &["-setcookie "], r#"-setcookie ["']?([A-Za-z0-9_+/=-]{8,})"#).with_check(Check::Digit).with_lead(Lead::Free),
    // Lines of ipsec.secrets.
    Rule::of("ipsec-secret", &[": PSK ", ": EAP ", ": XAUTH ", ": NTLM ", ": RSA ", ": ECDSA ", ": PKCS8 ", ": PKCS12 "], r#": (?:(?i:psk|eap|xauth|ntlm)|(?i:rsa|ecdsa|pkcs8|pkcs12) [!#-~]{1,120}) "([ !#-~]{6,})""#).with_check(Check::Mixed).with_lead(Lead::Free),
    // Private members of a JSON Web Key with unquoted keys, as in YAML or source code.
    Rule::of("private-key", &["d: ", "k: ", "p: ", "q: ", "dp: ", "dq: ", "qi: "], r#"(?:d|k|p|q|dp|dq|qi): ["']?([A-Za-z0-9_-]{43,})"#).with_check(Check::Random),
    // The code with which an authorization server redirects the browser.
    Rule::of("authorization-code", &["4/0A", "4%2F0A"], r"(4(?:/|%2[Ff])0A[A-Za-z0-9_-]{30,})").with_check(Check::Digit),
    Rule::of("authorization-code", &["callback", "oauth", "redirect", "signin-"], r#"(?i:callback|oauth2?|redirect|signin-[a-z]{3,12})[A-Za-z0-9_/.-]{0,40}\?(?:[A-Za-z0-9_-]{1,20}=[!%'-;=-~]{0,80}&)??code=([A-Za-z0-9%/._~-]{16,})"#).with_check(Check::Random).with_lead(Lead::Free),
    // Signed sessions of Flask and Django: the content, a time and the signature.
    Rule::of("signed-session", &["eyJ", ".eJ"], r"((?:eyJ|\.eJ)[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,43})"),
    Rule::of("signed-session", &["eyJ", ".eJ"], r"((?:eyJ|\.eJ)[A-Za-z0-9_-]{8,}:[A-Za-z0-9]{6}:[A-Za-z0-9_-]{27,43})"),
    // The user list of PgBouncer.
    Rule::of("password-hash", &["\" \"md5", "\" \"SCRAM-SHA-256$"], r#"" "(md5[0-9a-f]{32}|SCRAM-SHA-256\$[0-9]{1,8}:[A-Za-z0-9+/=$:]{40,})""#).with_lead(Lead::Free),
    Rule::of("answer-to-prompt", &["password-stdin <<", "chpasswd <<", "passwd <<"], r#"(?:password-stdin|passwd) <<-?[ ]?["']?[A-Z]{2,12}["']?\n(?:[A-Za-z0-9._-]{1,64}:)?([!-~]{6,})"#).with_check(Check::Mixed).with_lead(Lead::Free),
    Rule::of("erlang-cookie", &["set_cookie("], r#"set_cookie\([ -~]{0,60}?[:'"]{1,2}([A-Z]{16,32}\b{end-half})"#).with_lead(Lead::Free),
    // Links that log in without a password.
    Rule::of("token-in-link", &["/reset", "/password", "/magic", "/invit", "/verify", "/confirm", "/activat"], r"/(?i:(?:password[-_/]?)?reset(?:[-_/]?password)?|magic(?:[-_]?links?)?|invit(?:e|ation)s?|verify(?:[-_]?email)?|confirm(?:[-_]?email|ation)?|activat(?:e|ion))/(?:[A-Za-z0-9]{1,12}/)?([A-Za-z0-9_-]{20,})").with_check(Check::Drawn).with_lead(Lead::Free),
    Rule::of("token-in-link", &["/login?", "/verify?", "/magic?", "/magic-link?", "/confirm?", "/activate?", "/invite?", "/reset?"], r"/[A-Za-z-]{5,10}\?(?:[A-Za-z0-9_-]{1,20}=[!%'-;=-~]{0,80}&)??(?:code|t|ticket|key)=([A-Za-z0-9%/._~-]{16,})").with_check(Check::Random).with_lead(Lead::Free),
    // Session cookies of ASP.NET Core, Express and WordPress.
    Rule::of("signed-session", &["Cookies=CfDJ8", "Session=CfDJ8", "Application=CfDJ8"], r"(?:Cookies|Session|Application)=(CfDJ8[A-Za-z0-9_-]{30,})").with_lead(Lead::Free),
    Rule::of("signed-session", &["s:", "s%3A"], r"(s(?::|%3[Aa])[A-Za-z0-9_-]{20,40}\.[A-Za-z0-9+/%=]{27,})").with_check(Check::Random),
    Rule::of("signed-session", &["wordpress_logged_in_", "wordpress_sec_"], r#"(?i:wordpress_(?:logged_in|sec))_[0-9a-f]{8,32}["']?[=:] ?["']?([A-Za-z0-9%|._@-]{20,})"#).with_check(Check::Digit),
    // A password field in the body of a multipart form.
    Rule::of("form-password", &["form-data; name=\""], r#"(?i:form-data); name="[A-Za-z0-9_.\[-]{0,40}(?i:password|passwd|pwd|secret|token|api_?key)[0-9]?\]?"\r?\n\r?\n([!-~]{6,})"#).with_check(Check::Mixed).with_lead(Lead::Free),
    Rule::of("opsgenie-key", &["genie-key", "geniekey", "genie_api_key"], r#"(?i:genie-?key|genie_api_key)["']?(?:[:=]| [A-Za-z]{0,2})[ \t]{0,3}["']?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"#).with_lead(Lead::Free),
];

#[cfg(test)]
mod tests {
    use super::RULES;

    #[test]
    fn every_rule_is_a_pattern_that_matches_no_tag() {
        for rule in &RULES {
            assert_ne!(rule.regex().as_str(), "");
            for mark in rule.marks {
                let tagged = RULES
                    .iter()
                    .find(|other| other.tag.contains(mark) && rule.regex().is_match(other.tag));
                assert!(tagged.is_none(), "{}", rule.tag);
            }
        }
    }
}
