//! The OpenAPI document, assembled from the schemas of the documents and bodies.

use std::collections::BTreeSet;

use agon_record::document::Document;
use serde_json::{Map, Value, json};

use super::operations::{OPERATIONS, Operation};

/// Where the definitions of a schema of its own are.
const OWN: &str = "#/$defs/";

/// Returns the OpenAPI 3.1 document of a server at `origin`.
pub(super) fn document(origin: &str) -> Value {
    let mut schemas = Map::new();
    let mut paths: Map<String, Value> = Map::new();
    let needed = OPERATIONS.iter().flat_map(|operation| operation.replies);
    let needed: BTreeSet<&str> = needed.copied().chain(["error"]).collect();
    for document in documents().filter(|document| needed.contains(document.name)) {
        add_schema(&mut schemas, document.name, document.schema());
    }
    for operation in OPERATIONS {
        let method = match operation.body {
            Some(_) => "post",
            None => "get",
        };
        let described = describe(operation, &mut schemas);
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[method] = described;
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Agon",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Starts, steers and reads debates between AI tools. `GET /debates/NAME/events` streams the events of a debate as server-sent events, with the line of its journal as the id. The reply to a `POST` has the field `notes` if there is something to know.",
        },
        "servers": [{ "url": origin }],
        "security": [{ "key": [] }],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The key in the address that `agon web` prints.",
                },
            },
        },
    })
}

fn documents() -> impl Iterator<Item = &'static Document> {
    let lists = [
        agon_debates::documents::DOCUMENTS,
        agon_verdict::documents::DOCUMENTS,
        agon_seats::documents::DOCUMENTS,
        agon_caller::documents::DOCUMENTS,
    ];
    lists.into_iter().flatten()
}

fn describe(operation: &Operation, schemas: &mut Map<String, Value>) -> Value {
    let refer = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let reply = match operation.replies {
        [only] => refer(only),
        several => json!({ "anyOf": several.iter().map(|name| refer(name)).collect::<Vec<_>>() }),
    };
    let error = json!({
        "description": "What went wrong, and what to do about it",
        "content": { "application/json": { "schema": refer("error") } },
    });
    let refused = json!({ "description": "The request lacks the key, or comes from another site" });
    let mut parameters = Vec::new();
    if operation.path.contains("{name}") {
        parameters.push(json!({
            "name": "name", "in": "path", "required": true,
            "description": "The name of the debate",
            "schema": { "type": "string", "minLength": 1 },
        }));
    }
    for parameter in operation.parameters {
        parameters.push(json!({
            "name": parameter.name, "in": "query", "required": parameter.is_needed,
            "description": parameter.about, "schema": { "type": "string" },
        }));
    }
    let mut described = json!({
        "operationId": operation.id,
        "summary": operation.about,
        "parameters": parameters,
        "responses": {
            "200": {
                "description": "Done",
                "content": { "application/json": { "schema": reply } },
            },
            "400": error, "404": error, "409": error, "422": error,
            "401": refused, "403": refused, "413": refused,
        },
    });
    if let Some(body) = operation.body {
        let name = format!("{}.body", operation.id);
        add_schema(schemas, &name, body().to_value());
        described["requestBody"] = json!({
            "required": true,
            "content": { "application/json": { "schema": refer(&name) } },
        });
    }
    described
}

/// Adds a schema and its definitions, which get names of their own: OpenAPI has one place for all.
fn add_schema(schemas: &mut Map<String, Value>, name: &str, mut schema: Value) {
    if let Some(fields) = schema.as_object_mut() {
        // An id would be a new base for the references.
        fields.remove("$id");
        fields.remove("$schema");
        if let Some(Value::Object(definitions)) = fields.remove("$defs") {
            for (inner, mut definition) in definitions {
                move_references(&mut definition, name);
                schemas.insert(format!("{name}.{inner}"), definition);
            }
        }
    }
    move_references(&mut schema, name);
    schemas.insert(name.to_owned(), schema);
}

/// Lets the references to definitions of the schema `name` lead to where they are now.
fn move_references(value: &mut Value, name: &str) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(|one| move_references(one, name)),
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(to) if key == "$ref" => {
                        if let Some(inner) = to.strip_prefix(OWN) {
                            *to = format!("#/components/schemas/{name}.{inner}");
                        } else if to == "#" {
                            *to = format!("#/components/schemas/{name}");
                        }
                    }
                    value => move_references(value, name),
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Array(all) => all.iter().for_each(|one| references(one, found)),
            Value::Object(fields) => {
                for (key, value) in fields {
                    match value.as_str().filter(|_| key == "$ref") {
                        Some(to) => found.push(to.to_owned()),
                        None => references(value, found),
                    }
                }
            }
            _ => {}
        }
    }

    #[test]
    fn every_reference_leads_to_a_schema_and_every_reply_is_a_document() {
        let document = document("http://127.0.0.1:1");
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(found.len() > 40);
        for to in found {
            let name = to.strip_prefix("#/components/schemas/").unwrap();
            assert!(
                document["components"]["schemas"].get(name).is_some(),
                "{to}"
            );
        }
        for operation in OPERATIONS {
            for reply in operation.replies {
                assert!(
                    documents().any(|document| document.name == *reply),
                    "{reply}"
                );
            }
        }
        let names: BTreeSet<_> = OPERATIONS.iter().map(|operation| operation.id).collect();
        assert_eq!(names.len(), OPERATIONS.len());
    }
}
