//! Which of two values of a key is stricter, and what a project may therefore set by itself.

use super::kind::KeyKind;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// The direction in which a key gets stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stricter {
    True,
    False,
    Higher,
    Lower,
    Superset,
    Subset,
    /// As `Subset`, but the empty list means "anything" and is the laxest.
    Narrower,
    /// The words of the key's kind are ordered; the last is the strictest.
    LaterWord,
    /// Convenience or display: no value is laxer than another.
    Neutral,
    /// Names something that is run or obeyed as rules, or has no order: only after trust.
    AfterTrust,
    /// Decides where a project's file is found, so no project's file can set it.
    UserOnly,
}

/// Why a project's value is not in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LooserValue {
    Loosens,
    NeedsTrust,
    UserOnly,
}

impl fmt::Display for LooserValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loosens => "laxer than the value in force; needs `plimsoll config trust`",
            Self::NeedsTrust => "names something to run or obey; needs `plimsoll config trust`",
            Self::UserOnly => "only your own file can set this",
        })
    }
}

impl Stricter {
    /// The reason against replacing `current` by `proposed` in an untrusted project.
    pub fn refusal(self, kind: KeyKind, current: &Value, proposed: &Value) -> Option<LooserValue> {
        let tightens = match self {
            Self::True => proposed.as_bool() == Some(true),
            Self::False => proposed.as_bool() == Some(false),
            Self::Higher => pair(current, proposed, Value::as_f64).is_some_and(|(old, new)| new >= old),
            Self::Lower => pair(current, proposed, Value::as_f64).is_some_and(|(old, new)| new <= old),
            Self::Superset => contains(proposed, current),
            Self::Subset => contains(current, proposed),
            Self::Narrower => is_empty(current) || (!is_empty(proposed) && contains(current, proposed)),
            Self::LaterWord => {
                pair(current, proposed, |word| rank(kind, word)).is_some_and(|(old, new)| new >= old)
            }
            Self::Neutral => true,
            Self::AfterTrust => return Some(LooserValue::NeedsTrust),
            Self::UserOnly => return Some(LooserValue::UserOnly),
        };
        (!tightens).then_some(LooserValue::Loosens)
    }
}

fn pair<T>(current: &Value, proposed: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<(T, T)> {
    Some((read(current)?, read(proposed)?))
}

fn rank(kind: KeyKind, word: &Value) -> Option<usize> {
    let KeyKind::Word(words) = kind else { return None };
    words.iter().position(|candidate| word.as_str() == Some(candidate))
}

fn is_empty(list: &Value) -> bool {
    list.as_array().is_some_and(Vec::is_empty)
}

fn contains(larger: &Value, smaller: &Value) -> bool {
    match (larger.as_array(), smaller.as_array()) {
        (Some(larger), Some(smaller)) => smaller.iter().all(|item| larger.contains(item)),
        (Some(_), None) | (None, Some(_)) | (None, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_direction_lets_the_stricter_value_pass_and_stops_the_laxer() {
        let flag = KeyKind::Flag;
        let number = KeyKind::Fraction;
        let list = KeyKind::Texts;
        let words = KeyKind::Word(&["lax", "firm", "strict"]);
        let cases = [
            (Stricter::True, flag, json!(false), json!(true)),
            (Stricter::False, flag, json!(true), json!(false)),
            (Stricter::Higher, number, json!(0.4), json!(0.5)),
            (Stricter::Lower, number, json!(0.5), json!(0.4)),
            (Stricter::Superset, list, json!(["a"]), json!(["a", "b"])),
            (Stricter::Subset, list, json!(["a", "b"]), json!(["b"])),
            (Stricter::Narrower, list, json!(["a", "b"]), json!(["a"])),
            (Stricter::Narrower, list, json!([]), json!(["a"])),
            (Stricter::LaterWord, words, json!("lax"), json!("firm")),
            (Stricter::LaterWord, words, json!("firm"), json!("strict")),
        ];
        for (direction, kind, lax, strict) in cases {
            assert_eq!(direction.refusal(kind, &lax, &strict), None, "{direction:?} {lax} -> {strict}");
            assert_eq!(
                direction.refusal(kind, &strict, &lax),
                Some(LooserValue::Loosens),
                "{direction:?} {strict} -> {lax}"
            );
        }
    }

    #[test]
    fn lists_that_merely_differ_are_laxer_in_both_directions() {
        for direction in [Stricter::Superset, Stricter::Subset, Stricter::Narrower] {
            let refusal = direction.refusal(KeyKind::Texts, &json!(["a"]), &json!(["b"]));
            assert_eq!(refusal, Some(LooserValue::Loosens), "{direction:?}");
        }
    }

    #[test]
    fn what_has_no_order_is_free_or_needs_a_human() {
        let (old, new) = (json!("x"), json!("y"));
        assert_eq!(Stricter::Neutral.refusal(KeyKind::Text, &old, &new), None);
        assert_eq!(Stricter::AfterTrust.refusal(KeyKind::Text, &old, &new), Some(LooserValue::NeedsTrust));
        assert_eq!(Stricter::UserOnly.refusal(KeyKind::Text, &old, &new), Some(LooserValue::UserOnly));
    }
}
