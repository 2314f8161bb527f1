//! The documents of debates, besides those of a debate itself.

use agon_record::document::Document;

use crate::ask::consult;
use crate::past::{recall, remove, search, stale, usage};
use crate::read::{check, evidence, replay, rules, section};
use crate::report::{self, page};
use crate::seat::init;
use crate::standing::{heard, list, outcome, watch};
use crate::steer;

/// What is printed and read here.
pub const DOCUMENTS: &[Document] = &[
    Document::with_output_schema::<list::List>(
        "list",
        list::LIST_SCHEMA,
        "the debates here, with how they stand: agon list",
    ),
    Document::with_output_schema::<heard::HeardDoc>(
        "heard",
        heard::HEARD_SCHEMA,
        "how a debate stands, and what was said in it since: the tool debate_wait of agon mcp",
    ),
    Document::with_output_schema::<consult::ConsultDoc>(
        "consult",
        consult::SCHEMA,
        "what one tool answered: agon consult",
    ),
    Document::with_output_schema::<consult::ConsultationsDoc>(
        "consultations",
        consult::SCHEMA_OF_SEVERAL,
        "what several tools answered: agon consult",
    ),
    Document::with_output_schema::<watch::EventDoc>(
        "event",
        watch::EVENT_SCHEMA,
        "what happened in a debate, a line each: agon watch --json",
    ),
    Document::with_output_schema::<replay::ReplayDoc>(
        "replay",
        replay::REPLAY_SCHEMA,
        "what is otherwise than it was recorded: agon replay",
    ),
    Document::with_output_schema::<init::InitDoc>(
        "init",
        init::SCHEMA,
        "which tools are here, and who is set to sit where: agon init",
    ),
    Document::with_output_schema::<steer::OrderDoc>(
        "ordered",
        "agon.ordered/1",
        "what an order to a debate comes to: agon judge, agon continue",
    ),
    Document::with_output_schema::<steer::SaidDoc>(
        "said",
        "agon.said/1",
        "what was said into a debate: agon say",
    ),
    Document::with_output_schema::<steer::StopDoc>(
        "stopped",
        "agon.stopped/1",
        "whether a debate stopped: agon stop",
    ),
    Document::with_output_schema::<outcome::PlanDoc<'static>>(
        "plan",
        "agon.plan/1",
        "what a debate would be: agon debate --dry-run",
    ),
    Document::with_output_schema::<section::SectionDoc<'static>>(
        "section",
        "agon.section/1",
        "a section of a debate: agon show --section transcript",
    ),
    Document::with_output_schema::<section::PointDoc<'static>>(
        "point",
        "agon.point/1",
        "one point of a debate: agon show DEBATE POINT",
    ),
    Document::with_output_schema::<check::CheckDoc>(
        "check",
        "agon.check/1",
        "what is wrong with a debate: agon check",
    ),
    Document::with_output_schema::<evidence::EvidenceDoc<'static>>(
        "evidence",
        "agon.evidence/1",
        "what a debate cites: agon evidence",
    ),
    Document::with_output_schema::<report::ReportDoc>(
        "report",
        "agon.report/1",
        "the files of a report: agon report",
    ),
    Document::with_output_schema::<page::PageDoc>(
        "page",
        "agon.page/1",
        "where a debate's page is: agon open",
    ),
    Document::with_output_schema::<remove::RemovedDoc>(
        "removed",
        "agon.removed/1",
        "the debates that were removed: agon rm",
    ),
    Document::with_output_schema::<search::SearchDoc>(
        "search",
        "agon.search/1",
        "the debates in which words stand: agon list --search WORDS",
    ),
    Document::with_output_schema::<recall::Recall>(
        "recall",
        "agon.recall/1",
        "what was decided near a topic: agon recall",
    ),
    Document::with_output_schema::<stale::StaleDoc>(
        "stale",
        stale::STALE_SCHEMA,
        "which decisions rest on places that have changed: agon check --stale",
    ),
    Document::with_output_schema::<usage::Usage>(
        "usage",
        "agon.usage/1",
        "what debates have cost: agon usage",
    ),
    Document::with_output_schema::<rules::RulesDoc>(
        "rules",
        "agon.rules/1",
        "the rules: agon rules",
    ),
    Document::with_output_schema::<rules::RuleDoc>(
        "rule",
        "agon.rule/1",
        "one rule, explained: agon rules explain CODE",
    ),
];
