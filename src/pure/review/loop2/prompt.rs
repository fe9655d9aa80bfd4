//! The prompt of the reviewer, and the message that asks it to answer again.

use crate::pure::review::AUTHORS_WORDS;

/// `folder`: the path for the reviewer's Read tool. `files`: the files that end with a mark.
pub(crate) fn prompt(folder: &str, nonce: &str, files: &[&str], seconds: u64) -> String {
    let rest: String = files.iter().skip(1).map(|name| format!("\n- {folder}/{name}")).collect();
    format!(
        "Review one change. Read {folder}/context.md to its end first, then each of these to its end:{rest}\n\n\
         The last line of every file is `mark: WORD`; your answer names each of these words. You may also Read other files of \
         the project. Read is the only tool you have, and there are {seconds} seconds.\n\n{AUTHORS_WORDS}\n\n\
         Answer with one JSON object and nothing else:\n\n\
         {{\"nonce\": \"{nonce}\", \"marks\": [\"the mark of every file above\"], \"files\": [\"every path listed under Changed \
         files\"], \"findings\": [{{\"severity\": \"critical|major|minor\", \"category\": \
         \"quality|architecture|security|testing|docs\", \"file\": \"path\", \"line\": 1, \"quote\": \"one line of that file, \
         word for word\", \"message\": \"what is wrong\", \"fix\": \"what to do\"}}], \"settled\": [{{\"id\": \"id of an open \
         finding that this change settles\", \"why\": \"how\"}}]}}\n\n\
         `findings` and `settled` may be empty lists."
    )
}

/// The message to a reviewer whose answer has problems.
pub(crate) fn retry_message(problems: &[String], tries_left: u32) -> String {
    const SHOWN: usize = 20;
    let shown: String = problems.iter().take(SHOWN).map(|problem| format!("- {problem}\n")).collect();
    let more = problems.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!("- and {more} more\n") } else { String::new() };
    format!(
        "This answer does not count yet:\n{shown}{more}Give the whole answer again. Answers left: {tries_left}."
    )
}
