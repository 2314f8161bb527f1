//! Classes of actions, in the words of people and of commands.

/// A class of actions.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) name: &'static str,
    /// How words for it begin; with `$` the whole word.
    pub(super) stems: &'static [&'static str],
    /// A command that does it.
    pub(super) pattern: &'static str,
    /// Whether it can be forbidden without an object.
    pub(super) is_whole: bool,
}

impl Class {
    /// Whether it is the action itself that is forbidden, whatever it is done to.
    pub(super) fn is_plain(&self) -> bool {
        PLAIN.contains(&self.name)
    }
}

const PLAIN: &[&str] = &[
    "send", "format", "network", "download", "hooks", "sudo", "pr", "branch", "create", "scale",
    "stash", "write", "force", "rebase",
];

const fn class(
    name: &'static str,
    is_whole: bool,
    stems: &'static [&'static str],
    pattern: &'static str,
) -> Class {
    Class {
        name,
        stems,
        pattern,
        is_whole,
    }
}

pub(super) static CLASSES: &[Class] = &[
    class("push", true, &["push", "push", "pouss", "empuj", "推送", "推$", "hochlad", "subas$", "subir$", "enviar$"], r"^git\s+(?:-[cC]\s+\S+\s+)*push(?:\s|$)"),
    class("force", true, &["force-push", "force-with", "forcepush", "--force", "强推", "强制推送", "force$", "forcé", "forz", "forç"], r"^git\s+(?:-[cC]\s+\S+\s+)*push(?:\s|$).*(?:\s-f\b|--force|\s\+\w)"),
    class("commit", true, &["commit", "committ", "提交", "commite", "commet"], r"^git\s+(?:-[cC]\s+\S+\s+)*commit(?:\s|$)"),
    class("merge", true, &["merg", "fusion", "mergear", "合并", "zusammenführ", "mesclar", "unire"], r"^(?:git\s+(?:-[cC]\s+\S+\s+)*merge(?:\s|$)|gh pr merge|glab mr merge)"),
    class("rebase", true, &["rebas", "变基"], r"^git\s+(?:-[cC]\s+\S+\s+)*rebase(?:\s|$)"),
    class("tag", true, &["tag$", "tags$", "tagg", "etiquet", "打标签", "标签"], r"^git\s+(?:-[cC]\s+\S+\s+)*tag\s+(?:-a\s|-s\s|-m\s)?[^-\s]"),
    class("publish", true, &["publi", "veröffentlich", "releas", "发布", "发版", "pubblic"], r"\b(?:npm|pnpm|yarn|bun|cargo|poetry|uv|flutter|dart|mvn|lerna)\b.*\s(?:publish|deploy)\b|^twine upload|^gem push|^(?:docker|podman) push|^gh release create|^(?:make|just|npm run|yarn) \S*(?:publish|release)|^python\S* -m twine"),
    class("deploy", true, &["deploy", "despleg", "desplieg", "déplo", "deplo", "ausroll", "ausliefer", "部署", "上线", "rollout", "implant"], r"^\S*deploy\S*|^(?:bash|sh|zsh|python3?|node|ruby|php|make|just|task|npm|yarn|pnpm|bun|fly|flyctl|firebase|netlify|wrangler|cdk|sls|serverless|gcloud|eas|mvn|gradle\w*|\./gradlew|composer|invoke|rake|bundle|mix|cap|npx)\b.*deploy|^helm\b.*(?:upgrade|install)|^kubectl\b.*(?:apply|set image|rollout restart)|^vercel\b|^netlify\b.*deploy|^cap \S+ deploy|^terraform\b.*apply|^ansible-playbook"),
    class("apply", true, &["apply", "appliqu", "aplic", "aplique", "anwend", "应用", "applic"], r"^(?:terraform|tofu|terragrunt|kubectl|pulumi|helmfile|kustomize|make|just)\b.*\s(?:apply|up$|sync)"),
    class("migrate", true, &["migr", "迁移"], r"\bmigrate\b|db:migrate|alembic upgrade|database update|flyway|liquibase update|dbmate up|goose\b.*\bup\b|sqlx migrate run|diesel migration run"),
    class("format", true, &["format", "formatier", "reformat", "prettier", "formate", "格式化", "black$", "gofmt", "rustfmt", "fmt$", "autoformat", "umformatier"], r"\bprettier\b.*(?:--write|\s-w\b)|(?:^|\s)black\s|ruff format|cargo fmt|gofmt\b.*-w|goimports\b.*-w|^rustfmt|eslint\b.*--fix|php-cs-fixer|phpcbf|rubocop\b.*\s-[aA]\b|clang-format\b.*\s-i\b|dart format|mix format|terraform\b.*\bfmt\b|(?:npm|yarn|pnpm|bun) (?:run )?(?:format|fmt|lint:fix|prettier)|^(?:make|just) \S*(?:fmt|format)|biome\b.*--write|spotlessApply|ktlint\b.*-F|isort\s"),
    class("send", true, &["upload", "send$", "sending", "sent$", "leave$", "leaves$", "leaving", "hochlad", "schick", "verschick", "versend", "sende", "envoy", "envoi", "téléverse", "envi", "subir", "subas", "carica", "invia", "上传", "发送", "外传", "share$", "sharing", "paste$", "verlässt", "verlassen", "raus$", "sale$", "salga", "saia$", "sort$", "sorte$", "quitte", "esca$", "mail$", "mails$", "email", "mailen"], r"^curl\b.*\s(?:-\w*[FTd]\b|--data\S*|--form|--upload-file|-X\s*(?:POST|PUT))|^scp\s.*:|^rsync\s.*\w:|^(?:aws s3|gsutil|rclone|s3cmd|mc|az storage)\b.*\s(?:cp|sync|copy|put|mv|upload\S*)\b|gh gist create|^wget\b.*--post|^(?:sftp|nc|ncat|transfer|sendmail|mail|mailx|mutt|swaks)\s|^gh (?:issue|pr) comment|--send\b|--live\b"),
    class("network", true, &["request", "anfrage", "requête", "peticion", "richiest", "requisiç", "请求", "network", "internet", "netz$", "netzwerk", "réseau", "online", "网络", "联网", "outside", "external"], r"^(?:curl|wget|pip3? install|npm i\b|npm install|git clone|git fetch|git pull|scp|ssh)\b"),
    class("download", true, &["download", "herunterlad", "télécharg", "descarg", "scaric", "baix", "下载"], r"^(?:wget\s|curl\s.*\s-\w*[oO]\b|curl\s.*--output|aria2c|git clone|huggingface-cli download|aws s3 cp s3:)|\bdownload\b"),
    class("sudo", true, &["sudo", "root$", "admin"], r"^sudo\s"),
    class("place", true, &["nada$", "niente$", "touch", "tocar", "toca", "toque", "toques", "run$", "run", "rod", "execut", "ejecut", "lanz", "lanc", "esegu", "against", "contra", "contre", "contro", "gegen", "anfass", "finger$", "laufen", "ausführ", "hands", "执行", "运行", "跑", "碰", "动"], r"."),
    class("stash", true, &["stash"], r"^git\b.*\sstash\b"),
    class("upgrade", true, &["upgrad", "aktualisier", "actualiz", "actualis", "aggiorn", "atualiz", "升级", "bump"], r"\b(?:npm|pnpm|yarn|bun)\b.*\s(?:update|upgrade|up)\b|npm audit fix|^(?:apt|apt-get|brew|dnf|yum|choco)\b.*\b(?:upgrade|full-upgrade|dist-upgrade)\b|pip3? install\b.*(?:-U\b|--upgrade)|cargo (?:update|upgrade)|bundle update|composer update|go get -u|poetry (?:update|lock)|ncu -u|\b(?:npm|pnpm|yarn)\b.*(?:install|add|i)\s.*@(?:latest|next|\d)"),
    class("create", true, &["neue$", "neuen$", "new$", "nuevos$", "nouveaux$", "nouveau$", "nuovi$", "novos$", "新文件", "新建"], r"^touch\s|\bcp\s+\S+\s+\S+$"),
    class("write", true, &["writ", "schreib", "écri", "escrib", "scriv", "escrev", "写", "insert", "update", "select"], r"(?i)\bupdate \w+ set\b|\binsert into\b|\bdelete from\b|\balter table\b|\btruncate\s+\w|\bdrop (?:table|schema|database)\b"),
    class("branch", true, &["branch$", "branches$", "branche$", "rama$", "分支"], r"^git\b.*\s(?:checkout\s+-[bB]|switch\s+-[cC]|branch\s+[A-Za-z])"),
    class("hooks", true, &["hook", "no-verify", "--no-verify", "bypass", "umgeh", "contourn", "钩子"], r"--no-verify|^git\b.*commit\b.*\s-\w*n\b|HUSKY=0|SKIP=|core.hooksPath"),
    class("pr", true, &["pr$", "prs$", "pull$", "mr$", "ticket", "issue", "合并请求"], r"^(?:gh|glab) (?:pr|mr|issue) create"),
    class("scale", true, &["scal", "skalier", "escal", "扩容", "缩容"], r"\bscale\b|--replicas"),
    class("rename", false, &["renam", "mov", "umbenenn", "verschieb", "renomm", "déplac", "renombr", "muev", "rinomin", "spost", "重命名", "改名", "移动"], r"(?:^|\s)mv\s"),
    class("read", false, &["read$", "reading$", "open", "cat$", "print", "show", "look", "lies$", "lesen$", "öffn", "anseh", "anschau", "lis$", "lire$", "ouvr", "affich", "leas$", "leer$", "abr", "muestr", "mostr", "legg", "apr", "leia$", "读", "打开", "查看", "看"], r"^(?:cat|head|tail|less|more|bat|grep|rg|sed|awk|cp|source|\.|strings|xxd|jq|scp)\s"),
    class("delete", false, &["delet", "remov", "rm$", "eras", "wip", "purg", "prun", "drop", "destroy", "clean", "lösch", "entfern", "wegwerf", "weglösch", "supprim", "effac", "borr", "elimin", "apag", "exclu", "delet", "remova", "cancell", "rimuov", "删", "清空", "清理", "移除", "truncat", "leer$", "leeren", "weggeworfen", "vacia", "vide$", "vider$", "svuot", "detru", "détru"], r"(?:^|\s)(?:rm|rmdir|unlink|shred|trash)\s|\s-delete\b|-exec rm|^git\b.*\s(?:rm|clean)\b|^git\b.*\bbranch\b.*\s(?:-[dD]|--delete)\b|^git\b.*push\b.*(?:--delete|\s-d\b|\s:\w)|\bvolume (?:rm|prune)|\bdown\b.*(?:\s-v\b|--volumes)|\b(?:system|image|container|volume) prune|^kubectl\b.*\bdelete\b|^(?:aws s3|gsutil|rclone|mc) (?:rm|rb|delete|purge)|(?i:drop (?:table|database|schema|index|column|view)|delete from|truncate\s|flushall|flushdb)|^dropdb|^terraform\b.*destroy|\bdestroy\b|db:(?:drop|reset|wipe)|migrate:(?:fresh|reset)|--force-reset"),
    class("restart", false, &["restart", "reboot", "reload", "bounce", "neu$", "neustart", "neugestart", "redémarr", "relanc", "reinici", "riavvi", "重启", "herstart", "opnieuw", "recreat"], r"\b(?:restart|reboot|recreate)\b|--force-recreate"),
    class("stop", false, &["stop", "kill", "abschieß", "beend", "stopp", "arrêt", "tue$", "tuer", "mat", "par", "deten", "ferm", "uccid", "杀", "停", "terminat", "shut", "interrupt"], r"^(?:kill|pkill|killall)\b|\b(?:stop|down|kill)\b"),
    class("change", false, &["touch", "chang", "edit", "modif", "alter", "anfass", "änder", "veränder", "ander", "bearbeit", "fass", "rühr", "touche", "toques", "tocar", "toque", "toca", "mod", "cambi", "mexa", "mexe", "mexer", "mudar", "altere", "改", "动", "碰", "overwrit", "überschreib"], r"(?:^|\s)(?:sed|perl)\b.*\s-\S*i|(?:^|\s)tee\s|\s>>?\s|(?i:\bupdate \w+ set|alter table|insert into|delete from|truncate\s|drop table)|^(?:rm|mv)\s|^git\b.*\s(?:rm|mv)\b"),
];

/// Words for the places an order may be limited to, and how commands name them.
pub(super) const ENVIRONMENTS: &[(&str, &str)] = &[
    ("prod", "prod"), ("production", "prod"), ("produktion", "prod"), ("produktiv", "prod"), ("producción", "prod"), ("produção", "prod"), ("produzione", "prod"), ("生产", "prod"), ("生产环境", "prod"), ("线上", "prod"),
    ("staging", "stag"), ("stage", "stag"), ("dev", "dev"), ("main", "main"), ("master", "master"), ("develop", "develop"), ("remote", "origin"), ("sandbox", "sandbox"),
];

/// Kinds of things, and what they look like in a command.
pub(super) const KINDS: &[(&[&str], &str)] = &[
    (&["volum", "volúm", "卷", "数据卷"], r"volume (?:rm|prune)|\s-v\b|--volumes"),
    (&["branch", "zweig", "branche", "rama$", "ramo$", "分支"], r"branch\b.*\s(?:-[dD]|--delete)|push\b.*(?:--delete|\s-d\b|\s:\w)"),
    (&["table", "tabelle", "tabla", "tabel", "表"], r"(?i)drop table|truncate|delete from|alter table|db:(?:drop|reset)"),
    (&["databas", "datenbank", "base$", "datos", "db$", "数据库", "daten$", "data$", "données"], r"(?i)dropdb|drop (?:database|schema|table)|truncate|delete from|db:(?:drop|reset)|migrate:fresh|--force-reset|volumes\b|down\b.*\s-v\b"),
    (&["migration", "migracion", "migrazion", "migraç"], r"migrations?/"),
    (&["cluster", "infrastru"], r"destroy|delete"),
];

/// Words that forbid beside the negations of the lists.
pub(super) const MARKERS: &[&str] = &[
    "forbidden", "prohibited", "verboten", "untersagt", "tabu", "interdit", "interdite", "prohibido", "prohibida", "proibido", "proibida", "vietato", "nothing", "nichts", "nix", "kein", "keine", "keinen", "keinem", "rien", "nada", "niente", "nessun", "nessuna", "nessuno", "ningún", "ninguna", "ningun", "nenhum", "nenhuma", "aucun", "aucune", "sin", "sans", "ohne", "sem", "senza", "nicht", "niet", "geen", "jamais", "nunca", "mai", "não", "non", "no", "ne", "n'", "禁止", "别", "不要", "不许", "不准", "勿", "avoid", "evita", "away", "évite", "evite",
];

/// Words that make an order narrower than its class, or no order.
pub(super) const NARROWING: &[&str] = &[
    "forget", "vergiss", "oublie", "olvides", "dimenticare", "esqueça", "忘", "hesitate", "need", "needs", "necessary", "required", "nötig", "brauchst", "besoin", "necesario", "preciso", "only", "just", "nur", "seul", "solo", "só", "apenas", "只", "why", "warum", "pourquoi", "problem", "worry", "matter", "unless", "except", "außer", "sauf", "salvo", "until", "bis", "before", "without", "without", "if", "wenn", "falls", "si", "se", "sonst", "otherwise", "than", "longer", "more", "mehr", "plus", "más", "mais", "else", "idea", "longer", "auto", "yet", "blind", "directly", "always", "anymore", "still", "can't", "cannot", "when", "while", "other",
];

/// Somebody of whom a sentence says that they do not do it.
pub(super) const SUBJECTS: &[&str] = &[
    "people", "users", "customers", "everyone", "contributors", "man", "leute", "nutzer", "gens", "gente", "utilisateurs", "usuarios", "utenti", "usuários",
    "it", "he", "she", "they", "we", "i", "es", "er", "ich", "wir", "il", "elle", "ils", "on", "nous", "je", "él", "ella", "ellos", "yo", "nosotros", "ele", "ela", "eu", "io", "我", "他", "她", "它", "我们", "who", "which", "someone", "nobody", "doesn't", "didn't", "isn't", "wasn't", "hasn't", "won't",
];
/// Words by which somebody wants it so.
pub(super) const WANTING: &[&str] = &[
    "want", "will", "möchte", "veux", "veut", "voudrais", "quiero", "quero", "voglio", "queremos", "vogliamo", "wollen", "voulons", "want", "darfst", "sollst", "soll", "sollen", "may", "must", "should", "muss", "dürfen", "darf", "doit", "debe", "deve", "不想", "想",
];

/// Words that say how something is to be left, and the class that would change it.
pub(super) const LEFT: &[(&str, &str)] = &[
    ("uncommitted", "commit"), ("unstaged", "commit"), ("unpushed", "push"), ("unmerged", "merge"), ("uncommittet", "commit"), ("ungepusht", "push"), ("unpublished", "publish"), ("offline", "network"), ("airgapped", "network"),
];
/// Words that stand for a place named before.
pub(super) const THERE: &[&str] = &["there", "dort", "da", "là", "allí", "ahí", "lì", "lá", "那里", "it", "that"];

/// Words that name no object.
pub(super) const GENERIC: &[&str] = &[
    "packages", "package", "dependencies", "pakete", "paquetes", "paquets", "pacchetti", "pacotes", "gets", "get", "anywhere", "anybody", "anyone", "release", "release",
    "api", "provider", "provider's", "server", "service", "force", "hands", "off", "whatever", "happens", "itself", "alone", "leave", "away", "keep", "passiert", "finger", "weg",
    "please", "bitte", "please", "por", "favor", "per", "favore", "s'il", "te", "plaît", "stp", "svp", "you", "your", "du", "dir", "mir", "mich", "tu", "vous", "usted", "você", "anything", "nothing", "something", "any", "all", "any", "the", "and", "ever", "never", "nunca", "jamais", "surtout", "really", "wirklich", "absolutely", "under", "circumstances", "strictly", "want", "für", "der", "die", "das", "den", "dem", "les", "des", "una", "uno", "los", "las", "que", "del", "con", "pas", "file", "files", "datei", "dateien", "fichier", "fichiers", "archivos", "archivo", "arquivo", "arquivos", "file", "lass", "lassen", "mach", "machen", "machst", "tun", "doing", "make", "making", "lance", "lancer", "faire", "fais", "hagas", "hacer", "haz", "faça", "fazer", "fare", "run", "running", "drüber", "laufen", "automatisch", "automatically", "today", "heute", "hoy", "oggi", "hoje", "aujourd'hui", "now", "jetzt", "everything", "code", "changes", "änderungen", "work", "git", "origin", "remote", "machine", "here", "hier", "dort", "there", "this", "that", "those", "these", "them", "crees", "crear", "crée", "create", "creating", "anlegen", "add", "adding", "ok", "okay", "yourself", "selbst", "selber", "toi-même", "tú", "irgendwas", "irgendetwas", "etwas", "nada", "algo", "rien", "niente", "nichts", "auch", "also", "too", "aussi", "también", "anche", "myself", "want", "möchte", "will", "soll", "sollst", "darfst", "must", "should", "into", "with", "from", "von", "vom", "auf", "nach", "zum", "zur", "for", "für", "pour", "para",
];
