//! Version controls beside git. Their working copies are not looked into, so what they throw away counts as work.

use super::table::{ProgramTable, destroys, programs};

pub(crate) static TOOLS: &[ProgramTable] = &[
    programs("hg").valued("-R --repository --cwd --config --encoding").rows(&[
        destroys("revert", "throws away changes without a backup").needs("-C --no-backup"),
        destroys("update|up|checkout|co|goto", "throws away uncommitted changes").needs("-C --clean"),
        destroys("purge|clean", "deletes files that nothing tracks").unless("-p --print"),
        destroys("strip|debugstrip", "takes commits out of the history"),
    ]),
    programs("svn").valued("--username --password --config-dir").rows(&[
        destroys("revert", "throws away changes"),
        destroys("cleanup", "deletes files that nothing tracks")
            .needs("--remove-unversioned --remove-ignored"),
        destroys("delete|del|remove|rm", "deletes from the repository at once").needs("*://*"),
    ]),
    programs("bzr p4")
        .valued("-c -p -u -P -d")
        .rows(&[destroys("revert", "throws away changes").unless("-n -k")]),
];
