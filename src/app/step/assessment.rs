//! One action, looked at until nothing is left to ask: for the hook, and for everybody who wants to know what it would say.

use super::action_report::ActionReport;
use crate::app::failure::Failure;
use crate::app::gate::forecast;
use crate::app::workspace::Workspace;
use crate::edge::config::StepPolicy;
use crate::edge::file::archive_names::hidden_names;
use crate::edge::file::real_paths::RealPaths;
use crate::edge::repo::{Git, Head, Losses, Repo, alias, read_text};
use crate::edge::run::deadline;
use crate::pure::client::Tool;
use crate::pure::client::ToolCall;
use crate::pure::shell::Reading;
use crate::pure::step::{
    Action, Addressed, Decision, Effect, FoundEffect, Known, Mode, Place, Question, StepContext,
    StepDecision, StepHistory, Survey, Timing, decide, firm_finding, needs_session, scored, survey,
};
use serde_json::value::RawValue;

/// A script that is longer is looked at as far as this.
const SCRIPT_LIMIT: u64 = 64 * 1024;
/// Aliases may lead to scripts and scripts to aliases; after this many rounds it is opaque.
const ROUNDS: usize = 4;

/// An action with everything that is known about it.
pub(crate) struct AssessedCall<'a> {
    pub action: Action<'a>,
    pub survey: Survey,
    pub place: Place,
    pub known: Known,
    /// Something besides the text decided.
    pub asked: bool,
}

/// Facts besides the action that a decision depends on: settings, and the session so far.
#[derive(Debug)]
pub(crate) struct ReviewConditions {
    pub policy: StepPolicy,
    pub history: StepHistory,
    /// The person's last request.
    pub goal: Option<String>,
    /// The type of the agent; `None` for the main one.
    pub agent: Option<String>,
    pub timing: Timing,
}

impl ReviewConditions {
    /// A session that was asked nothing and did nothing yet.
    pub fn new(policy: StepPolicy, agent: Option<String>) -> Self {
        Self { policy, history: StepHistory::default(), goal: None, agent, timing: Timing::Before }
    }
}

pub(crate) fn assess<'a>(
    workspace: &Workspace,
    cwd: &str,
    tool: &'a Tool,
    raw_input: &'a str,
) -> Result<AssessedCall<'a>, Failure> {
    let mut place = workspace.place(cwd);
    let mut known = Known::default();
    let mut world = World { workspace, losses: None, real_paths: RealPaths::default() };
    let mut action = Action::read_by(tool, raw_input, Reading::Quick);
    let mut looked = look(&mut action, &place, &known);
    let asked = !looked.questions.is_empty();
    let mut unanswered = None;
    for _ in 0..ROUNDS {
        if looked.questions.is_empty() {
            break;
        }
        let mut more_to_read = !action.is_shell();
        for question in std::mem::take(&mut looked.questions) {
            match world.answer(&mut place, &mut known, question) {
                Ok(more) => more_to_read |= more,
                Err(failure) => unanswered = unanswered.or(Some(failure)),
            }
        }
        if !more_to_read || unanswered.is_some() {
            break;
        }
        looked = look(&mut action, &place, &known);
    }
    // Where the call is refused whatever the answer would be, the missing answer is no error.
    if let Some(failure) = unanswered.filter(|_| firm_finding(&looked, &place, &known).is_none()) {
        return Err(failure);
    }
    if !looked.questions.is_empty() {
        let why = "it leads through too many aliases and scripts".into();
        let effect = Effect::Opaque { why };
        looked.found.push(FoundEffect {
            effect,
            span: 0..raw_input.len(),
            privileged: false,
            typed: true,
            inside: None,
        });
    }
    // A way around the gate counts where the push goes from, whatever repository the session began in.
    if known.gate.values().any(|word| word.gated) {
        known.gated = Some(true);
    }
    Ok(AssessedCall { action, survey: looked, place, known, asked })
}

/// The effects of the action. The parser runs only where the quick reader gives up: it may take long.
fn look(action: &mut Action<'_>, place: &Place, known: &Known) -> Survey {
    let looked = survey(action, place, known);
    if !looked.unread || action.is_read_thoroughly() {
        return looked;
    }
    deadline::start();
    action.read_thoroughly();
    survey(action, place, known)
}

impl<'a> AssessedCall<'a> {
    /// An action whose effects are known already.
    pub fn of(workspace: &Workspace, cwd: &str, action: Action<'a>, survey: Survey) -> Self {
        Self { action, survey, place: workspace.place(cwd), known: Known::default(), asked: false }
    }
    /// Whether history and goal can change the decision, so that they are worth reading.
    pub fn needs_session(&self, circumstances: &ReviewConditions) -> bool {
        needs_session(&self.survey, &self.review(circumstances))
    }

    /// The safer form of a command is judged like the command. If a rule matches it, it becomes advice instead of a rewrite.
    pub fn decide(
        &self,
        workspace: &Workspace,
        circumstances: &ReviewConditions,
        mode: Mode,
    ) -> Result<StepDecision, Failure> {
        let decision = decide(&self.action, &self.survey, &self.review(circumstances), mode);
        if decision.decision != Decision::Rewrite {
            return Ok(decision);
        }
        let instead = decision.findings.first().and_then(|finding| finding.instead.clone());
        let passes = instead.map(|input| self.passes(workspace, circumstances, input)).transpose()?;
        Ok(if passes == Some(true) { decision } else { decision.without_rewrite() })
    }

    /// By the rules, without a look at a safer spelling.
    pub fn decide_alone(&self, circumstances: &ReviewConditions) -> StepDecision {
        decide(&self.action, &self.survey, &self.review(circumstances), Mode::Enforce)
    }

    fn passes(
        &self,
        workspace: &Workspace,
        circumstances: &ReviewConditions,
        input: String,
    ) -> Result<bool, Failure> {
        let raw = RawValue::from_string(input)?;
        let call = ToolCall { tool: self.action.tool_name().to_owned(), input: &raw, id: String::new() };
        let Some(tool) = Tool::parse(&call) else { return Ok(false) };
        let weighed = assess(workspace, self.place.cwd.as_str(), &tool, raw.get())?;
        let review = weighed.review(circumstances);
        Ok(decide(&weighed.action, &weighed.survey, &review, Mode::Enforce).decision <= Decision::Warn)
    }

    /// The report for the audit log. An action too small to be assessed before it runs is scored without the session, which
    /// lowers its confidence.
    pub fn report(&self, circumstances: &ReviewConditions, decision: &StepDecision) -> ActionReport {
        let scores = scored(&self.action, &self.survey, &self.review(circumstances), decision);
        let summary = self.action.summary(&self.survey, decision.nature, &self.place);
        ActionReport { subject: self.action.subject(), summary, scores }
    }

    fn review<'r>(&'r self, circumstances: &'r ReviewConditions) -> StepContext<'r> {
        StepContext {
            place: &self.place,
            known: &self.known,
            policy: &circumstances.policy.settings,
            custom: &circumstances.policy.rules,
            history: &circumstances.history,
            goal: circumstances.goal.as_deref(),
            agent: circumstances.agent.as_deref(),
            timing: circumstances.timing,
        }
    }
}

/// Where answers come from, with what was seen there already.
struct World<'s> {
    workspace: &'s Workspace,
    /// Made when it is first asked: the settings have to be read for it.
    losses: Option<Losses>,
    real_paths: RealPaths,
}

impl World<'_> {
    /// Finds it out. True if there is more to read now: a text that the action would run.
    fn answer(&mut self, place: &mut Place, known: &mut Known, question: Question) -> Result<bool, Failure> {
        let workspace = self.workspace;
        match question {
            Question::Script(path) => {
                let text = read_text(&path, SCRIPT_LIMIT);
                let found = text.is_some();
                known.scripts.insert(path.into_string(), text);
                return Ok(found);
            }
            Question::Git(path) => {
                let is_git = crate::edge::git::is_git(&path, &workspace.project);
                known.git_programs.insert(path.into_string(), is_git);
                return Ok(true);
            }
            Question::Archive(path) => {
                let names = hidden_names(&path);
                let found = !names.is_empty();
                known.archives.insert(path.into_string(), names);
                return Ok(found);
            }
            Question::Receives(path) => {
                let real = self.real_paths.of(&path);
                let arrives = workspace.receives_pushes(&real)?;
                known.receives.insert(path.into_string(), arrives);
                return Ok(arrives);
            }
            Question::Alias(repository, name) => {
                let text = match &repository {
                    Addressed::Directory(directory) => match Repo::discover(directory) {
                        Ok(Some(repo)) => alias(&Git::open(repo), &name)?,
                        Ok(None) | Err(_) => None,
                    },
                    Addressed::Unknown => None,
                };
                let found = text.is_some();
                known.aliases.insert((repository, name), text);
                return Ok(found);
            }
            Question::Real(path) => {
                let real = self.real_paths.of(&path);
                if known.real.is_empty() {
                    workspace.protect_elsewhere(&mut place.protected);
                }
                workspace.protect_around(&real, &mut place.protected);
                let gate = place.protected.depends_on_gate(&real) || place.protected.depends_on_gate(&path);
                // A link that leads out of the project may lead to a remote of it.
                let leads_out = path.starts_with(&place.project) && !real.starts_with(&place.project);
                known.real.insert(path.into_string(), real);
                if leads_out {
                    self.answer(place, known, Question::Gated)?;
                    return Ok(true);
                }
                if gate && known.gated.is_none() {
                    return self.answer(place, known, Question::Gated);
                }
            }
            Question::Loss(losing) => {
                let losses = self.losses.get_or_insert_with(|| {
                    Losses::new(&workspace.project, crate::app::checkpoints::copies_before_changes(workspace))
                });
                let loss = losses.of(&losing);
                known.losses.insert(losing, loss);
            }
            Question::Head(repository) => {
                let head = match &repository {
                    Addressed::Directory(directory) => {
                        Repo::discover(directory).ok().flatten().map(|repo| repo.head())
                    }
                    Addressed::Unknown => None,
                };
                let branch = match head {
                    Some(Head::Branch(name)) => Some(name),
                    Some(Head::Detached(_) | Head::Unknown) | None => None,
                };
                known.heads.insert(repository, branch);
            }
            Question::Gated => {
                // An enrolment that cannot be read is none that is missing.
                let bound = |workspace: &Workspace| !matches!(workspace.enrolment(), Ok(None));
                let gated =
                    bound(workspace) || workspace.of_directory(&place.cwd)?.as_ref().is_some_and(bound);
                known.gated = Some(gated);
                // More is asked about in an enrolled repository.
                return Ok(gated);
            }
            Question::Gate(what) => {
                let word = forecast::word(workspace, &what)?;
                known.gate.insert(what, word);
            }
        }
        Ok(false)
    }
}
