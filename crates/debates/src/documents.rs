//! The documents of debates, besides those of a debate itself.

use agon_record::document::Document;
use agon_record::documents;

use crate::ask::consult;
use crate::past::{recall, remove, search, stale, usage};
use crate::read::{check, evidence, replay, rules, section};
use crate::report::{self, page};
use crate::seat::init;
use crate::standing::{heard, list, outcome, watch};
use crate::steer;

/// What is printed and read here.
pub const DOCUMENTS: &[Document] = documents! {
    "list" list::List = list::LIST_SCHEMA, "the debates here, with how they stand: agon list";
    "heard" heard::HeardDoc = heard::HEARD_SCHEMA,
        "how a debate stands, and what was said in it since: the tool debate_wait of agon mcp";
    "consult" consult::ConsultDoc = consult::SCHEMA, "what one tool answered: agon consult";
    "consultations" consult::ConsultationsDoc = consult::SCHEMA_OF_SEVERAL,
        "what several tools answered: agon consult";
    "event" watch::EventDoc = watch::EVENT_SCHEMA,
        "what happened in a debate, a line each: agon watch --json";
    "replay" replay::ReplayDoc = replay::REPLAY_SCHEMA,
        "what is otherwise than it was recorded: agon replay";
    "init" init::InitDoc = init::SCHEMA,
        "which tools are here, and who is set to sit where: agon init";
    "ordered" steer::OrderDoc = "agon.ordered/1",
        "what an order to a debate comes to: agon judge, agon continue";
    "said" steer::SaidDoc = "agon.said/1", "what was said into a debate: agon say";
    "stopped" steer::StopDoc = "agon.stopped/1", "whether a debate stopped: agon stop";
    "plan" outcome::PlanDoc<'static> = "agon.plan/1",
        "what a debate would be: agon debate --dry-run";
    "section" section::SectionDoc<'static> = "agon.section/1",
        "a section of a debate: agon show --section transcript";
    "point" section::PointDoc<'static> = "agon.point/1",
        "one point of a debate: agon show DEBATE POINT";
    "check" check::CheckDoc = "agon.check/1", "what is wrong with a debate: agon check";
    "evidence" evidence::EvidenceDoc<'static> = "agon.evidence/1",
        "what a debate cites: agon evidence";
    "report" report::ReportDoc = "agon.report/1", "the files of a report: agon report";
    "page" page::PageDoc = "agon.page/1", "where a debate's page is: agon open";
    "removed" remove::RemovedDoc = "agon.removed/1", "the debates that were removed: agon rm";
    "search" search::SearchDoc = "agon.search/1",
        "the debates in which words stand: agon list --search WORDS";
    "recall" recall::Recall = "agon.recall/1", "what was decided near a topic: agon recall";
    "stale" stale::StaleDoc = stale::STALE_SCHEMA,
        "which decisions rest on places that have changed: agon check --stale";
    "usage" usage::Usage = "agon.usage/1", "what debates have cost: agon usage";
    "rules" rules::RulesDoc = "agon.rules/1", "the rules: agon rules";
    "rule" rules::RuleDoc = "agon.rule/1", "one rule, explained: agon rules explain CODE";
};
