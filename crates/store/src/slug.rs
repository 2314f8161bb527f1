//! Names of debate folders.

// Chosen, not measured: about six words of the topic. Longer names are awkward to type, and file
// systems allow 255 bytes.
/// Maximum length of a folder name, in bytes.
const SLUG_MAX: usize = 40;

// More than the six words of a name need, so the rest of a very long topic is not read.
/// Number of characters of a topic that are considered.
const NAMED_CHARS: usize = 200;

/// Returns a folder name for a topic: lower-case letters, digits and hyphens, with other scripts
/// transliterated.
///
/// At most 40 bytes, cut between words if there are several. Never empty, and never a name reserved
/// by a system.
///
/// ```
/// # use agon_store::slug;
/// assert_eq!(slug("SQLite or plain files?"), "sqlite-or-plain-files");
/// assert_eq!(slug("Où sont les données ?"), "ou-sont-les-donnees");
/// assert_eq!(slug("火"), "huo");
/// assert_eq!(slug("?"), "debate");
/// ```
pub fn slug(topic: &str) -> String {
    let mut out = String::new();
    let start: String = topic.chars().take(NAMED_CHARS).collect();
    let latin = deunicode::deunicode(&start);
    let words = latin.split(|c: char| !c.is_ascii_alphanumeric());
    for word in words.filter(|word| !word.is_empty()) {
        let needed = word.len() + usize::from(!out.is_empty());
        if out.len() + needed > SLUG_MAX {
            if out.is_empty() {
                out.push_str(&word[..SLUG_MAX]);
            }
            break;
        }
        if !out.is_empty() {
            out.push('-');
        }
        out.push_str(word);
    }
    out.make_ascii_lowercase();
    match out.as_str() {
        "" => "debate".to_owned(),
        reserved if is_reserved(reserved) => format!("debate-{reserved}"),
        _ => out,
    }
}

/// Returns `slug` with a number, for further debates of that name.
pub fn slug_with_number(slug: &str, number: u32) -> String {
    if number < 2 {
        return slug.to_owned();
    }
    let tail = format!("-{number}");
    let room = SLUG_MAX.saturating_sub(tail.len()).min(slug.len());
    format!("{}{tail}", slug[..room].trim_end_matches('-'))
}

/// Returns whether Windows reserves this name for a device.
fn is_reserved(name: &str) -> bool {
    let numbered = |stem: &str| {
        let digit = name.strip_prefix(stem);
        digit.is_some_and(|d| d.len() == 1 && d.bytes().all(|b| b.is_ascii_digit()))
    };
    ["con", "prn", "aux", "nul"].contains(&name) || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_topic_gives_a_folder_name(topic in any::<String>(), number in 0_u32..2_000) {
            let slug = slug(&topic);
            for name in [slug_with_number(&slug, number), slug] {
                let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
                prop_assert!(name.bytes().all(plain), "{name}");
                prop_assert!((1..=SLUG_MAX).contains(&name.len()), "{name}");
                prop_assert!(!name.starts_with('-') && !name.ends_with('-'), "{name}");
                prop_assert!(!name.contains("--"), "{name}");
                prop_assert!(!is_reserved(&name), "{name}");
            }
        }
    }

    #[test]
    fn a_long_topic_is_cut_between_words() {
        let topic = "Should the job store use SQLite or one plain file per job?";
        assert_eq!(slug(topic), "should-the-job-store-use-sqlite-or-one");
        assert_eq!(slug(&"x".repeat(90)), "x".repeat(40));
    }

    #[test]
    fn awkward_topics_still_have_a_name() {
        assert_eq!(slug("???"), "debate");
        assert_eq!(slug("../../etc"), "etc");
        assert_eq!(slug("NUL"), "debate-nul");
        assert_eq!(slug("com7"), "debate-com7");
    }

    #[test]
    fn a_second_debate_of_a_name_gets_a_number() {
        assert_eq!(slug_with_number("job-store", 1), "job-store");
        assert_eq!(slug_with_number("job-store", 2), "job-store-2");
        let long = format!("{}-y", "x".repeat(37));
        assert_eq!(
            slug_with_number(&long, 10),
            format!("{}-10", "x".repeat(37))
        );
    }
}
