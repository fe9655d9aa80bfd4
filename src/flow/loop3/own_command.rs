//! A reviewer of one's own: any command that prints SARIF. It costs no quota and may run beside others: whose it is, and what
//! it may use, only its owner knows.

use super::{Account, CHECK, Request, cleaned, places};
use crate::flow::outside_tool::{Limits, OutsideTool, Secrets, end};
use crate::flow::watch::{Event, Watch};
use crate::review::loop3::sarif;
use crate::review::tamed;
use serde_json::json;
use std::time::Duration;

const DAY: u64 = 24 * 60 * 60;
const OUTPUT: usize = 32 * 1024 * 1024;
const NAME: usize = 120;

pub(super) fn review(request: &Request<'_>, watch: &dyn Watch) -> Account {
    let change = request.change;
    let settings = &change.settings.loop3;
    let mut tool = OutsideTool::new(request.scene.project.clone(), &request.environment, Secrets::Given);
    if let Some(base) = &change.base.commit {
        tool = tool.with_variable("PLIMSOLL_BASE", base.as_str());
    }
    let timeout = Duration::from_secs(settings.timeout.min(DAY));
    let limits = Limits { silence: timeout, overall: timeout, bytes: OUTPUT };
    let heard = tool.listen(&settings.command, limits, || watch.see(Event::Slow { check: CHECK }));
    let opinion = sarif(&heard.output, &end(&heard.how), &places(request));
    let command = tool.shown(&settings.command.join(" "));
    let reviewer = tamed(&command, NAME);
    let too_long = format!("{reviewer} printed more than {OUTPUT} bytes");
    let unreviewed = if heard.too_long { Some(too_long) } else { opinion.ending.reason(&reviewer) };
    Account {
        command: Some(command),
        unreviewed: unreviewed.map(|reason| tool.shown(&reason)),
        findings: cleaned(&tool, &opinion),
        read: change.pairs.iter().map(|pair| pair.path.clone()).collect(),
        said: tool.said(&heard),
        facts: [("findings".to_string(), json!(opinion.findings.len()))].into(),
        reviewer: Some(reviewer),
        not_read: Vec::new(),
    }
}
