//! Word lists that show where quoted words are from.

/// Verbs that attribute words to a place, as in `a.rs:3 says "…"`.
pub(super) const VERBS: &str = "say says said read reads state states has have contain contains define defines \
    declare declares include includes stand stands begin begins start starts end ends goes quotes \
    spells steht stehen lautet lauten sagt heißt enthält hat besagt dit indique contient dice \
    indica contiene";

/// Those of the verbs that cannot be imperatives, unlike `define`.
pub(super) const NO_COMMANDS: &str = "says said reads states has contains defines declares includes stands \
    begins starts ends goes quotes spells steht stehen lautet lauten sagt heißt enthält hat besagt \
    dit indique contient dice indica contiene";

/// Nouns for the content of a file.
pub(super) const NOUNS: &str = "code line lines comment comments text sentence paragraph heading title docstring \
    declaration definition excerpt snippet passage quote quotation wording words evidence body \
    kommentar zeile zeilen satz stelle text wortlaut zitat";

/// More such nouns. They count only with `is`, because `Check:` may be a command.
pub(super) const PARTS: &str = "condition check guard statement signature constant clause function method class rule \
    entry row file section place spot source bedingung datei quelle";

/// Words that may introduce a quotation without attributing it to another speaker.
pub(super) const LEAD_INS: &str = "i we to be precise specific checked verified confirmed looked read found see cf \
    note quote quoting evidence proof record fact indeed strictly speaking however moreover \
    furthermore conversely likewise similarly additionally besides hand other more namely e.g \
    genau nämlich geprüft";

/// Nouns that mean text and that introduce a quotation from a location, as in `the wording at a.rs:3 is "…"`.
pub(super) const TEXTS: &str = "text wording words wortlaut";

/// Words that mark a quotation as literal.
pub(super) const LITERALLY: &str =
    "verbatim literally wörtlich textuellement literalmente literatim";

/// Phrases that mark a quotation as literal.
pub(super) const LITERALLY_IN_WORDS: [&str; 5] = [
    "word for word",
    "to the letter",
    "im wortlaut",
    "mot pour mot",
    "palabra por palabra",
];

/// Phrases before a place that attribute the following words to it: `according to a.rs:3, "…"`.
pub(super) const ACCORDING: [&str; 7] = [
    "according to",
    "as per",
    "laut",
    "gemäß",
    "selon",
    "según",
    "d'après",
];

/// Verbs of speech, which attribute a quotation to a speaker.
pub(super) const SPEECH: &str = "say says said read reads state states stated tell tells told argue argues argued \
    think thinks believe believes call calls called hold holds insist insists maintain maintains \
    concede concedes admit admits agree agrees notes noted reply replied answered answers \
    writes writing describe describes described word words worded summed summarised summarized \
    sagt sagte meint heißt schreibt dit dice";

/// Words that announce a fact to refute another reply: `the first reply is mistaken: "…" (a.rs:3)`.
pub(super) const FACTS: &str = "fact facts mistaken incorrect inaccurate untrue misread misreads overlooks overlooked \
    ignores ignored";

/// Words that may appear beside those of `FACTS`.
pub(super) const BESIDE_FACTS: &str = "reply answer argument point assertion one against plain simple hard clear stubborn \
    known stands speaks by this some something code file tree source sources repository itself";

/// Words that may come between a quotation and its place, as in `"…", says a.rs:3`.
pub(super) const ATTRIBUTIONS: &str = "says reads states according to so as per is what stands in at on the \
    comment text it written quoted taken from laut sagt steht heißt es";

/// The words with which such a text can begin.
pub(super) const FIRST_OF_ATTRIBUTION: &str =
    "says reads states according so as is stands quoted taken laut sagt steht heißt";

/// Words that attribute a quotation only with a verb after the place: `"…", as a.rs:3 puts it`.
pub(super) const OPEN_ATTRIBUTIONS: &str = "as so what";

/// Words that replace this verb: `"…", as written in a.rs:3`.
pub(super) const WRITTEN: &str = "written quoted per";

/// Words that may appear beside all others without changing their meaning.
pub(super) const PLAIN: &str = "it its there here this that what which where the a an of in at on from with is are \
    was as for and then also first second third next later below above exactly literally verbatim \
    explicitly plainly clearly only just still already now relevant exact following follows \
    full whole very same own both again further down doc whereas while but because since so namely \
    es da dort hier das der die den dem dies ist sind und dann auch zuerst wörtlich folgendes \
    von aus im ce la le les el los y et ici";

/// Words that show that another speaker says, wants or misses the quoted words.
pub(super) const OTHERS: &str = "opponent opponents side you your they people user users critic critics somebody someone \
    reviewer author claim claims claimed asked ask asks wrote issue ticket commit message log logs \
    output error console terminal browser task brief prompt round debate proverb motto docs \
    documentation manual leaflet website readme \
    should ought would could might must may shall needs need want wants wanted expect expects \
    expected replace replaced rename insert inserted add added change changed suggest suggests \
    propose proposed instead rather better safer fix like unlike contrary \
    not no nor never nowhere nothing neither none without lack lacks lacking missing absent cannot \
    false wrong if unless before after until once previously formerly originally earlier old older \
    former used patch patched my our mine proposal summary paraphrase amounts means meant roughly \
    gegner sie du man sollte müsste könnte würde nicht kein keine nie nirgends ohne statt";
