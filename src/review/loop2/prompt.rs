//! The only words with which the reader is started, and with which it is asked to answer again.

/// `folder` as the reader's Read finds it, `files` those that end with a mark.
pub fn prompt(folder: &str, nonce: &str, files: &[&str], seconds: u64) -> String {
    let rest: String = files.iter().skip(1).map(|name| format!("\n- {folder}/{name}")).collect();
    format!(
        "Review one change. Read {folder}/context.md to its end first, then each of these to its end:{rest}\n\n\
         The last line of every file is `mark: WORD`; your answer names each of these words. You may also Read other files of \
         the project. Read is the only tool you have, and there are {seconds} seconds.\n\n\
         Answer with one JSON object and nothing else:\n\n\
         {{\"nonce\": \"{nonce}\", \"marks\": [\"the mark of every file above\"], \"files\": [\"every path listed under Changed \
         files\"], \"findings\": [{{\"severity\": \"critical|major|minor\", \"category\": \
         \"quality|architecture|security|testing|docs\", \"file\": \"path\", \"line\": 1, \"quote\": \"one line of that file, \
         word for word\", \"message\": \"what is wrong\", \"fix\": \"what to do\"}}], \"settled\": [{{\"id\": \"id of an open \
         finding that this change settles\", \"why\": \"how\"}}]}}\n\n\
         `findings` and `settled` may be empty lists."
    )
}

/// What a reader hears whose answer does not count yet.
pub fn again(problems: &[String], tries_left: u32) -> String {
    const SHOWN: usize = 20;
    let mut text = String::from("This answer does not count yet:\n");
    for problem in problems.iter().take(SHOWN) {
        text += &format!("- {problem}\n");
    }
    if problems.len() > SHOWN {
        text += &format!("- and {} more\n", problems.len() - SHOWN);
    }
    text + &format!(
        "Answer again with the whole JSON object and nothing else. Answers that are still taken: {tries_left}."
    )
}
