//! The same requests and documents for programs: JSON below `/api`.
//!
//! [`OPERATIONS`](operations::OPERATIONS) is the only list of operations. The router, the checks of
//! their bodies and the OpenAPI document are made from it.

mod body;
mod openapi;
mod operations;

use std::sync::Arc;

use agon_caller::{Caller, Code, Failure};
use axum::Router;
use axum::extract::{RawPathParams, Request, State};
use axum::routing::{MethodFilter, get, on};
use serde_json::Value;

use crate::fields::Fields;
use crate::reply::{self, ErrorForm, Reply};
use crate::sent::Sent;
use crate::site::Site;
use crate::work;
use operations::{OPERATIONS, OperationCall};

pub(crate) use operations::Operation;

/// Returns the routes of the operations that `is_wanted` accepts, and of the document that describes
/// all of them.
pub(crate) fn router(is_wanted: fn(&Operation) -> bool) -> Router<Arc<Site>> {
    let described = Router::new().route("/api/openapi.json", get(describe));
    let operations = OPERATIONS.iter().filter(|operation| is_wanted(operation));
    operations.fold(described, |router, operation| {
        let method = match operation.body {
            Some(_) => MethodFilter::POST,
            None => MethodFilter::GET,
        };
        let handler =
            move |State(site): State<Arc<Site>>, names: RawPathParams, request: Request| {
                answer(site, operation, names, request)
            };
        router.route(operation.path, on(method, handler))
    })
}

async fn describe(State(site): State<Arc<Site>>) -> Reply {
    reply::json(&openapi::document(&site.gate.origin()))
}

async fn answer(
    site: Arc<Site>,
    operation: &'static Operation,
    names: RawPathParams,
    request: Request,
) -> Reply {
    let name = names.iter().find(|(name, _)| *name == "name");
    let name = name.map(|(_, value)| value.to_owned()).unwrap_or_default();
    let query = Fields::of_query(request.uri());
    let sent = Sent::of(&request);
    let done = work::run(&site, async move |caller| {
        let body = match operation.body {
            Some(_) => parse_body(&sent.body)?,
            None => Value::Null,
        };
        let caller = &Caller {
            // A write by a program cannot read outside the project.
            is_relayed: operation.body.is_some(),
            ..caller.clone()
        };
        let asked = OperationCall {
            caller,
            name,
            query,
            body,
        };
        (operation.run)(asked).await
    });
    match done.await {
        Ok(document) => reply::json_for(&site, document),
        Err(failure) => reply::failure(&site, &failure, ErrorForm::Document),
    }
}

/// Parses a body; an empty one counts as an empty object.
fn parse_body(bytes: &[u8]) -> Result<Value, Failure> {
    if bytes.trim_ascii().is_empty() {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    serde_json::from_slice(bytes).map_err(|error| {
        let message = format!("the body is not JSON: {error}");
        Failure::new(Code::InvalidParameter, message).parameter("body")
    })
}
