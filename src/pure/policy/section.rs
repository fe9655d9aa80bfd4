//! How the parts of the settings are declared: sections with defaults, and closed sets of words.

/// Declares sections of the settings: their fields, with types and defaults, and nothing else.
macro_rules! sections {
    ($($(#[$doc:meta])* $name:ident { $($(#[$note:meta])* $field:ident : $type:ty = $default:expr,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct $name { $($(#[$note])* pub $field: $type,)* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }
    )*};
}

/// Declares a closed set of words that a key may take.
macro_rules! words {
    ($name:ident { $($variant:ident),* $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($variant,)* }
    };
}

pub(super) use {sections, words};
