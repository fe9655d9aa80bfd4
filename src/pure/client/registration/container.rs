//! JSON as text, cut into its members, so that every byte outside an edit stays as its author wrote it.

use super::layout::JsonLayout;
use serde_json::value::RawValue;
use std::{collections::BTreeMap, ops::Range};

/// A list's values have no key.
#[derive(Debug)]
struct Member<'a> {
    key: Option<String>,
    value: &'a str,
    range: Range<usize>,
}

/// An object or list cut into its members.
#[derive(Debug)]
pub(super) struct Container<'a> {
    text: &'a str,
    members: Vec<Member<'a>>,
}

impl<'a> Container<'a> {
    /// Of a key that appears twice only the last is listed, which is the one every JSON parser obeys.
    pub(super) fn object(text: &'a str) -> Result<Self, serde_json::Error> {
        let values: BTreeMap<String, &'a RawValue> = serde_json::from_str(text)?;
        Ok(Self::new(text, values.into_iter().map(|(key, value)| (Some(key), value))))
    }

    pub(super) fn list(text: &'a str) -> Result<Self, serde_json::Error> {
        let values: Vec<&'a RawValue> = serde_json::from_str(text)?;
        Ok(Self::new(text, values.into_iter().map(|value| (None, value))))
    }

    fn new(text: &'a str, values: impl Iterator<Item = (Option<String>, &'a RawValue)>) -> Self {
        let mut members: Vec<Member<'a>> = values
            .map(|(key, raw)| {
                let value = raw.get();
                let start = value.as_ptr().addr().saturating_sub(text.as_ptr().addr());
                Member { key, value, range: start..start + value.len() }
            })
            .collect();
        members.sort_by_key(|member| member.range.start);
        Self { text, members }
    }

    pub(super) fn position(&self, key: &str) -> Option<usize> {
        self.members.iter().position(|member| member.key.as_deref() == Some(key))
    }

    pub(super) fn get(&self, key: &str) -> Option<&'a str> {
        self.members.iter().find(|member| member.key.as_deref() == Some(key)).map(|member| member.value)
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = String> {
        self.members.iter().filter_map(|member| member.key.clone())
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &'a str> {
        self.members.iter().map(|member| member.value)
    }

    fn spliced(&self, range: Range<usize>, insert: &str) -> String {
        let before = self.text.get(..range.start).unwrap_or_default();
        let after = self.text.get(range.end..).unwrap_or_default();
        format!("{before}{insert}{after}")
    }

    pub(super) fn replaced(&self, index: usize, value: &str) -> String {
        self.members
            .get(index)
            .map_or_else(|| self.text.to_owned(), |member| self.spliced(member.range.clone(), value))
    }

    pub(super) fn removed(&self, index: usize) -> String {
        let Some(member) = self.members.get(index) else { return self.text.to_owned() };
        let end = member.range.end;
        if let Some(previous) = index.checked_sub(1).and_then(|index| self.members.get(index)) {
            return self.spliced(previous.range.end..end, "");
        }
        let inside = self.text.find(['{', '[']).map_or(0, |bracket| bracket + 1);
        let rest = self.text.get(end..).unwrap_or_default();
        let until = if self.members.len() > 1 {
            rest.find(',').map(|comma| comma + 1)
        } else {
            rest.find(['}', ']'])
        };
        self.spliced(inside..end + until.unwrap_or(0), "")
    }

    /// Adds a last member; `depth` is that of the container itself.
    pub(super) fn appended(
        &self,
        key: Option<&str>,
        value: &str,
        layout: &JsonLayout,
        depth: usize,
    ) -> String {
        let line = layout.line(depth + 1);
        let member =
            key.map_or_else(|| value.to_owned(), |key| format!("{}: {value}", serde_json::json!(key)));
        if let Some(last) = self.members.last() {
            return self.spliced(last.range.end..last.range.end, &format!(",{line}{member}"));
        }
        let inside = self.text.find(['{', '[']).map_or(0, |bracket| bracket + 1);
        let close = self.text.rfind(['}', ']']).unwrap_or(inside);
        self.spliced(inside..close, &format!("{line}{member}{}", layout.line(depth)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "{ \"a\" : 1.50,\n\n    \"b\":[1,  2], \"c\": {\"x\" :null} }\n";

    #[test]
    fn replacing_a_value_leaves_every_other_byte() {
        let object = Container::object(TEXT).unwrap();
        let index = object.position("b").unwrap();
        assert_eq!(object.replaced(index, "[]"), TEXT.replace("[1,  2]", "[]"));
    }

    #[test]
    fn any_member_can_be_removed() {
        let object = Container::object(TEXT).unwrap();
        assert_eq!(object.removed(0), "{\n\n    \"b\":[1,  2], \"c\": {\"x\" :null} }\n");
        assert_eq!(object.removed(1), "{ \"a\" : 1.50, \"c\": {\"x\" :null} }\n");
        assert_eq!(object.removed(2), "{ \"a\" : 1.50,\n\n    \"b\":[1,  2] }\n");
        assert_eq!(Container::list("[ 7 ]").unwrap().removed(0), "[]");
    }

    #[test]
    fn what_is_appended_follows_the_layout() {
        let layout = JsonLayout::of("{\n\t}");
        assert_eq!(Container::list("[ ]").unwrap().appended(None, "1", &layout, 1), "[\n\t\t1\n\t]");
        assert_eq!(
            Container::object("{\n\t\"a\": 1\n}").unwrap().appended(Some("b\""), "2", &layout, 0),
            "{\n\t\"a\": 1,\n\t\"b\\\"\": 2\n}"
        );
    }
}
