//! Phrases for hedging, praise and opinions in the known languages.
//!
//! The phrases are long enough that they rarely occur in a text of another language, so every table
//! is tried on every text. They are lower case, without punctuation and apostrophes.

mod asian;
mod english;
mod german;
mod romance;

use agon_record::words;

/// The phrases of one language.
pub(super) struct Phrases {
    /// Phrases that leave a stance open, anywhere in it.
    pub(super) hedges: &'static [&'static str],
    /// Phrases that leave a stance open at its beginning.
    pub(super) hedged_starts: &'static [&'static str],
    /// Phrases that settle nothing, anywhere in a verdict.
    pub(super) undecided: &'static [&'static str],
    /// Phrases that begin a next step that is not an action.
    pub(super) idle_starts: &'static [&'static str],
    /// Phrases of praise or thanks at the beginning of a text.
    pub(super) praise_starts: &'static [&'static str],
    /// Phrases that begin a claim with an opinion or a generality.
    pub(super) opinion_starts: &'static [&'static str],
}

/// Selects one list of phrases.
pub(super) type PhraseList = fn(&Phrases) -> &'static [&'static str];

/// All known languages.
const ALL: &[Phrases] = &[
    english::ENGLISH,
    german::GERMAN,
    romance::FRENCH,
    romance::SPANISH,
    romance::PORTUGUESE,
    asian::CHINESE,
    asian::JAPANESE,
];

/// Returns the first phrase of `list`, in any known language, that `text` contains.
pub(super) fn find_phrase(text: &str, list: PhraseList) -> Option<&'static str> {
    let mut tables = ALL.iter();
    tables.find_map(|table| words::find_phrase_in_any_script(text, list(table)))
}

/// Returns the first phrase of `list`, in any known language, at the beginning of `text`.
pub(super) fn find_leading_phrase(text: &str, list: PhraseList) -> Option<&'static str> {
    let mut tables = ALL.iter();
    tables.find_map(|table| words::find_leading_phrase_in_any_script(text, list(table)))
}

/// Returns whether `text` is in the script of a known language: Latin, Chinese or Japanese. A text
/// without letters counts as known.
pub(super) fn is_script_known(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (known, all) = letters.fold((0_usize, 0_usize), |(known, all), c| {
        let is_known = words::is_latin_letter(c) || words::is_chinese_or_kana(c);
        (known + usize::from(is_known), all + 1)
    });
    known * 2 >= all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_finds_its_own_hedges_praise_and_opinions() {
        let hedges: PhraseList = |table| table.hedges;
        for text in [
            "It depends on the load.",
            "Das hängt davon ab, wie groß die Last ist.",
            "Ça dépend de la charge.",
            "Todo depende de la carga.",
            "Talvez um cache em disco.",
            "这取决于负载。",
            "負荷次第です。場合による。",
        ] {
            assert!(find_phrase(text, hedges).is_some(), "{text}");
        }
        let praise: PhraseList = |table| table.praise_starts;
        for text in [
            "Guter Punkt, aber falsch.",
            "Bonne remarque, mais elle est fausse.",
            "Buen punto, pero no.",
            "Bom argumento, mas não.",
            "说得好，但是不对。",
            "素晴らしい指摘ですが、違います。",
        ] {
            assert!(find_leading_phrase(text, praise).is_some(), "{text}");
        }
        let opinions: PhraseList = |table| table.opinion_starts;
        for text in [
            "I think it is slow.",
            "Generally speaking, caches help.",
            "Meiner Meinung nach ist es langsam.",
            "À mon avis, c'est lent.",
            "En mi opinión es lento.",
            "Na minha opinião é lento.",
            "我认为它很慢。",
            "一般的に、キャッシュは速い。",
        ] {
            assert!(find_leading_phrase(text, opinions).is_some(), "{text}");
        }
    }

    #[test]
    fn plain_sentences_of_each_language_have_none_of_the_phrases() {
        let anywhere: [PhraseList; 2] = [|table| table.hedges, |table| table.undecided];
        let leading: [PhraseList; 4] = [
            |table| table.hedged_starts,
            |table| table.idle_starts,
            |table| table.praise_starts,
            |table| table.opinion_starts,
        ];
        for text in [
            "Use SQLite, since two writers need one transaction.",
            "Nimm SQLite, weil zwei Schreiber eine Transaktion brauchen. Es kommt auf den Schreiber an.",
            "Utilise SQLite, car deux processus écrivent. La disponibilité dépend du disque.",
            "Usa SQLite, porque dos procesos escriben. La velocidad depende del disco.",
            "Usa SQLite, porque dois processos escrevem. A velocidade depende do disco.",
            "使用SQLite，因为有两个写入者。",
            "書き込み側が二つあるので、SQLiteを使う。",
        ] {
            for list in anywhere {
                assert_eq!(find_phrase(text, list), None, "{text}");
            }
            for list in leading {
                assert_eq!(find_leading_phrase(text, list), None, "{text}");
            }
        }
    }

    #[test]
    fn a_script_of_another_language_is_not_known() {
        assert!(is_script_known("Überall, 数据库 e あれ"));
        assert!(is_script_known("42"));
        assert!(!is_script_known("Используйте SQLite для хранилища"));
        assert!(!is_script_known("استخدم SQLite لمخزن المهام"));
    }
}
