//! `agon schema`: prints the JSON Schemas of published documents.

use agon_caller::documents::SchemaLine;

use crate::args::{Global, SchemaArgs};
use crate::error::{Code, Exit, Failure};
use crate::output::{Out, align_columns};
use crate::pager;
use crate::schema;
use crate::surroundings::Surroundings;

/// Lists the documents, or prints the schema of one.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &SchemaArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    pager::begin(edge, global, out);
    match &args.name {
        Some(name) => {
            let text = serde_json::to_string_pretty(&schema::find_schema(name)?)
                .map_err(|cause| Failure::from_error(Code::Json, &cause))?;
            out.write_line(&text)?;
        }
        None if global.json => out.write_json(&schema::all())?,
        None => {
            let row = |line: &SchemaLine| [line.name, line.id, line.about].map(str::to_owned);
            let rows: Vec<_> = schema::all().documents.iter().map(row).collect();
            out.write_stdout(&align_columns(&rows, edge.table_width))?;
            out.eprint_line("\nto print one: agon schema NAME");
        }
    }
    Ok(Exit::Done)
}
