//! The input that one of our agents starts with.

use crate::app::failure::Failure;
use crate::pure::client::{AgentCall, Answer};
use serde_json::{json, value::RawValue};

/// Replaces the whole input: nothing that the caller wrote reaches the agent.
pub(crate) fn canonical(
    call: &AgentCall,
    description: &str,
    prompt: &str,
    model: Option<&str>,
) -> Result<Answer, Failure> {
    let mut input = json!({
        "description": description,
        "prompt": prompt,
        "subagent_type": call.subagent_type,
        "run_in_background": false,
    });
    if let (Some(model), Some(input)) = (model, input.as_object_mut()) {
        input.insert("model".into(), json!(model));
    }
    Ok(Answer::silent().with_input(RawValue::from_string(input.to_string())?))
}
