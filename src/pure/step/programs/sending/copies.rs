//! Programs that copy files to other machines, post them on a forge, or show them to whoever asks.

use super::parcel::{Parcel, ParcelReach};
use super::verbs;
use crate::pure::dataflow::text_printed;
use crate::pure::shell::{Piece, RedirectKind, Word, pieces};
use crate::pure::step::programs::ShellCall;

use std::borrow::Cow;

/// Files that are copied to another machine; what comes from there is none of them.
pub(super) fn copied<'a>(program: &'a str, call: &'a ShellCall<'_>) -> Option<Parcel<'a>> {
    let sends = match program {
        "aws" => verbs(call, &["s3", "cp|mv|sync"]) || verbs(call, &["s3api", "put-object"]),
        "gsutil" | "mc" | "rclone" | "b2" | "s3cmd" | "s5cmd" | "azcopy" => {
            call.command.operands().next().and_then(Word::literal).is_some_and(|verb| {
                matches!(
                    verb,
                    "cp" | "mv"
                        | "rsync"
                        | "copy"
                        | "sync"
                        | "copyto"
                        | "move"
                        | "upload-file"
                        | "mirror"
                        | "put"
                        | "rcat"
                        | "pipe"
                )
            })
        }
        "gcloud" => verbs(call, &["storage", "cp|mv|rsync"]) || verbs(call, &["compute", "scp"]),
        "az" => verbs(call, &["storage", "blob", "upload|upload-batch|sync"]),
        _ => true,
    };
    if !sends {
        return None;
    }
    let is_remote = |word: &Word| {
        let text = word.text_lossy();
        text.split_once(':').is_some_and(|(host, _)| !host.contains('/') && !host.is_empty())
    };
    let valued = match program {
        "scp" | "sftp" | "rsync" => {
            "-i -P -o -F -J -c -l -S -e -b --rsh --exclude --include --filter --files-from"
        }
        "aws" => "--profile --region --endpoint-url --acl --sse --exclude --include --body --bucket --key",
        _ => "-f -c -n -d -s --file --container-name --name",
    };
    let (mut words, mut named) = (Vec::new(), Vec::new());
    for piece in pieces(call.arguments(), valued) {
        match piece {
            Piece::Operand(word) => words.push(word),
            Piece::Option("--body" | "--file" | "f" | "--source" | "b", Some(value)) => {
                named.push(value.word())
            }
            Piece::Option(_, _) | Piece::Separator => {}
        }
    }
    let by_option = matches!(program, "az") || verbs(call, &["s3api"]);
    let input = words.iter().any(|word| word.literal() == Some("-"));
    let anywhere = by_option || matches!(program, "sftp" | "b2" | "mc");
    let to = words.pop().filter(|last| anywhere || is_remote(last))?;
    if program == "sftp" {
        named.extend(put_by_script(call).into_iter().map(Cow::Owned));
    }
    named.extend(words.into_iter().filter(|word| !is_remote(word)).map(Cow::Borrowed));
    let to = match program {
        "scp" | "rsync" | "sftp" => to.text_lossy().split(':').next().map(|host| host.to_owned().into()),
        _ => Some(program.into()),
    };
    let input = input || program == "sftp" || verbs(call, &["rcat|pipe"]);
    Some(Parcel { to, files: named, input, ..Parcel::default() })
}

/// Words of a forge: texts in options, files behind `--body-file`.
pub(super) fn posted<'a>(call: &'a ShellCall<'_>) -> Parcel<'a> {
    const VALUED: &str = "-b -t -F -n -m -R -l -a -r -B -H --body --title --body-file --notes --notes-file \
        --message --repo --label";
    let mut parcel = Parcel { to: Some("a forge".into()), reach: ParcelReach::Request, ..Parcel::default() };
    let uploads = verbs(call, &["release", "create|upload"]) || verbs(call, &["snippet"]);
    for piece in pieces(call.arguments(), VALUED) {
        match piece {
            Piece::Option("F" | "--body-file" | "--notes-file", Some(value)) => parcel.file(value.word()),
            Piece::Option(_, Some(value)) => parcel.texts.push(value.word()),
            Piece::Operand(word) if uploads => parcel.files.push(Cow::Borrowed(word)),
            Piece::Option(_, None) | Piece::Operand(_) | Piece::Separator => {}
        }
    }
    parcel
}

/// `put FILE` in the commands that a file transfer is given.
pub(super) fn put_by_script(call: &ShellCall<'_>) -> Vec<Word> {
    let given = call
        .command
        .redirects
        .iter()
        .filter(|each| matches!(each.kind, RedirectKind::HereString | RedirectKind::HereDoc))
        .map(|each| each.target.text_lossy().into_owned());
    let piped = call.command.fed_by.iter().filter_map(|index| text_printed(call.others, *index, 0));
    let options = call.literals().filter(|text| text.contains("put ")).map(str::to_owned);
    let scripts: Vec<String> = given.chain(piped).chain(options).collect();
    let lines = scripts.iter().flat_map(|text| text.split(['\n', ';']));
    let put = lines.filter_map(|line| {
        line.trim().split_once(' ').filter(|(verb, _)| matches!(*verb, "put" | "mput" | "reput"))
    });
    put.flat_map(|(_, rest)| rest.split_whitespace().take(2)).map(Word::plain).collect()
}

/// A directory that is shown to everybody who asks.
pub(super) fn serves(program: &str, call: &ShellCall<'_>) -> bool {
    match program {
        "serve" | "http-server" => true,
        "php" => call.literals().any(|text| text == "-S"),
        name if name.starts_with("python") => {
            call.literals().any(|text| matches!(text, "http.server" | "SimpleHTTPServer"))
        }
        _ => false,
    }
}

pub(super) fn option_value<'a>(call: &'a ShellCall<'_>, names: &[&str]) -> Option<&'a Word> {
    let mut pairs = call.arguments().iter().zip(call.arguments().iter().skip(1));
    let is_named = |word: &Word| word.literal().is_some_and(|text| names.contains(&text));
    pairs.find(|(name, _)| is_named(name)).map(|(_, value)| value)
}
