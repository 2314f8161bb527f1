//! The addresses of the server, and the checks before each request.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Method};
use axum::routing::{get, post};
use tokio::time::timeout;
use tower_service::Service as _;

use crate::api::{self, Operation};
use crate::fields::Fields;
use crate::gate::{Access, Admitted, Refusal};
use crate::newcomers::Newcomer;
use crate::page;
use crate::reply::{self, Reply};
use crate::sent::{Sent, error_form};
use crate::site::Site;

// The largest body is a person's answer, which has at most 256 KiB. Encoding a form triples some
// characters.
/// Maximum size of a body, in bytes.
const MAX_BODY_BYTES: usize = 512 * 1024;
/// How long a body may take to arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(20);
// Stopping a debate waits up to a minute for its tools.
/// How long a request may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(90);

/// The routers of a server, one for each access.
struct Doors {
    site: Arc<Site>,
    full: Router,
    watching: Router,
}

/// Returns the router of a server. `mounted` has addresses of the front end, for full access only.
pub(crate) fn router(site: Arc<Site>, mounted: Router) -> Router {
    let watching = Arc::new(site.watching());
    let doors = Doors {
        full: full(Arc::clone(&site), mounted),
        watching: complete(shared(Operation::is_shared), watching),
        site,
    };
    Router::new().fallback(guard).with_state(Arc::new(doors))
}

/// Returns the addresses that people have who may only watch: the debates and the team.
fn shared(is_wanted: fn(&Operation) -> bool) -> Router<Arc<Site>> {
    Router::new()
        .route("/", get(page::debates::show))
        .route("/recall", get(page::recall::show))
        .route("/usage", get(page::usage::show))
        .route("/team", get(page::team::show))
        .route("/team.md", get(page::team::show))
        .route("/team.json", get(page::team::show))
        .route("/team/tasks/{id}", get(page::team::task))
        .route("/team/mail/{thread}", get(page::team::mail))
        .route("/debates/{name}", get(page::debate::show))
        .route("/debates/{name}/events", get(page::events::show))
        .route("/debates/{name}/parts", get(page::debate::parts))
        .merge(api::router(is_wanted))
}

/// Returns all addresses.
fn full(site: Arc<Site>, mounted: Router) -> Router {
    let router = shared(|_| true)
        .route("/tools", get(page::tools::show))
        .route("/settings", get(page::settings::show))
        .route("/sessions", get(page::sessions::show))
        .route("/sessions.md", get(page::sessions::show))
        .route("/sessions.json", get(page::sessions::show))
        .route("/sessions/{host}/{id}", get(page::sessions::one))
        .route("/new", get(page::new::show).post(page::new::submit))
        .route(
            "/debates/{name}/answer/{seat}",
            get(page::debate::answer::show).post(page::debate::answer::submit),
        )
        .route("/debates/{name}/{action}", post(page::debate::actions::act));
    complete(router, site).merge(mounted)
}

fn complete(router: Router<Arc<Site>>, site: Arc<Site>) -> Router {
    router
        .fallback(not_found)
        .method_not_allowed_fallback(not_found)
        .with_state(site)
}

async fn not_found(State(site): State<Arc<Site>>, request: Request) -> Reply {
    reply::failure(&site, &reply::unknown_page(), error_form(&request))
}

/// Checks a request, reads its body, answers it, and protects the response.
async fn guard(State(doors): State<Arc<Doors>>, request: Request) -> Reply {
    let newcomer = request.extensions().get::<Arc<Newcomer>>().cloned();
    let admitted = admit(&doors.site, request).await;
    if let (Ok(_), Some(newcomer)) = (&admitted, newcomer) {
        newcomer.prove();
    }
    let reply = match admitted {
        Ok(Step::Continue(access, request)) => {
            let mut router = match access {
                Access::Full => doors.full.clone(),
                Access::Watching => doors.watching.clone(),
            };
            match timeout(REQUEST_TIMEOUT, router.call(request)).await {
                Ok(Ok(reply)) if access == Access::Watching => {
                    doors.site.private.mask_reply(reply).await
                }
                Ok(Ok(reply)) => reply,
                Ok(Err(never)) => match never {},
                Err(_) => reply::refusal(Refusal::Unfinished),
            }
        }
        Ok(Step::Reply(reply)) => reply,
        Err(refusal) => reply::refusal(refusal),
    };
    reply::protect(reply)
}

enum Step {
    Continue(Access, Request),
    Reply(Reply),
}

async fn admit(site: &Site, request: Request) -> Result<Step, Refusal> {
    let gate = &site.gate;
    let admitted = gate.admit(request.method(), request.uri(), request.headers())?;
    let access = match admitted {
        Admitted::Known(access) => access,
        Admitted::Arrived(access, location) => {
            let reply = reply::arrival(&location, &gate.set_cookie(access));
            return Ok(Step::Reply(reply));
        }
    };
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(Step::Continue(access, request));
    }
    let (mut parts, body) = request.into_parts();
    let body = timeout(BODY_TIMEOUT, to_bytes(body, MAX_BODY_BYTES)).await;
    let body = body.map_err(|_| Refusal::Slow)?;
    let body = body.map_err(|_| Refusal::Size)?;
    let fields = match is_form(&parts.headers) {
        true => Fields::parse(&body),
        false => Fields::default(),
    };
    gate.check_write(&parts.headers, &fields)?;
    let whole = Body::from(body.clone());
    parts.extensions.insert(Sent { fields, body });
    Ok(Step::Continue(access, Request::from_parts(parts, whole)))
}

fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded"))
}
