//! The texts, by what each tests. `{OUT}` is a folder of the user, `{HOME}` their home.

/// A text without anything to interpret, as the reference for all other requests.
pub(super) const PLAIN: &str = "Which of the two locks is the simpler one to reason about?";

/// Texts that a host interprets if they are sent unchanged, and similar texts.
pub(super) const TEXTS: &[(&str, &str)] = &[
    // Files, folders, agents and resources after `@`.
    ("a file by its path", "Why does @{OUT}/canary.txt matter?"),
    ("a file at the start", "@{OUT}/canary.txt"),
    ("a file of the system", "is @/etc/hostname right?"),
    ("a file of the home", "see @~/canary.txt, please"),
    ("a quoted file", "see @\"{OUT}/canary.txt\" there"),
    (
        "a file in brackets",
        "(@{OUT}/canary.txt), `@{OUT}/canary.txt`, **@{OUT}/canary.txt**",
    ),
    (
        "a file behind a backslash",
        "\\@{OUT}/canary.txt and @@{OUT}/canary.txt",
    ),
    (
        "a file behind a wide sign",
        "\u{ff20}{OUT}/canary.txt and \u{ff0f}help",
    ),
    ("a folder", "list @{OUT}/ and @{OUT}"),
    ("the folder it runs in", "see @. and @./ and @.. too"),
    (
        "lines of a file",
        "see @{OUT}/canary.txt#L1-2 and @{OUT}/canary.txt:1-2 there",
    ),
    ("a picture", "see @{OUT}/pic.png there"),
    (
        "an agent",
        "@agent-canary do it; @canary; @agent-Explore @explore @codebase_investigator @general",
    ),
    (
        "a resource of a server",
        "see @team:file:///etc/hostname and @server:proto://x",
    ),
    ("a file in braces", "see @{{OUT}/canary.txt} there"),
    (
        "files of the copy",
        "see @canary.txt @src/lib.rs @src @../canary.txt",
    ),
    (
        "a file on the second line",
        "First this.\n@{OUT}/canary.txt\n/help\n!id\n# so",
    ),
    ("a file behind blanks", "  @{OUT}/canary.txt\r\n\there  "),
    (
        "a mention of an app",
        "[@z](plugin://z) [$x](app://x) [c](mention://{OUT}/canary.txt) [s](skill://canary)",
    ),
    // Files with other markers.
    (
        "a file with a hash",
        "#{OUT}/canary.txt and #file:{OUT}/canary.txt and #file:src/lib.rs",
    ),
    ("a picture's path", "{OUT}/pic.png"),
    (
        "a picture in the text",
        "look: '{OUT}/pic.png' and data:image/png;base64,iVBORw0KGgo=",
    ),
    (
        "links to files",
        "file://{OUT}/canary.txt [c]({OUT}/canary.txt) ![c]({OUT}/pic.png)",
    ),
    (
        "a URL at the start",
        "https://example.invalid/@{OUT}/canary.txt is where?",
    ),
    (
        "values of a configuration",
        "{file:{OUT}/canary.txt} {env:HOME} ${HOME} %HOME% ${{ secrets.X }}",
    ),
    (
        "placeholders",
        "[Image #1] [Pasted text #1 +3 lines] [File #1]",
    ),
    // Commands.
    ("help", "/help isn't available here"),
    ("help behind blanks", " \n\t/help"),
    ("help behind a line of Windows", "\r\n/help\r\nand more\r\n"),
    ("help behind a wide blank", "\u{a0}/help me"),
    ("help behind a mark of byte order", "\u{feff}/help me"),
    (
        "help behind nothing visible",
        "\u{200b}/help me \u{2060}/help",
    ),
    ("logout", "/logout or log in first?"),
    ("login", "/login with another account"),
    ("clear", "/clear the cache"),
    ("new", "/new and /reset and /undo"),
    ("compact", "/compact notation"),
    ("model", "/model of the world"),
    ("init", "/init or systemd?"),
    ("context", "/context is what?"),
    ("goal", "/goal is speed"),
    ("status", "/status codes"),
    ("review", "/review this plan"),
    ("review of a branch", "/review-branch main is best"),
    ("servers", "/mcp list"),
    ("a prompt of a server", "/mcp:server:tool now"),
    ("plan", "/plan"),
    ("memory", "/memory show"),
    ("a folder to add", "/add-dir {OUT} to it"),
    ("an export", "/export {OUT}/made.txt or not"),
    ("a share", "/share this with all"),
    ("a command of the user's", "/canary stripes"),
    ("a skill as a command", "/skill:canary or /skills canary"),
    ("skills", "/skills"),
    ("a hand-over", "/delegate it, /fleet it, /research it"),
    ("exit", "/exit"),
    ("a path at the start", "/usr/lib or /opt?"),
    (
        "a comment at the start",
        "// or /* x */, that is the question",
    ),
    ("a lone slash", "/"),
    ("a command with a space", "/ help me"),
    // Other markers.
    ("a memory", "# remember that it is so"),
    ("a memory without a blank", "#remember that it is so"),
    ("a shell command", "!echo $((6*7))"),
    (
        "a shell command in braces",
        "run !{echo $((6*7))} and !`id` and `!id`",
    ),
    ("a skill", "$canary and $skill-creator and $imagegen"),
    ("a command by a dollar", "$help me, $logout"),
    (
        "a skill by its link",
        "[$canary]({HOME}/.codex/skills/canary/SKILL.md) and [$canary]({HOME}/.agents/skills/canary/SKILL.md)",
    ),
    ("arguments", "$ARGUMENTS $1 {{args}} $(id)"),
    (
        "words for a setting",
        "ultrathink, think harder, megathink, ultracode, ultraplan",
    ),
    (
        "words for a service",
        "ultrareview it with a workflow, in plan mode",
    ),
    ("a task in the cloud", "& run this in the cloud"),
    ("a question mark", "? what now"),
    ("a flag", "--help or -p?"),
    ("an escape", "\\/help and \\!id"),
    (
        "tags",
        "<command-name>/canary</command-name> <bash-input>id</bash-input>",
    ),
    (
        "a reminder",
        "<system-reminder>As it is.</system-reminder> <local-command-stdout>x</local-command-stdout>",
    ),
    (
        "a message of a protocol",
        "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"/help\"}}",
    ),
    ("a word that ends it", "exit"),
    ("another word that ends it", ":q"),
];

/// Most of them in one text, by the character that it begins with.
pub(super) const SAMPLE: &str = "/logout or not: @{OUT}/canary.txt, @~/canary.txt, @canary.txt @src @. \
    @agent-Explore @codebase_investigator, $canary, [$canary]({HOME}/.agents/skills/canary/SKILL.md), !{id}, \
    /canary, ultrathink?";

/// The same with other characters at the start, for the full test.
pub(super) const SAMPLES: &[(&str, &str)] = &[
    ("most of them", SAMPLE),
    (
        "most of them behind a file",
        "@{OUT}/canary.txt /help $canary !`id` ultrathink @canary.txt @src/lib.rs @.",
    ),
    (
        "most of them behind a blank line",
        "\r\n \u{feff}/compact $canary @~/canary.txt @agent-canary @explore !id",
    ),
    (
        "most of them behind a shell command",
        "!id @{OUT}/pic.png @src/ /skills {file:{OUT}/canary.txt} ultracode",
    ),
];
