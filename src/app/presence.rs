//! Who is there: whether the client started this hook, and whether a person sits at the terminal.

use super::failure::Failure;
use crate::edge::clock;
use crate::edge::config::{Environment, Error, HookInvocation};
use crate::edge::run::ancestry;
use crate::edge::state::{Clients, Homes, random_token};
use crate::pure::client::{AgentTrace, Process, agent_trace, client_trace};

const CONSONANTS: &str = "bdfgklmnprstvz";
const VOWELS: &str = "aeiou";
const CHILD: &str = "this process was started by a coding agent";
const ORPHAN: &str = "a coding agent is running, and this terminal is not older than it: use a terminal that was open before, or \
    end the agent's session first";
const UNKNOWN: &str = "the processes that started this one cannot be read";

/// An error unless a person can be asked here: at a terminal, and with no client among the processes that led here.
pub fn person() -> Result<(), Failure> {
    HookInvocation::read().person()?;
    no_agent()
}

/// An error if an agent started this process, with a terminal or without.
pub fn no_agent() -> Result<(), Failure> {
    if HookInvocation::read().under_agent {
        return Err(Error::NoPerson(CHILD).into());
    }
    let running = running(&Clients::of(&homes()?))?;
    match agent_trace(&ancestry::chain(), &running) {
        None => Ok(()),
        Some(AgentTrace::Ancestor) => Err(Error::NoPerson(CHILD).into()),
        Some(AgentTrace::Orphan) => Err(Error::NoPerson(ORPHAN).into()),
        Some(AgentTrace::Unreadable) => Err(Error::NoPerson(UNKNOWN).into()),
    }
}

/// A word that only somebody who sees the terminal can type.
pub fn word() -> std::io::Result<String> {
    Ok(random_token()?.bytes().zip([CONSONANTS, VOWELS].iter().cycle()).take(6).filter_map(letter).collect())
}

fn letter((byte, letters): (u8, &&str)) -> Option<char> {
    letters.chars().cycle().nth(usize::from(byte))
}

/// Why this hook is not to answer: something else than the client started it. Nothing in an event proves where it comes from, so
/// the processes are looked at. While no client is known to run, anybody may start a hook.
pub(crate) fn stranger() -> Result<Option<&'static str>, Failure> {
    // Without a home no key can be reached either. The hook says so itself.
    let Ok(homes) = homes() else { return Ok(None) };
    let clients = Clients::of(&homes);
    if !clients.exist() {
        return Ok(None);
    }
    let parent = ancestry::parent_id();
    let is_fed = ancestry::parent_writes_stdin();
    if is_fed && ancestry::start_time(parent).is_some_and(|started| clients.has(parent, started)) {
        return Ok(None);
    }
    let running = running(&clients)?;
    if running.is_empty() {
        return Ok(None);
    }
    if !is_fed {
        return Ok(Some("it was not started by the client"));
    }
    let chain = ancestry::chain_from(parent);
    let is_client =
        chain.first().is_some_and(|parent| running.iter().any(|client| client.program == parent.program));
    let trace = client_trace(&chain, &running).filter(|_| !is_client);
    Ok(trace.map(|_| "it was started by a program of the agent"))
}

/// From now on the parent of this hook is known as a client. Records of those that have ended are removed.
pub(crate) fn record_client(homes: &Homes) -> Result<(), Failure> {
    if !ancestry::parent_writes_stdin() {
        return Ok(());
    }
    let clients = Clients::of(homes);
    clients.prune(&running(&clients)?)?;
    match ancestry::process(ancestry::parent_id()) {
        Some(client) => Ok(clients.record(&client)?),
        None => Ok(()),
    }
}

fn running(clients: &Clients) -> Result<Vec<Process>, Failure> {
    Ok(clients.running(ancestry::start_time, &ancestry::namespace(), clock::milliseconds())?)
}

fn homes() -> Result<Homes, Failure> {
    Ok(Homes::new(&Environment::read_data_home()?))
}
