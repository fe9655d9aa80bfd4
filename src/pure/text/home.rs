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

/// Text with `~` for the home directory in each path that follows white space. A quoted `~` would be no path.
pub fn with_home(text: &str, home: &str) -> String {
    let home = home.trim_end_matches('/');
    if home.is_empty() {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(home) {
        let starts = before.chars().next_back().or_else(|| shown.chars().next_back());
        let is_path = starts.is_none_or(char::is_whitespace)
            && after.chars().next().is_none_or(|next| next == '/' || next.is_whitespace());
        shown += before;
        shown += if is_path { "~" } else { home };
        rest = after;
    }
    shown + rest
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
            assert_eq!(with_home(path, home), shown);
        }
    }

    #[test]
    fn a_sentence_is_shortened_where_a_path_begins_and_nowhere_else() {
        let cases = [
            ("write /home/a b/x and /home/a b", "/home/a b", "write ~/x and ~"),
            ("/home/é/x\n/home/é/y", "/home/é", "~/x\n~/y"),
            ("chmod u+w '/home/a/x'", "/home/a", "chmod u+w '/home/a/x'"),
            ("/mnt/home/a/x, /home/ab and /home/a/home/a", "/home/a", "/mnt/home/a/x, /home/ab and ~/home/a"),
        ];
        for (text, home, shown) in cases {
            assert_eq!(with_home(text, home), shown);
        }
    }
}
