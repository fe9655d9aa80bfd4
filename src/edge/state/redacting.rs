//! The door to the disk: a serializer that redacts every string.

use crate::pure::secret::{is_plain, redact};
use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

/// Whether names of files that git tracks are redacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    Redacted,
    /// A receipt is about files of these names, and git's index has them as they are.
    Kept,
}

/// A value as it is written.
pub(super) struct Redacting<'a, T: ?Sized> {
    pub value: &'a T,
    pub names: Names,
}

impl<T: Serialize + ?Sized> Serialize for Redacting<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(Door { inner: serializer, names: self.names })
    }
}

/// A serializer, or a part of one, behind the door.
struct Door<S> {
    inner: S,
    names: Names,
}

impl<S> Door<S> {
    fn read<'a, T: ?Sized>(&self, value: &'a T) -> Redacting<'a, T> {
        Redacting { value, names: self.names }
    }
}

macro_rules! plain {
    ($($method:ident($($argument:ident: $kind:ty),*);)*) => {
        $(fn $method(self, $($argument: $kind),*) -> Result<S::Ok, S::Error> {
            self.inner.$method($($argument),*)
        })*
    };
}

macro_rules! opened {
    ($($method:ident($($argument:ident: $kind:ty),*) -> $part:ident;)*) => {
        $(fn $method(self, $($argument: $kind),*) -> Result<Self::$part, S::Error> {
            Ok(Door { inner: self.inner.$method($($argument),*)?, names: self.names })
        })*
    };
}

impl<S: Serializer> Serializer for Door<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Door<S::SerializeSeq>;
    type SerializeTuple = Door<S::SerializeTuple>;
    type SerializeTupleStruct = Door<S::SerializeTupleStruct>;
    type SerializeTupleVariant = Door<S::SerializeTupleVariant>;
    type SerializeMap = Door<S::SerializeMap>;
    type SerializeStruct = Door<S::SerializeStruct>;
    type SerializeStructVariant = Door<S::SerializeStructVariant>;

    fn serialize_str(self, text: &str) -> Result<S::Ok, S::Error> {
        match is_plain(text) {
            true => self.inner.serialize_str(text),
            false => self.inner.serialize_str(&redact(text)),
        }
    }

    fn serialize_char(self, character: char) -> Result<S::Ok, S::Error> {
        self.inner.serialize_char(character)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        let value = self.read(value);
        self.inner.serialize_some(&value)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        let read = self.read(value);
        match (name, self.names) {
            ("Redacted" | "Place", _) | ("GitPath", Names::Kept) => {
                self.inner.serialize_newtype_struct(name, value)
            }
            _ => self.inner.serialize_newtype_struct(name, &read),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        let value = self.read(value);
        self.inner.serialize_newtype_variant(name, index, variant, &value)
    }

    plain! {
        serialize_bool(value: bool);
        serialize_i8(value: i8);
        serialize_i16(value: i16);
        serialize_i32(value: i32);
        serialize_i64(value: i64);
        serialize_u8(value: u8);
        serialize_u16(value: u16);
        serialize_u32(value: u32);
        serialize_u64(value: u64);
        serialize_f32(value: f32);
        serialize_f64(value: f64);
        serialize_bytes(value: &[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(name: &'static str);
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str);
    }

    opened! {
        serialize_seq(length: Option<usize>) -> SerializeSeq;
        serialize_tuple(length: usize) -> SerializeTuple;
        serialize_tuple_struct(name: &'static str, length: usize) -> SerializeTupleStruct;
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, length: usize) -> SerializeTupleVariant;
        serialize_map(length: Option<usize>) -> SerializeMap;
        serialize_struct(name: &'static str, length: usize) -> SerializeStruct;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, length: usize) -> SerializeStructVariant;
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! elements {
    ($($part:ident::$method:ident;)*) => {
        $(impl<S: $part> $part for Door<S> {
            type Ok = S::Ok;
            type Error = S::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
                let value = self.read(value);
                self.inner.$method(&value)
            }

            fn end(self) -> Result<S::Ok, S::Error> {
                self.inner.end()
            }
        })*
    };
}

elements! {
    SerializeSeq::serialize_element;
    SerializeTuple::serialize_element;
    SerializeTupleStruct::serialize_field;
    SerializeTupleVariant::serialize_field;
}

macro_rules! fields {
    ($($part:ident;)*) => {
        $(impl<S: $part> $part for Door<S> {
            type Ok = S::Ok;
            type Error = S::Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), S::Error> {
                let value = self.read(value);
                self.inner.serialize_field(name, &value)
            }

            fn skip_field(&mut self, name: &'static str) -> Result<(), S::Error> {
                self.inner.skip_field(name)
            }

            fn end(self) -> Result<S::Ok, S::Error> {
                self.inner.end()
            }
        })*
    };
}

fields! {
    SerializeStruct;
    SerializeStructVariant;
}

impl<S: SerializeMap> SerializeMap for Door<S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), S::Error> {
        let key = self.read(key);
        self.inner.serialize_key(&key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
        let value = self.read(value);
        self.inner.serialize_value(&value)
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::review::GitPath;
    use crate::pure::secret::Redacted;
    use serde::Serialize;
    use std::collections::BTreeMap;

    #[derive(Serialize)]
    enum Shape {
        Unit,
        One(String),
        Two(String, String),
        Named { text: String },
    }

    #[derive(Serialize)]
    struct Pair(String, u8);

    #[derive(Serialize)]
    struct Whole {
        text: String,
        maybe: Option<String>,
        list: Vec<String>,
        tuple: (String, u8),
        pair: Pair,
        map: BTreeMap<String, String>,
        shapes: Vec<Shape>,
        free: serde_json::Value,
        path: GitPath,
        read: Redacted,
        place: camino::Utf8PathBuf,
        #[serde(flatten)]
        more: BTreeMap<String, String>,
    }

    #[test]
    fn no_string_of_any_shape_passes_unread() {
        // Put together at run time, so that no scanner takes this file for a leak.
        let secret = format!("{}_{}", "ghp", "kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXaWeUi");
        let text = || format!("a {secret}");
        let map = |key: &str| BTreeMap::from([(format!("{key}{secret}"), text())]);
        let whole = Whole {
            text: text(),
            maybe: Some(text()),
            list: vec![text()],
            tuple: (text(), 1),
            pair: Pair(text(), 2),
            map: map("a"),
            shapes: vec![
                Shape::Unit,
                Shape::One(text()),
                Shape::Two(text(), text()),
                Shape::Named { text: text() },
            ],
            free: serde_json::json!({"x": [{"y": text()}]}),
            path: GitPath::new(&text()),
            read: Redacted::new(&text()),
            place: format!("/{secret}").into(),
            more: map("b"),
        };
        let written = |names| {
            let value = Redacting { value: &whole, names };
            let json = serde_json::to_string(&value).unwrap();
            assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{json}");
            json
        };
        let binary =
            postcard::to_stdvec(&Redacting { value: &whole.shapes, names: Names::Redacted }).unwrap();
        assert!(memchr::memmem::find(&binary, secret.as_bytes()).is_none());
        assert!(!written(Names::Redacted).contains(&secret), "{}", written(Names::Redacted));
        assert_eq!(written(Names::Kept).matches(&secret).count(), 1, "{}", written(Names::Kept));
    }
}
