//! Selects the user's settings that apply to Agon's git, and writes configuration files.

/// The user's settings that apply: names in commits, and how files are stored.
///
/// All other settings are ignored. Preferences for the user's own work (`merge.ff`, `merge.log`,
/// `commit.gpgSign`, `rerere.enabled`, colours, hooks, an editor) would change what Agon's git
/// does.
const KEPT: [&str; 18] = [
    "author.email",
    "author.name",
    "committer.email",
    "committer.name",
    "core.attributesfile",
    "core.autocrlf",
    "core.bigfilethreshold",
    "core.compression",
    "core.eol",
    "core.excludesfile",
    "core.filemode",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.protecthfs",
    "core.protectntfs",
    "core.symlinks",
    "user.email",
    "user.name",
];

/// Sections of filters and merge drivers that the user set up for all repositories, such as Git
/// LFS.
const KEPT_SECTIONS: [&str; 3] = ["filter.", "merge.", "lfs."];

/// One setting.
pub(crate) type Setting = (String, String);

/// Selects the settings that apply from the output of `git config --list -z --show-scope`.
pub(crate) fn applied_settings(printed: &[u8]) -> Vec<Setting> {
    let printed = String::from_utf8_lossy(printed);
    let mut parts = printed.split('\0');
    let mut applied = Vec::new();
    while let (Some(scope), Some(entry)) = (parts.next(), parts.next()) {
        let (key, value) = match entry.split_once('\n') {
            Some((key, value)) => (key, value),
            // A key without a value means true.
            None => (entry, "true"),
        };
        if matches!(scope, "system" | "global") && applies(key) {
            applied.push((key.to_owned(), value.to_owned()));
        }
    }
    applied
}

fn applies(key: &str) -> bool {
    // A key with a middle part, such as `merge.DRIVER.driver`, sets up a driver; `merge.ff` is only
    // a preference.
    let is_of_section = |section: &str| {
        let rest = key.strip_prefix(section);
        rest.is_some_and(|rest| section == "lfs." || rest.contains('.'))
    };
    KEPT.contains(&key) || KEPT_SECTIONS.into_iter().any(is_of_section)
}

/// Returns the names of the filters that the user defines.
pub(crate) fn filter_names(settings: &[Setting]) -> Vec<&str> {
    let names = settings.iter().filter_map(|(key, _)| {
        let rest = key.strip_prefix("filter.")?;
        rest.rsplit_once('.').map(|(name, _)| name)
    });
    names.collect()
}

/// Formats a configuration file with these settings; the last value of a key wins.
pub(crate) fn write_config<'a>(settings: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = String::new();
    for (key, value) in settings {
        let Some((section, rest)) = key.split_once('.') else {
            continue;
        };
        let (middle, name) = match rest.rsplit_once('.') {
            Some((middle, name)) => (Some(middle), name),
            None => (None, rest),
        };
        let is_word = |word: &str| {
            word.bytes()
                .all(|it| it.is_ascii_alphanumeric() || it == b'-')
        };
        // Skip keys that git would not accept either.
        if !is_word(section) || !is_word(name) || middle.is_some_and(|it| it.contains(['\n', '\0']))
        {
            continue;
        }
        match middle {
            Some(middle) => text.push_str(&format!("[{section} \"{}\"]\n", escape(middle))),
            None => text.push_str(&format!("[{section}]\n")),
        }
        text.push_str(&format!("\t{name} = \"{}\"\n", escape(value)));
    }
    text
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\\\"),
            '"' => escaped.push_str("\\\""),
            '\n' => escaped.push_str("\\n"),
            '\t' => escaped.push_str("\\t"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn habits_do_not_act_and_filters_do() {
        let printed = b"global\0merge.ff\nonly\0global\0merge.mine.driver\nm %A\0system\0filter.lfs.clean\n\
            git-lfs clean\0global\0core.hooksPath\n/h\0local\0filter.x.clean\nevil\0global\0core.autocrlf\n\
            input\0global\0commit.gpgsign\0global\0include.path\n/x\0";
        let applied = applied_settings(printed);
        let names: Vec<_> = applied.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(
            names,
            ["merge.mine.driver", "filter.lfs.clean", "core.autocrlf"]
        );
        assert_eq!(filter_names(&applied), ["lfs"]);
    }

    #[test]
    fn a_value_is_written_so_that_it_stays_one() {
        let text = write_config([
            (
                "filter.a\"]\\b.clean",
                "sh -c \"x; y\" # z\n[core]\n\tpager = evil",
            ),
            ("core.eol", "lf"),
            ("core.x\n[a", "no"),
        ]);
        let parsed = gix::config::File::from_bytes_no_includes(
            text.as_bytes(),
            gix::config::file::Metadata::api(),
            Default::default(),
        )
        .unwrap();
        let clean = parsed.string_by("filter", "a\"]\\b", "clean").unwrap();
        assert_eq!(clean, "sh -c \"x; y\" # z\n[core]\n\tpager = evil");
        assert_eq!(parsed.string("core.pager"), None);
        assert_eq!(parsed.string("core.eol").unwrap(), "lf");
    }
}
