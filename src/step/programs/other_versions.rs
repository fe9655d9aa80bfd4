//! Version controls beside git. Their working copies are not looked into, so what they throw away counts as work.

use super::table::{Tool, destroys};

pub static TOOLS: &[Tool] = &[
    Tool {
        names: &["hg"],
        valued: "-R --repository --cwd --config --encoding",
        reads: "",
        rows: &[
            destroys(
                "revert",
                "throws away changes without a backup",
                "hg revert --all --no-backup",
                "hg revert --all",
            )
            .needs("-C --no-backup"),
            destroys(
                "update|up|checkout|co|goto",
                "throws away uncommitted changes",
                "hg update -C default",
                "hg update default",
            )
            .needs("-C --clean"),
            destroys(
                "purge|clean",
                "deletes files that nothing tracks",
                "hg purge --all",
                "hg purge --print",
            )
            .unless("-p --print"),
            destroys(
                "strip|debugstrip",
                "takes commits out of the history",
                "hg strip -r 12",
                "hg log -r 12",
            ),
        ],
    },
    Tool {
        names: &["svn"],
        valued: "--username --password --config-dir",
        reads: "",
        rows: &[
            destroys("revert", "throws away changes", "svn revert -R .", "svn status"),
            destroys(
                "cleanup",
                "deletes files that nothing tracks",
                "svn cleanup --remove-unversioned",
                "svn cleanup",
            )
            .needs("--remove-unversioned --remove-ignored"),
            destroys(
                "delete|del|remove|rm",
                "deletes from the repository at once",
                "svn rm https://host/repo/trunk -m x",
                "svn rm file.c",
            )
            .needs("*://*"),
        ],
    },
    Tool {
        names: &["bzr", "p4"],
        valued: "-c -p -u -P -d",
        reads: "",
        rows: &[destroys("revert", "throws away changes", "p4 revert //...", "p4 revert -n //...")
            .unless("-n -k")],
    },
];
