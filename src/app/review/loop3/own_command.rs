//! A reviewer of one's own: any command that prints SARIF. It costs no quota and may run beside others: whose it is, and what
//! it may use, only its owner knows.

use super::{Account, CHECK, Loop3Request, cleaned, places};
use crate::app::review::outside_tool::{OutsideTool, ToolLimits, ToolSecrets, end};
use crate::app::review::progress::{ProgressEvent, ProgressListener};
use crate::pure::review::loop3::sarif;
use crate::pure::review::sanitize;
use serde_json::json;
use std::time::Duration;

const DAY: u64 = 24 * 60 * 60;
const OUTPUT: usize = 32 * 1024 * 1024;
const NAME: usize = 120;

pub(crate) fn review(request: &Loop3Request<'_>, watch: &dyn ProgressListener) -> Account {
    let change = request.change;
    let settings = &change.settings.loop3;
    let mut tool =
        OutsideTool::new(request.workspace.project.clone(), &request.environment, ToolSecrets::Given);
    if let Some(base) = &change.base.commit {
        tool = tool.with_variable("PLIMSOLL_BASE", base.as_str());
    }
    let timeout = Duration::from_secs(settings.timeout.min(DAY));
    let limits = ToolLimits { silence: timeout, overall: timeout, bytes: OUTPUT };
    let heard = tool.listen(&settings.command, limits, || watch.see(ProgressEvent::Slow { check: CHECK }));
    let opinion = sarif(&heard.output, &end(&heard.how), &places(request));
    let command = tool.without_secrets(&settings.command.join(" "));
    let reviewer = sanitize(&command, NAME);
    let too_long = format!("{reviewer} printed more than {OUTPUT} bytes");
    let unreviewed = if heard.too_long { Some(too_long) } else { opinion.ending.reason(&reviewer) };
    Account {
        command: Some(command),
        unreviewed: unreviewed.map(|reason| tool.without_secrets(&reason)),
        findings: cleaned(&tool, &opinion),
        read: change.pairs.iter().map(|pair| pair.path.clone()).collect(),
        said: tool.end_of_errors(&heard),
        facts: [("findings".to_string(), json!(opinion.findings.len()))].into(),
        reviewer: Some(reviewer),
        not_read: Vec::new(),
    }
}
