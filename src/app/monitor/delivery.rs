//! From issues to what is said and done: the controller chooses, this carries it out and takes it down.

use super::{ObservedCall, agent, emergency_stop, end_throttling, handler};
use crate::app::checkpoints::{self, Attempt, Checkpoint, CheckpointReason, RestoreOptions};
use crate::app::failure::{Failure, chain};
use crate::app::monitor::incidents::Stopped;
use crate::app::monitor::recovery;
use crate::app::step::pause::only_observed;
use crate::app::tasks;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::config::StepPolicy;
use crate::edge::state::{InterventionLine, InterventionsLog, MonitorState, read_orders, write_orders};
use crate::pure::client::{Answer, Input};
use crate::pure::monitor::interventions::{
    CheckpointSummary, IncidentPage, InterventionChoice, InterventionKind, OrderedRefusal, Orders,
    SessionLimits, Situation, Until, WantedIntervention, choice_from, choose, compose, handler,
    handler_input, reason_to_wait, restores_by_itself, tag, wanted,
};
use crate::pure::monitor::patterns::{CallResult, Issue, Refuse};
use crate::pure::step::Nature;
use std::cmp::Reverse;

pub(crate) struct InterventionDelivery<'a> {
    pub workspace: &'a Workspace,
    pub input: &'a Input<'a>,
    pub policy: &'a StepPolicy,
    /// The declared scope.
    pub expected: &'a [String],
    pub now: u64,
}

/// An issue that gets an intervention, and which.
struct Chosen<'a> {
    issue: &'a Issue,
    kind: InterventionKind,
    escalated: bool,
    /// In place of our own words.
    message: Option<String>,
    /// For the person.
    notice: Option<String>,
}

/// The actions of an intervention, for its message.
#[derive(Default)]
struct Done {
    checkpoint: Option<Checkpoint>,
    rolled_back: bool,
    incident: Option<IncidentPage>,
    notice: Option<String>,
}

impl Done {
    fn take_stop(&mut self, stopped: Result<Stopped, Failure>) {
        match stopped {
            Ok(stopped) => {
                let page = stopped.page.map(|page| page.to_string()).unwrap_or_default();
                self.incident = Some(IncidentPage { id: stopped.incident, page });
                self.tell(stopped.problems);
            }
            Err(failure) => {
                self.tell([format!("Plimsoll could not lock the project: {}", chain(failure.as_ref()))]);
            }
        }
    }

    fn tell(&mut self, more: impl IntoIterator<Item = String>) {
        let all: Vec<String> = self.notice.take().into_iter().chain(more).collect();
        self.notice = (!all.is_empty()).then(|| all.join("\n"));
    }
}

impl InterventionDelivery<'_> {
    /// The result of a step: orders for the next steps, and at most one intervention.
    pub fn respond(
        &self,
        standing: &mut MonitorState,
        issues: &[Issue],
        steps: &[ObservedCall<'_>],
    ) -> Result<Answer, Failure> {
        self.with_orders(|orders| {
            for step in steps {
                self.update_orders(orders, step);
            }
            let usage = standing.watch.usage(self.now);
            orders.reached = self.limits(orders).reached(&usage, &self.policy.interventions);
            self.act_on(standing, orders, issues)
        })
    }

    /// The agent wants to stop: what it is told keeps it going.
    pub fn at_the_end(&self, standing: &mut MonitorState, issues: &[Issue]) -> Result<Answer, Failure> {
        let answer = self.with_orders(|orders| self.act_on(standing, orders, issues))?;
        Ok(if answer.text().is_empty() { answer } else { Answer::block(answer.text()) })
    }

    fn act_on(
        &self,
        standing: &mut MonitorState,
        orders: &mut Orders,
        issues: &[Issue],
    ) -> Result<Answer, Failure> {
        match self.worst_issue(standing, orders, issues)? {
            Some(chosen) => self.intervene(standing, orders, issues, &chosen),
            None => Ok(Answer::silent()),
        }
    }

    /// Reads the session's orders, and writes them again if they changed.
    fn with_orders(
        &self,
        change: impl FnOnce(&mut Orders) -> Result<Answer, Failure>,
    ) -> Result<Answer, Failure> {
        let (layout, session) = (&self.workspace.layout, &self.input.session_id);
        let before = read_orders(layout, session)?.unwrap_or_default();
        let mut orders = before.clone();
        let answer = change(&mut orders)?;
        if orders != before {
            write_orders(layout, session, &orders)?;
        }
        Ok(answer)
    }

    /// Updates the orders after a step that ran: a change lifts refusals, a person's yes extends limits.
    fn update_orders(&self, orders: &mut Orders, step: &ObservedCall<'_>) {
        if matches!(step.ended, CallResult::Succeeded(_)) {
            if step.nature != Nature::Read {
                orders.lift_after_change(agent(self.input));
            }
            // Only what changes something is refused then, so that anything that works is the way out.
            let over = |one: &OrderedRefusal| one.what == Refuse::Changes && one.until == Until::Change;
            orders.refusals.retain(|one| !over(one) || one.agent != agent(self.input));
        }
        if step.approved {
            let so_far = self.limits(orders);
            for reached in orders.reached.clone() {
                orders.extend(&reached, so_far);
            }
        }
    }

    fn limits(&self, orders: &Orders) -> SessionLimits {
        let recovered = || recovery::limits(self.workspace);
        orders.limits.or_else(recovered).unwrap_or_else(|| super::limits(self.policy))
    }

    /// The worst issue that gets an intervention now.
    fn worst_issue<'i>(
        &self,
        standing: &mut MonitorState,
        orders: &Orders,
        issues: &'i [Issue],
    ) -> Result<Option<Chosen<'i>>, Failure> {
        let calls = standing.watch.usage(self.now).session.calls;
        for judged in standing.history.judge(issues, agent(self.input), calls) {
            self.log(&[InterventionLine::judged(self.now, agent(self.input), &judged)])?;
        }
        let mut by_severity: Vec<&Issue> = issues.iter().collect();
        by_severity.sort_by_key(|issue| Reverse(issue.severity));
        for issue in by_severity {
            if let Some(chosen) = self.choice(standing, orders, issue, calls) {
                return Ok(Some(chosen));
            }
        }
        Ok(None)
    }

    fn choice<'i>(
        &self,
        standing: &MonitorState,
        orders: &Orders,
        issue: &'i Issue,
        calls: u64,
    ) -> Option<Chosen<'i>> {
        let (policy, history) = (&self.policy.interventions, &standing.history);
        let (mut message, mut notice) = (None, None);
        let by_ourselves = || choose(issue, history, policy, self.now, calls);
        let choice = match (handler(policy), reason_to_wait(issue, history, policy, self.now, calls)) {
            (None, _) => by_ourselves(),
            (Some(_), Some(left)) => InterventionChoice::Leave(left),
            (Some(command), None) => {
                let suggested = Some(wanted(issue, history, policy, self.now).kind);
                let told = self.with_situation(standing, orders, &Done::default(), |situation| {
                    handler_input(issue, situation, history, suggested)
                });
                match handler::ask(self.workspace, command, &told) {
                    Ok(answer) => {
                        message = answer.message;
                        let wanted_kind = WantedIntervention { kind: answer.intervention?, escalated: false };
                        choice_from(wanted_kind, issue, history, policy)
                    }
                    Err(why) => {
                        notice = Some(format!("Plimsoll's intervention handler did not answer: {why}"));
                        by_ourselves()
                    }
                }
            }
        };
        match choice {
            InterventionChoice::Act { kind, escalated } => {
                Some(Chosen { issue, kind, escalated, message, notice })
            }
            InterventionChoice::Leave(_) => None,
        }
    }

    fn intervene(
        &self,
        standing: &mut MonitorState,
        orders: &mut Orders,
        issues: &[Issue],
        chosen: &Chosen<'_>,
    ) -> Result<Answer, Failure> {
        let Chosen { issue, kind, escalated, .. } = *chosen;
        let calls = standing.watch.usage(self.now).session.calls;
        let delivered = standing.history.record(issue, kind, escalated, agent(self.input), self.now, calls);
        let observed = only_observed(self.workspace, self.input.agent_type.as_deref());
        if let Some(refusal) = OrderedRefusal::of(kind, issue, agent(self.input), &delivered.id) {
            orders.refuse(OrderedRefusal { observed, ..refusal });
        }
        if observed {
            self.log(&[InterventionLine::would_have(self.now, agent(self.input), &delivered)])?;
            return Ok(Answer::silent());
        }
        if kind == InterventionKind::ResourceThrottling {
            let factors = &self.policy.interventions.resource_throttling.reduction_factors;
            orders.limits = Some(self.limits(orders).throttled(&issue.details.growth, factors));
        }
        let mut done = if kind >= InterventionKind::CheckpointRollback {
            self.roll_back(kind, issue)
        } else {
            Done::default()
        };
        if done.rolled_back {
            // Limits and usage are those of the checkpoint again; what happened stays known.
            end_throttling(orders, self.policy);
            orders.reached.retain(|reached| reached.per_session);
            standing.watch.reset_usage(self.now);
        }
        self.log(&InterventionLine::delivered(self.now, agent(self.input), &delivered))?;
        if kind == InterventionKind::EmergencyStop {
            let stopped = self.with_situation(standing, orders, &done, |situation| {
                emergency_stop::stop(self.workspace, self.input, self.now, standing, issues, issue, situation)
            });
            if stopped.is_err() {
                // Without a lock, the session at least is refused everything until a person decides.
                let reason =
                    format!("{}nothing changes before the user says how it goes on", tag(kind, issue));
                orders.refuse(OrderedRefusal {
                    agent: agent(self.input).to_owned(),
                    what: Refuse::Changes,
                    cause: issue.cause,
                    reason,
                    intervention: delivered.id.clone(),
                    until: Until::Prompt,
                    observed: false,
                });
            }
            done.take_stop(stopped);
            if let Err(failure) =
                tasks::block_of_session(self.workspace, &self.input.session_id, &issue.description)
            {
                done.tell([format!("Plimsoll could not block the task: {}", chain(failure.as_ref()))]);
            }
        }
        let words = self.with_situation(standing, orders, &done, |situation| {
            compose(kind, issue, situation, &self.policy.interventions, &self.policy.prompts)
        });
        let own = chosen.message.as_ref().map(|message| format!("{}{message}", tag(kind, issue)));
        let model = own.unwrap_or(words.model);
        let for_person = [words.person, done.notice, chosen.notice.clone()].into_iter().flatten();
        let notice = for_person.collect::<Vec<_>>().join("\n");
        let answer = Answer::context(&model);
        let answer = if notice.is_empty() { answer } else { answer.with_notice(notice) };
        Ok(if kind == InterventionKind::EmergencyStop { answer.with_halt(model) } else { answer })
    }

    /// Where the session stands, as messages and incidents tell it.
    fn with_situation<T>(
        &self,
        standing: &MonitorState,
        orders: &Orders,
        done: &Done,
        tell: impl FnOnce(&Situation<'_>) -> T,
    ) -> T {
        tell(&Situation {
            original_prompt: &standing.watch.goal,
            expected_paths: self.expected,
            forbidden_paths: &self.policy.settings.scope.forbidden_paths,
            plan: &standing.watch.plan(),
            usage: &standing.watch.usage(self.now),
            limits: &self.limits(orders),
            checkpoint: done.checkpoint.as_ref().map(checkpoint_summary),
            restore_command: done
                .checkpoint
                .as_ref()
                .map(|one| format!("plimsoll checkpoint restore {}", one.id)),
            rolled_back: done.rolled_back,
            incident: done.incident.clone(),
            recover: &self.workspace.command("recover"),
        })
    }

    /// A checkpoint of how things are now, and the last safe one from before the trouble, brought back if the settings say so.
    fn roll_back(&self, kind: InterventionKind, issue: &Issue) -> Done {
        let session = &self.input.session_id;
        let mut done = Done::default();
        let failed = |what: &str, failure: Failure| [format!("Plimsoll {what}: {}", chain(failure.as_ref()))];
        let why = CheckpointReason::Intervention(issue.description.clone());
        match checkpoints::take_within(self.workspace, session, why, checkpoints::budget(self.workspace)) {
            Ok(Attempt::Taken(_)) => {}
            Ok(Attempt::NotReady(how_far)) => {
                done.tell([format!("Plimsoll could not take a checkpoint: {how_far}")]);
                return done;
            }
            Err(failure) => {
                done.tell(failed("could not take a checkpoint", failure));
                return done;
            }
        }
        let settings = &self.policy.interventions.checkpoint_rollback;
        let (criteria, depth) = (&settings.safe_checkpoint_criteria, settings.max_rollback_depth);
        match checkpoints::last_safe(self.workspace, issue.began, &[], criteria, depth) {
            Ok(Some(safe)) => {
                if restores_by_itself(kind, &self.policy.interventions) {
                    match checkpoints::restore(
                        self.workspace,
                        Some(session),
                        &safe.id,
                        RestoreOptions::default(),
                    ) {
                        Ok(_) => done.rolled_back = true,
                        Err(failure) => done.tell(failed("could not roll back", failure)),
                    }
                }
                done.checkpoint = Some(safe);
            }
            Ok(None) => {}
            Err(failure) => done.tell(failed("could not look for a safe checkpoint", failure)),
        }
        done
    }

    fn log(&self, lines: &[InterventionLine]) -> Result<(), Failure> {
        Ok(InterventionsLog::append(&self.workspace.layout, &self.input.session_id, lines)?)
    }
}

fn checkpoint_summary(checkpoint: &Checkpoint) -> CheckpointSummary {
    CheckpointSummary {
        id: checkpoint.id.clone(),
        when: clock::moment(checkpoint.time),
        files: checkpoint.files as u64,
    }
}
