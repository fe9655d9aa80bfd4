//! The one text that is dangerous as a shape: a function that starts itself twice.

/// Whether the text defines a function that pipes into or backgrounds itself, and calls it.
pub fn is_fork_bomb(text: &str) -> bool {
    if !text.contains("()") || !text.contains('&') {
        return false;
    }
    let dense: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let dense = String::from_utf8_lossy(&dense);
    let mut from = 0;
    while let Some(at) = dense.get(from..).and_then(|rest| rest.find("(){")).map(|at| at + from) {
        let before = dense.get(..at).unwrap_or_default();
        let name_start = before.rfind([';', '&', '|', '{', '}', '(']).map_or(0, |separator| separator + 1);
        let name = before.get(name_start..).unwrap_or_default().trim_start_matches("function");
        let after = dense.get(at + 3..).unwrap_or_default();
        let body = after.split('}').next().unwrap_or_default();
        if !name.is_empty() && body.contains('&') && body.contains(name) {
            let twice = [format!("{name}|{name}&"), format!("{name}&{name}&"), format!("{name}|{name}|")];
            if twice.iter().any(|pattern| format!("{body}|").contains(pattern)) {
                return true;
            }
        }
        from = at + 3;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_starts_itself_twice_is_a_fork_bomb() {
        for bomb in [":(){ :|:& };:", "bomb() { bomb | bomb & }; bomb", ":(){:|:&};:", "f(){ f & f & }; f"] {
            assert!(is_fork_bomb(bomb), "{bomb}");
        }
    }

    #[test]
    fn an_ordinary_function_is_not() {
        for honest in [
            "build() { make; }; build &",
            "f() { g | h & }; f",
            "echo '(){' &",
            "retry() { retry_once && wait; }",
        ] {
            assert!(!is_fork_bomb(honest), "{honest}");
        }
    }
}
