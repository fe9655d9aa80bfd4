//! Paths as people write them.

/// The path with `~` for the home directory.
pub fn below_home(path: &str, home: &str) -> String {
    let home = home.trim_end_matches('/');
    match path.strip_prefix(home) {
        Some("") if !home.is_empty() => "~".into(),
        Some(rest) if !home.is_empty() && rest.starts_with('/') => format!("~{rest}"),
        _ => path.to_owned(),
    }
}

/// A sentence with `~` for the home directory in each path.
pub fn with_home(text: &str, home: &str) -> String {
    let words = text.split(' ').map(|word| below_home(word, home));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_below_the_home_directory_are_shortened() {
        let cases = [
            ("/home/a/x", "/home/a", "~/x"),
            ("/home/a", "/home/a/", "~"),
            ("/home/ab", "/home/a", "/home/ab"),
            ("/tmp/x", "/home/a", "/tmp/x"),
            ("/tmp/x", "/", "/tmp/x"),
        ];
        for (path, home, shown) in cases {
            assert_eq!(below_home(path, home), shown);
        }
    }
}
