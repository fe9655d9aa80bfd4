//! Why a hook or a command could not do its job.

/// Any error, on its way to the one place that tells of it.
pub type Failure = Box<dyn std::error::Error>;

/// The error with its causes, in one line.
pub fn chain(failure: &dyn std::error::Error) -> String {
    let mut text = failure.to_string();
    let mut cause = failure.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// The command needs a repository.
#[derive(Debug, thiserror::Error)]
#[error("there is no git repository here")]
pub struct NoRepository;

/// Something that the rules do not allow, as opposed to something that could not be done.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);
