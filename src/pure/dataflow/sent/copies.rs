//! Programs that copy files to other machines, post them on a forge, or show them to whoever asks.

use super::parcel::{Parcel, ParcelReach};
use super::verbs;
use crate::pure::dataflow::text::text_printed;
use crate::pure::shell::{Command, Piece, Word, pieces};
use std::borrow::Cow;

/// Files that are copied to another machine; what comes from there is none of them.
pub(super) fn copied<'a>(program: &'a str, command: &'a Command, commands: &[Command]) -> Option<Parcel<'a>> {
    let sends = match program {
        "aws" => verbs(command, &["s3", "cp|mv|sync"]) || verbs(command, &["s3api", "put-object"]),
        "gsutil" | "mc" | "rclone" | "b2" | "s3cmd" | "s5cmd" | "azcopy" => {
            command.operands().next().and_then(Word::literal).is_some_and(|verb| {
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
        "gcloud" => verbs(command, &["storage", "cp|mv|rsync"]) || verbs(command, &["compute", "scp"]),
        "az" => verbs(command, &["storage", "blob", "upload|upload-batch|sync"]),
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
    for piece in pieces(command.arguments(), valued) {
        match piece {
            Piece::Operand(word) => words.push(word),
            Piece::Option("--body" | "--file" | "f" | "--source" | "b", Some(value)) => {
                named.push(value.word())
            }
            Piece::Option(_, _) | Piece::Separator => {}
        }
    }
    let by_option = matches!(program, "az") || verbs(command, &["s3api"]);
    let input = words.iter().any(|word| word.literal() == Some("-"));
    let anywhere = by_option || matches!(program, "sftp" | "b2" | "mc");
    let to = words.pop().filter(|last| anywhere || is_remote(last))?;
    if program == "sftp" {
        named.extend(put_by_script(command, commands).into_iter().map(Cow::Owned));
    }
    named.extend(words.into_iter().filter(|word| !is_remote(word)).map(Cow::Borrowed));
    let to = match program {
        "scp" | "rsync" | "sftp" => to.text_lossy().split(':').next().map(|host| host.to_owned().into()),
        _ => Some(program.into()),
    };
    let input = input || program == "sftp" || verbs(command, &["rcat|pipe"]);
    Some(Parcel { to, files: named, input, ..Parcel::default() })
}

/// Words of a forge: texts in options, files behind `--body-file`.
pub(super) fn posted(command: &Command) -> Parcel<'_> {
    const VALUED: &str = "-b -t -F -n -m -R -l -a -r -B -H --body --title --body-file --notes --notes-file \
        --message --repo --label";
    let mut parcel = Parcel { to: Some("a forge".into()), reach: ParcelReach::Request, ..Parcel::default() };
    let uploads = verbs(command, &["release", "create|upload"]) || verbs(command, &["snippet"]);
    for piece in pieces(command.arguments(), VALUED) {
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
pub(super) fn put_by_script(command: &Command, commands: &[Command]) -> Vec<Word> {
    let given = command.documents().map(|text| text.text_lossy().into_owned());
    let piped = command.fed_by.iter().filter_map(|index| text_printed(commands, *index, 0));
    let options = command.literals().filter(|text| text.contains("put ")).map(str::to_owned);
    let scripts: Vec<String> = given.chain(piped).chain(options).collect();
    let lines = scripts.iter().flat_map(|text| text.split(['\n', ';']));
    let put = lines.filter_map(|line| {
        line.trim().split_once(' ').filter(|(verb, _)| matches!(*verb, "put" | "mput" | "reput"))
    });
    put.flat_map(|(_, rest)| rest.split_whitespace().take(2)).map(Word::plain).collect()
}
