//! What the columns of a table mean.

use agon_debates::request::{PastedText, StartRequest};
use agon_record::spec::Effort;

/// A column that sets a field of each request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The field.
    pub field: Field,
    /// The name of the column.
    pub name: String,
}

macro_rules! fields {
    ($($field:ident = $name:literal,)*) => {
        /// A field of a request that a column can set.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Field {
            $(#[doc = concat!("`", $name, "`.")] $field,)*
        }

        impl Field {
            /// The names of all fields.
            pub const NAMES: &[&str] = &[$($name,)*];

            fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$field),)*
                    _ => None,
                }
            }
        }
    };
}

fields! {
    Id = "id",
    Tag = "tag",
    Topic = "topic",
    Context = "context",
    Text = "text",
    Proposer = "proposer",
    Challenger = "challenger",
    Judge = "judge",
    ModelProposer = "model-proposer",
    ModelChallenger = "model-challenger",
    ModelJudge = "model-judge",
    Effort = "effort",
    Rounds = "rounds",
}

impl Column {
    /// Parses `FIELD=COLUMN`, such as `proposer=first model`.
    ///
    /// # Errors
    ///
    /// If it has another form or the field is unknown.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (field, name) = text
            .split_once('=')
            .ok_or("write FIELD=COLUMN, such as judge=grader")?;
        let field = Field::from_name(field.trim())
            .ok_or_else(|| format!("the fields are {}", Field::NAMES.join(", ")))?;
        let name = name.trim().to_owned();
        Ok(Self { field, name })
    }
}

/// What a row's columns set.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Set {
    pub(crate) id: String,
    pub(crate) tags: Vec<String>,
}

/// Sets a field of `request` to `text`. An empty text leaves the field as it is.
pub(crate) fn set(
    field: Field,
    text: &str,
    request: &mut StartRequest,
    set: &mut Set,
) -> Result<(), String> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(());
    }
    let owned = || text.to_owned();
    let list = || {
        let names = text
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty());
        names.map(str::to_owned).collect()
    };
    let [proposer, challenger] = &mut request.seats.sides;
    match field {
        Field::Id => set.id = owned(),
        Field::Tag => set.tags.push(owned()),
        Field::Topic => request.topic = owned(),
        Field::Context => request.context = Some(owned()),
        Field::Text => {
            let name = match request.pasted.len() {
                0 => "text.txt".to_owned(),
                others => format!("text-{}.txt", others + 1),
            };
            let text = owned();
            request.pasted.push(PastedText { name, text });
        }
        Field::Proposer => proposer.tool = Some(owned()),
        Field::Challenger => challenger.tool = Some(owned()),
        Field::Judge => request.seats.judges.tools = list(),
        Field::ModelProposer => proposer.model = Some(owned()),
        Field::ModelChallenger => challenger.model = Some(owned()),
        Field::ModelJudge => request.seats.judges.models = list(),
        Field::Effort => {
            let effort = serde_json::from_value::<Effort>(text.into());
            request.seats.effort = Some(effort.map_err(|error| error.to_string())?);
        }
        Field::Rounds => {
            let rounds = text
                .parse()
                .map_err(|_| format!("`{text}` is not a number"));
            request.rounds = Some(rounds?);
        }
    }
    Ok(())
}
