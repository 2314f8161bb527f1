//! The list of machine-readable documents that concern debates.

use agon_record::document::Document;
use agon_record::documents;

use crate::past::{recall, remove, search, stale, usage};
use crate::questions::consult;
use crate::read::{check, evidence, replay, rules, section};
use crate::report::{self, page};
use crate::seat::init;
use crate::status::{list, new_turns, outcome, watch};
use crate::steer;

/// Every document that this crate prints or reads.
pub const DOCUMENTS: &[Document] = documents! {
    "list" list::List = list::LIST_SCHEMA, "the debates in a folder and their status: agon list";
    "heard" new_turns::HeardDoc = new_turns::HEARD_SCHEMA,
        "the status of a debate and its new turns: the tool debate_wait of agon mcp";
    "consult" consult::ConsultDoc = consult::SCHEMA, "the answer of one tool: agon consult";
    "consultations" consult::ConsultationsDoc = consult::SCHEMA_OF_SEVERAL,
        "the answers of several tools: agon consult";
    "event" watch::EventDoc = watch::EVENT_SCHEMA,
        "the events of a debate, one per line: agon watch --json";
    "replay" replay::ReplayDoc = replay::REPLAY_SCHEMA,
        "the differences found by agon replay";
    "init" init::InitDoc = init::SCHEMA,
        "the installed tools and the configured seats: agon init";
    "decided" steer::DecideDoc = "agon.decided/1",
        "what became of a verdict: agon decide";
    "ordered" steer::OrderDoc = "agon.ordered/1",
        "the effect of an order to a debate: agon judge, agon continue";
    "said" steer::SaidDoc = "agon.said/1", "a note or command output added to a debate: agon say";
    "stopped" steer::StopDoc = "agon.stopped/1", "the result of stopping a debate: agon stop";
    "plan" outcome::PlanDoc<'static> = "agon.plan/1",
        "the plan of a debate: agon debate --dry-run";
    "section" section::SectionDoc<'static> = "agon.section/1",
        "a section of a debate: agon show --section transcript";
    "point" section::PointDoc<'static> = "agon.point/1",
        "one point of a debate: agon show DEBATE POINT";
    "check" check::CheckDoc = "agon.check/1", "the problems of a debate: agon check";
    "evidence" evidence::EvidenceDoc<'static> = "agon.evidence/1",
        "the citations of a debate: agon evidence";
    "report" report::ReportDoc = "agon.report/1", "the files of a report: agon report";
    "page" page::PageDoc = "agon.page/1", "the location of a debate's page: agon open";
    "removed" remove::RemovedDoc = "agon.removed/1", "the debates that were removed: agon rm";
    "search" search::SearchDoc = "agon.search/1",
        "the debates that contain all given words: agon list --search WORDS";
    "recall" recall::Recall = "agon.recall/1", "earlier decisions similar to a topic: agon recall";
    "stale" stale::StaleDoc = stale::STALE_SCHEMA,
        "the decisions whose cited sources have changed: agon check --stale";
    "usage" usage::Usage = "agon.usage/1", "the cost of debates: agon usage";
    "rules" rules::RulesDoc = "agon.rules/1", "the rules: agon rules";
    "rule" rules::RuleDoc = "agon.rule/1", "one rule, explained: agon rules explain CODE";
};
