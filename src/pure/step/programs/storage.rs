//! Disks, volumes and pools.

use super::Meaning;
use super::line::ProgramLine;
use super::table::{ProgramTable, destroys, disrupts, formats, programs};
use crate::pure::shell::NameTable;
use crate::pure::step::effect::Effect;

pub(crate) static TOOLS: &[ProgramTable] = &[
    programs("lvremove vgremove pvremove").rows(&[formats("?", "the volume").unless("-t --test")]),
    programs("lvreduce vgreduce lvresize pvcreate vgcfgrestore lvconvert")
        .valued("-L --size -l --extents")
        .rows(&[
            formats("*", "what is on the disk").needs("-ff --force -y").unless("-t --test"),
            destroys("?", "cuts off or overwrites part of a volume")
                .unless("-t --test -L=+* -l=+* --size=+* --extents=+*"),
        ]),
    programs("snapper timeshift docker-machine").valued("-c --config -s --storage-path").rows(&[
        destroys("delete|rm|remove", "deletes what is kept there"),
        destroys("", "deletes snapshots of the system").needs("--delete --delete-all"),
    ]),
    programs("zpool").rows(&[
        formats("destroy|labelclear", "the pool"),
        destroys(
            "create|add|replace|remove|detach|split|offline|export",
            "overwrites disks or takes them out of the pool",
        )
        .unless("-n"),
    ]),
    programs("zfs").rows(&[
        destroys("destroy", "deletes a snapshot").needs("*@*").unless("-n"),
        formats("destroy", "the file system").unless("-n"),
        destroys("rollback", "loses everything written since the snapshot"),
        destroys("receive|recv", "overwrites the file system").needs("-F"),
    ]),
    programs("btrfs").rows(&[
        destroys("subvolume|sub|su|subvol delete|del", "deletes the subvolume or snapshot"),
        destroys("device|dev remove|rem|delete|del", "takes a disk out of the file system"),
        destroys("check", "rewrites the file system").needs("--repair --init-csum-tree --init-extent-tree"),
    ]),
    programs("mdadm").rows(&[
        formats("", "the array's disks").needs("--zero-superblock --create -C --build -B"),
        disrupts("", "stop or break up an array").needs("--stop -S --remove -r --fail --set-faulty"),
    ]),
    programs("cryptsetup").valued("--type -c --cipher -h --hash -s --key-size -d --key-file ").rows(&[
        formats("luksFormat|erase|luksErase|format", "the encrypted volume"),
        destroys("luksKillSlot|luksRemoveKey|luksHeaderRestore|reencrypt", "may lock the volume for ever"),
    ]),
    programs("diskutil").rows(&[
        formats(
            "eraseDisk|erasedisk|eraseVolume|erasevolume|partitionDisk|partitiondisk|reformat|\
                 zeroDisk|zerodisk|secureErase|secureerase|randomDisk|randomdisk|eraseOptical",
            "the disk",
        ),
        formats(
            "apfs|ap|cs|coreStorage|appleRAID|ar deleteContainer|deleteVolume|deleteVolumeGroup|\
                 eraseVolume|delete|deleteLVG",
            "the volume",
        ),
        destroys("apfs|ap deleteSnapshot", "deletes a snapshot"),
        destroys("mergePartitions|splitPartition|resizeVolume|resizeDisk", "changes the partitions"),
    ]),
    programs("asr").rows(&[formats("restore", "the target volume").needs("--erase -erase")]),
    programs("tmutil").rows(&[
        destroys(
            "delete|deletelocalsnapshots|deleteinprogress|thinlocalsnapshots|removedestination",
            "deletes backups",
        ),
        disrupts("disable", "stop the backups"),
    ]),
    programs("hdparm").rows(&[formats("", "the disk")
        .needs("--security-erase* --trim-sector-ranges* --make-bad-sector --write-sector --sanitize-*")]),
    programs("nvme").rows(&[formats("format|sanitize|write-zeroes|delete-ns|dsm|write-uncor", "the disk")]),
    programs("dmsetup").rows(&[disrupts(
        "remove|remove_all|wipe_table|clear|suspend",
        "take a volume away from what uses it",
    )]),
    programs("ceph rbd rados gluster drbdadm")
        .valued("-c --conf -n --name -p --pool --cluster")
        .reads("list ls info status show df")
        .rows(&[destroys(
            "* purge|destroy|rm|delete|remove|rmpool|wipe-md|create-md|invalidate|remove-brick",
            "deletes stored data for good",
        )]),
    programs("fastboot").valued("-s").rows(&[destroys(
        "erase|flash|format|flashall|flashing|oem|update",
        "erases or overwrites the device",
    )]),
];

/// Programs that write to the device that they are given, unless an option says that they only look.
pub(crate) const WRITERS: &[(&str, &str, &str)] = &[
    // Name, what it needs to write, what makes it look only.
    ("mkswap", "", ""),
    ("mke2fs", "", "-n"),
    ("mkdosfs", "", ""),
    ("mkntfs", "", "-n --no-action"),
    ("newfs", "", "-N"),
    ("wipefs", "-a --all -o --offset", "-n --no-act"),
    ("fdisk", "", "-l --list -s --getsz -x --list-details -v --version"),
    (
        "sfdisk",
        "",
        "-l --list -d --dump -J --json -V --verify -F --list-free -n --no-act -s --show-size -T --list-types",
    ),
    (
        "sgdisk",
        "-Z --zap* -z -o --clear -n* --new* -d* --delete* -t* --typecode* -c* --change-name* -g --mbrtogpt -l* --load* \
         -G -R* -s --sort -A* -U* -m* -e -r* -u*",
        "-P --pretend",
    ),
    ("gdisk", "", "-l"),
    ("cfdisk", "", ""),
    ("cgdisk", "", ""),
    (
        "parted",
        "mklabel mktable mkpart mkpartfs rm resizepart resize move set name rescue toggle disk_set",
        "",
    ),
    ("blkdiscard", "", ""),
    ("badblocks", "-w", ""),
    ("scrub", "", ""),
    ("nwipe", "", ""),
    ("sg_format", "", ""),
    ("sg_sanitize", "", ""),
    ("flash_erase", "", ""),
    ("xfs_repair", "-L", "-n"),
    ("resize2fs", "-M", ""),
    ("debugfs", "-w", ""),
    ("bcachefs", "format", ""),
];

/// Where a program stands in the list.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static NAMED: NameTable<usize, 64> = {
    let (mut named, mut at) = (NameTable::new(), 0);
    while at < WRITERS.len() {
        named.put(WRITERS[at].0, at);
        at += 1;
    }
    named
};

/// The program of that name: what it needs to write, and what makes it look only.
pub(crate) fn writer(program: &str) -> Option<(&'static str, &'static str)> {
    WRITERS.get(NAMED.find(program)?).map(|(_, needs, unless)| (*needs, *unless))
}

pub(crate) fn survey(line: &ProgramLine<'_>, meaning: &mut Meaning) {
    let (needs, unless) = match line.program {
        name if name.starts_with("mkfs") || name.starts_with("newfs_") => ("", "-N"),
        name => match writer(name) {
            Some(writer) => writer,
            None => return,
        },
    };
    if line.has(unless) || line.has("--help --version -V") || !(needs.is_empty() || line.has(needs)) {
        return;
    }
    for word in line.arguments {
        match word.literal() {
            // A file or memory that looks like a disk.
            Some(text)
                if ["/dev/loop", "/dev/ram", "/dev/zram"].iter().any(|start| text.starts_with(start)) =>
            {
                let what = format!("`{} {text}` overwrites whatever that stands for", line.program);
                meaning.effects.push(Effect::Destroy { what });
            }
            Some(text) if text.starts_with("/dev/") => {
                meaning.effects.push(Effect::Format { device: text.into() })
            }
            None if word.starts_with("/dev/") => {
                meaning.effects.push(Effect::Format { device: word.text_lossy().into_owned() })
            }
            // A device that only the shell will know.
            None if !word.starts_with("-") => {
                let what = format!("`{} {}` overwrites whatever that is", line.program, word.text_lossy());
                meaning.effects.push(Effect::Destroy { what });
            }
            Some(_) | None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pure::step::Decision;
    use crate::pure::step::sample::shell;

    #[test]
    fn looking_at_a_disk_is_no_writing_to_it() {
        for command in [
            "fdisk -l /dev/sda",
            "sfdisk -d /dev/sda > table.txt",
            "parted /dev/sda print",
            "wipefs /dev/sda",
            "sgdisk -p /dev/sda",
            "mkfs.ext4 -F build/disk.img",
            "mkswap swapfile",
            "xfs_repair -n /dev/sda1",
        ] {
            assert!(shell(command).decision < Decision::Ask, "{command}");
        }
    }

    #[test]
    fn writing_to_a_disk_is_seen_in_every_spelling() {
        for command in [
            "mkfs -t ext4 /dev/sdb",
            "sudo mkfs.xfs -L data /dev/sdc1",
            "wipefs --all /dev/sda",
            "parted -s /dev/sda mklabel gpt",
            "echo ',,L' | sfdisk /dev/sda",
            "sgdisk --zap-all /dev/nvme0n1",
            "blkdiscard /dev/sda",
            "mkfs.ext4 \"$DISK\"",
        ] {
            assert!(shell(command).decision >= Decision::Ask, "{command}");
        }
    }
}
