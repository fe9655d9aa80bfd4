//! YAML text as a tree that remembers the line of every key and value.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_saphyr::{MergeKeyPolicy, Spanned};
use std::fmt;

/// A value and the line it starts on.
#[derive(Debug)]
pub(super) struct Document {
    pub line: u64,
    pub node: Node,
}

#[derive(Debug)]
pub(super) enum Node {
    Leaf(Value),
    List(Vec<Document>),
    Section(Vec<DocumentEntry>),
}

#[derive(Debug)]
pub(super) struct DocumentEntry {
    pub name: String,
    pub line: u64,
    pub value: Document,
}

impl Document {
    /// `None` for a text without content. Anchors, merge keys, foreign tags and deep nesting are refused:
    /// a configuration of a hundred flat keys needs none of them.
    pub fn parse(text: &str) -> Result<Option<Self>, serde_saphyr::Error> {
        let options = serde_saphyr::options! {
            budget: serde_saphyr::budget! {
                max_anchors: 0,
                max_aliases: 0,
                max_depth: 16,
                max_documents: 1,
                max_nodes: 20_000,
            },
            merge_keys: MergeKeyPolicy::Error,
            reject_unsupported_tags: true,
            strict_booleans: true,
            emit_comments: false,
            with_snippet: false,
        };
        serde_saphyr::from_str_with_options(text, options)
    }

    pub fn into_value(self) -> Value {
        match self.node {
            Node::Leaf(value) => value,
            Node::List(items) => items.into_iter().map(Self::into_value).collect(),
            Node::Section(entries) => {
                entries.into_iter().map(|entry| (entry.name, entry.value.into_value())).collect()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Node>::deserialize(deserializer)?;
        Ok(Self { line: spanned.referenced.line(), node: spanned.value })
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Leaf(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Leaf(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Leaf(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Leaf(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Leaf(value.into()))
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Leaf(Value::Null))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element::<Document>()? {
            list.push(item);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some(name) = fields.next_key::<Spanned<String>>()? {
            let value = fields.next_value()?;
            entries.push(DocumentEntry { line: name.referenced.line(), name: name.value, value });
        }
        Ok(Node::Section(entries))
    }
}
