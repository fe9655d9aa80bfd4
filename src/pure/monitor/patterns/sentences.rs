//! The sentences of a message in which the agent speaks for itself.

/// The sentences of running text; code, tables, quotes and sections about what is still to come are left out.
pub(super) fn sentences(message: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut fenced = false;
    let mut planned = false;
    for line in message.lines() {
        let text = line.trim();
        if text.starts_with("```") || text.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        if let Some(heading) = heading(text) {
            planned = is_plan(heading);
        }
        let quoted = text.starts_with('>') || text.starts_with('|') || line.starts_with("    ");
        if fenced || planned || quoted || text.contains("[ ]") || is_plan_label(text) {
            continue;
        }
        let plain = unquoted(text);
        let mut sentence = String::new();
        let mut rest = plain.chars().peekable();
        while let Some(character) = rest.next() {
            let ends = matches!(character, '.' | '!' | '?' | ';')
                && rest.peek().is_none_or(|next| next.is_whitespace())
                && !sentence.ends_with(['.', '/']);
            sentence.push(character);
            if ends {
                found.push(std::mem::take(&mut sentence));
            }
        }
        found.push(sentence);
    }
    found.retain(|sentence| !sentence.trim().is_empty() && !sentence.trim_end().ends_with('?'));
    found
}

fn heading(text: &str) -> Option<&str> {
    let title = text.trim_start_matches('#');
    if title.len() < text.len() {
        return Some(title);
    }
    text.strip_prefix("**")?.strip_suffix("**").or_else(|| text.strip_prefix("**")?.strip_suffix(":**"))
}

fn is_plan(heading: &str) -> bool {
    const PLANS: [&str; 16] = [
        "plan", "next", "todo", "to do", "criteria", "steps", "how to", "instructions", "expected",
        "proposal", "remaining", "future", "commit message", "recommend", "suggest", "workflow",
    ];
    let lower = heading.to_lowercase();
    PLANS.iter().any(|word| lower.contains(word))
}

/// `Next: …`, `Expected: …`.
fn is_plan_label(text: &str) -> bool {
    let label = text
        .trim_start_matches(['-', '*', ' ', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.'])
        .split(':')
        .next()
        .unwrap_or_default();
    text.contains(':') && label.len() < 30 && is_plan(label)
}

/// Without what stands in double quotes, and without marks of emphasis and code.
fn unquoted(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut pieces = text.split('"');
    if let Some(first) = pieces.next() {
        plain.push_str(first);
    }
    let rest: Vec<&str> = pieces.collect();
    for (at, piece) in rest.iter().enumerate() {
        let inside = at % 2 == 0 && at + 1 < rest.len();
        plain.push(' ');
        if !inside {
            plain.push_str(piece);
        }
    }
    while let Some((before, rest)) = plain.split_once('“') {
        let after = rest.split_once('”').map_or("", |(_, after)| after);
        plain = format!("{before} {after}");
    }
    plain.retain(|c| !matches!(c, '*' | '`' | '_'));
    plain
}
