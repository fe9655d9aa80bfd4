//! The effect of a tool, judged by its name.

use crate::pure::text::name_words;

/// The effect of a call by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doing {
    Looks,
    Destroys,
    /// Takes something out of service.
    Disrupts,
    Publishes,
    /// Transfers something to another owner.
    HandsOver,
    /// None of these, or unknown.
    Other,
}

/// The words of a tool's name: `create_or_update_file`, `deleteBucket`, `pods.delete`.
#[derive(Debug)]
pub(crate) struct Name {
    words: Vec<String>,
}

const LOOKS: [&str; 26] = [
    "get", "list", "search", "read", "describe", "find", "show", "view", "lookup", "count", "check",
    "inspect", "analyze", "explain", "preview", "validate", "resolve", "browse", "watch", "wait", "fetch",
    "is", "has", "diff", "status", "help",
];
/// With any object.
const DESTROYS: [&str; 19] = [
    "delete", "destroy", "drop", "purge", "truncate", "wipe", "uninstall", "erase", "nuke", "del",
    "flushall", "flushdb", "unpublish", "yank", "deprovision", "decommission", "deregister", "expunge",
    "teardown",
];
/// With a heavy object only.
const TAKES_AWAY: [&str; 8] = ["remove", "clear", "reset", "empty", "flush", "rm", "cancel", "terminate"];
const DISRUPTS: [&str; 10] = [
    "revoke", "archive", "disable", "shutdown", "reboot", "suspend", "deactivate", "pause", "stop", "detach",
];
/// Out of service with any object.
const HALTS: [&str; 5] = ["drain", "failover", "poweroff", "halt", "cordon"];
const PUBLISHES: [&str; 3] = ["publish", "deploy", "promote"];
/// Objects that are easy to recreate.
const LIGHT: [&str; 37] = [
    "comment", "reaction", "label", "tag", "todo", "task", "subtask", "reminder", "highlight", "entity",
    "entitie", "observation", "relation", "memory", "memorie", "thought", "tab", "breakpoint", "annotation",
    "draft", "cache", "watcher", "bookmark", "marker", "selection", "element", "cookie", "node", "shape",
    "notification", "pending", "sim", "simulator", "symbol", "line", "log", "view",
];
/// Objects that people rely on.
const HEAVY: [&str; 54] = [
    "database", "table", "bucket", "collection", "index", "schema", "cluster", "instance", "server",
    "service", "namespace", "volume", "snapshot", "backup", "repository", "repo", "project", "workspace",
    "organization", "org", "account", "user", "member", "role", "permission", "policy", "key", "secret",
    "domain", "zone", "record", "file", "directory", "folder", "environment", "branch", "stack",
    "deployment", "site", "queue", "token", "subscription", "channel", "conversation", "board", "page",
    "protection", "mfa", "logging", "trail", "firewall", "encryption", "versioning", "disk",
];
/// Messages that cost money or that everybody reads.
const LETTERS: [&str; 8] = ["sms", "mms", "fax", "whatsapp", "tweet", "campaign", "newsletter", "broadcast"];
/// What moves money, with a verb in front.
const MONEY: [&str; 8] =
    ["refund", "payout", "payment", "charge", "transfer", "withdrawal", "disbursement", "purchase"];

impl Name {
    pub fn new(tool: &str) -> Self {
        Self { words: name_words(tool) }
    }

    pub fn has(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(&word.as_str()))
    }

    /// The words, joined by dashes.
    pub fn whole(&self) -> String {
        self.words.join("-")
    }

    /// The words behind this one, joined by dashes.
    pub fn after(&self, first: &str) -> Option<String> {
        let (_, rest) = self.words.split_first().filter(|(word, _)| *word == first)?;
        Some(rest.join("-"))
    }

    pub fn is_one_word(&self) -> bool {
        self.words.len() == 1
    }

    /// Sends a message that costs money, or posts one where everybody reads it.
    fn posts(&self) -> bool {
        let sends = self.has(&["send", "reply", "forward", "post", "create", "make"]);
        let bulk = self.is_about(&["campaign", "newsletter", "broadcast"]) && !self.has(&["send"]);
        let letter = (self.is_about(&LETTERS) && !bulk) || (self.has(&["make"]) && self.is_about(&["call"]));
        sends && letter && !self.has(&["draft", "template", "filter", "label", "rule"])
    }

    /// Gives something to another owner.
    fn transfers(&self) -> bool {
        let named = |word: Option<&String>| word.is_some_and(|word| word == "transfer");
        let moves = named(self.words.first()) || named(self.words.last());
        let owner =
            self.has(&["change", "set", "update", "assign"]) && self.is_about(&["owner", "ownership"]);
        let coins =
            ["transaction", "token", "eth", "sol", "btc", "fund", "coin", "crypto", "asset", "usdc", "nft"];
        let sends_coins = self.has(&["send", "sign", "swap"]) && self.is_about(&coins);
        (moves && !self.is_about(&["file", "list", "data"])) || owner || sends_coins
    }

    /// Moves money or orders something.
    fn pays(&self) -> bool {
        const PAYS: [&str; 6] = ["pay", "buy", "purchase", "withdraw", "refund", "checkout"];
        const MOVES: [&str; 10] = [
            "create", "make", "send", "issue", "capture", "confirm", "execute", "initiate", "process",
            "submit",
        ];
        let prepares = self.is_about(&["link", "method", "page", "session", "reminder", "report"]);
        let orders = self.has(&["place", "submit"]) && self.is_about(&["order"]);
        let moves = self.has(&MOVES) && self.is_about(&MONEY);
        (PAYS.contains(&self.first()) || orders || moves) && !prepares
    }

    /// Shows the value of a stored secret, not only its name.
    pub fn reveals(&self) -> bool {
        const SHOWS: [&str; 7] = ["get", "read", "reveal", "show", "fetch", "access", "retrieve"];
        const ONLY_NAMES: [&str; 8] =
            ["scanning", "alert", "list", "metadata", "name", "version", "policy", "public"];
        let secret = self.is_about(&["secret", "password", "credential", "passphrase"]);
        SHOWS.contains(&self.first()) && secret && !self.is_about(&ONLY_NAMES)
    }

    /// Reads one entry of a keeper of passwords, which has no other entries.
    pub fn reads_an_entry(&self) -> bool {
        const ENTRIES: [&str; 9] = ["item", "login", "note", "kv", "field", "otp", "totp", "value", "entry"];
        ["get", "read", "reveal", "fetch", "retrieve", "show"].contains(&self.first())
            && (self.is_about(&ENTRIES) || self.is_one_word())
    }

    /// Whether the last word is one of these: `make_public`.
    pub fn ends_in(&self, things: &[&str]) -> bool {
        self.words.last().is_some_and(|last| things.contains(&last.as_str()))
    }

    fn first(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// Merges something; "merge request" and "merge conflict" do not count.
    pub fn merges(&self) -> bool {
        let compound = |next: Option<&String>| {
            next.is_some_and(|next| ["request", "requests", "conflict", "conflicts"].contains(&next.as_str()))
        };
        let mut words = self.words.iter().enumerate();
        let merges = words.any(|(at, word)| word == "merge" && !compound(self.words.get(at + 1)));
        merges || (self.has(&["accept"]) && self.has(&["merge"]))
    }

    /// Whether it names something, in the singular or the plural.
    pub fn is_about(&self, things: &[&str]) -> bool {
        let named = |word: &str| {
            things.contains(&word) || word.strip_suffix('s').is_some_and(|one| things.contains(&one))
        };
        self.words.iter().any(|word| named(word))
    }

    pub fn doing(&self) -> Doing {
        let acts = self.has(&DESTROYS) || self.has(&TAKES_AWAY) || self.has(&DISRUPTS);
        let last = self.words.last().map_or("", String::as_str);
        let looks = LOOKS.contains(&self.first()) || (LOOKS.contains(&last) && !acts);
        if looks && !self.has(&["and", "or", "then"]) {
            return Doing::Looks;
        }
        let (light, heavy) = (self.is_about(&LIGHT), self.is_about(&HEAVY));
        if (self.has(&DESTROYS) && !light) || (self.has(&TAKES_AWAY) && heavy) {
            Doing::Destroys
        } else if (self.has(&DISRUPTS) && heavy) || self.has(&HALTS) {
            Doing::Disrupts
        } else if self.posts()
            || self.has(&PUBLISHES) && !self.is_about(&["preview", "message", "log", "event"])
        {
            Doing::Publishes
        } else if self.transfers() || self.pays() {
            Doing::HandsOver
        } else {
            Doing::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_is_done() {
        for (tool, doing) in [
            ("delete_repository", Doing::Destroys),
            ("dropCollection", Doing::Destroys),
            ("delete-many", Doing::Destroys),
            ("pods_delete", Doing::Destroys),
            ("DELETE_INSTANCE", Doing::Destroys),
            ("helm_uninstall", Doing::Destroys),
            ("remove_user", Doing::Destroys),
            ("search_and_delete", Doing::Destroys),
            ("revoke_api_key", Doing::Disrupts),
            ("archive_project", Doing::Disrupts),
            ("stop_instance", Doing::Disrupts),
            ("terminate_instances", Doing::Destroys),
            ("flushall", Doing::Destroys),
            ("publish_package", Doing::Publishes),
            ("deploy_site", Doing::Publishes),
            ("transfer_repository", Doing::HandsOver),
            ("send_transaction", Doing::HandsOver),
            ("update_ownership", Doing::HandsOver),
            ("unpublish", Doing::Destroys),
            ("drain_node", Doing::Disrupts),
            ("disable_branch_protection", Doing::Disrupts),
            ("send_message", Doing::Other),
            ("file_transfer", Doing::Other),
            ("begin_transaction", Doing::Other),
            ("get_deleted_items", Doing::Looks),
            ("list_delete_markers", Doing::Looks),
            ("issue_read", Doing::Looks),
            ("delete_status", Doing::Destroys),
            ("remove_highlight", Doing::Other),
            ("delete_comment", Doing::Other),
            ("delete_entities", Doing::Other),
            ("remove_label", Doing::Other),
            ("browser_close", Doing::Other),
            ("create_issue", Doing::Other),
            ("publish_message", Doing::Other),
            ("undelete_file", Doing::Other),
            ("delete_pending_pull_request_review", Doing::Other),
            ("force_terminate", Doing::Other),
            ("stop_app", Doing::Other),
            ("erase_sims", Doing::Other),
            ("safe_delete_symbol", Doing::Other),
            ("remove_container", Doing::Other),
            ("cancel_workflow_run", Doing::Other),
        ] {
            assert_eq!(Name::new(tool).doing(), doing, "{tool}");
        }
    }

    #[test]
    fn a_merge_request_is_not_a_merge() {
        for (tool, merges) in [
            ("merge_pull_request", true),
            ("accept_merge_request", true),
            ("merge_merge_request", true),
            ("create_merge_request", false),
            ("pull_request_merge", true),
        ] {
            assert_eq!(Name::new(tool).merges(), merges, "{tool}");
        }
    }
}
