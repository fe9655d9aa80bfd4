//! Disks, volumes and pools.

use super::Meaning;
use super::line::Line;
use super::table::{Tool, destroys, disrupts, formats};
use crate::step::effect::Effect;

pub static TOOLS: &[Tool] = &[
    Tool {
        names: &["lvremove", "vgremove", "pvremove"],
        valued: "",
        reads: "",
        rows: &[
            formats("?", "the volume", "lvremove -f vg0/data", "lvremove -t vg0/data").unless("-t --test")
        ],
    },
    Tool {
        names: &["lvreduce", "vgreduce", "lvresize", "pvcreate", "vgcfgrestore", "lvconvert"],
        valued: "-L --size -l --extents",
        reads: "",
        rows: &[
            formats("*", "what is on the disk", "pvcreate -ff /dev/sdb", "pvcreate --test /dev/sdb")
                .needs("-ff --force -y")
                .unless("-t --test"),
            destroys(
                "?",
                "cuts off or overwrites part of a volume",
                "lvreduce -L 5G vg0/data",
                "lvresize -L +5G vg0/data",
            )
            .unless("-t --test -L=+* -l=+* --size=+* --extents=+*"),
        ],
    },
    Tool {
        names: &["snapper", "timeshift", "docker-machine"],
        valued: "-c --config -s --storage-path",
        reads: "",
        rows: &[
            destroys("delete|rm|remove", "deletes what is kept there", "snapper delete 1-10", "snapper list"),
            destroys("", "deletes snapshots of the system", "timeshift --delete-all", "timeshift --list")
                .needs("--delete --delete-all"),
        ],
    },
    Tool {
        names: &["zpool"],
        valued: "",
        reads: "",
        rows: &[
            formats("destroy|labelclear", "the pool", "zpool destroy tank", "zpool status tank"),
            destroys(
                "create|add|replace|remove|detach|split|offline|export",
                "overwrites disks or takes them out of the pool",
                "zpool create tank /dev/sdb",
                "zpool list",
            )
            .unless("-n"),
        ],
    },
    Tool {
        names: &["zfs"],
        valued: "",
        reads: "",
        rows: &[
            destroys(
                "destroy",
                "deletes a snapshot",
                "zfs destroy tank/home@monday",
                "zfs destroy -n tank/x@y",
            )
            .needs("*@*")
            .unless("-n"),
            formats("destroy", "the file system", "zfs destroy -r tank/home", "zfs list -r tank/home")
                .unless("-n"),
            destroys(
                "rollback",
                "loses everything written since the snapshot",
                "zfs rollback -r tank/home@monday",
                "zfs diff tank/home@monday",
            ),
            destroys(
                "receive|recv",
                "overwrites the file system",
                "zfs receive -F tank/home",
                "zfs receive tank/new",
            )
            .needs("-F"),
        ],
    },
    Tool {
        names: &["btrfs"],
        valued: "",
        reads: "",
        rows: &[
            destroys(
                "subvolume|sub|su|subvol delete|del",
                "deletes the subvolume or snapshot",
                "btrfs subvolume delete /mnt/home",
                "btrfs subvolume list /mnt",
            ),
            destroys(
                "device|dev remove|rem|delete|del",
                "takes a disk out of the file system",
                "btrfs device remove /dev/sdb /mnt",
                "btrfs device usage /mnt",
            ),
            destroys(
                "check",
                "rewrites the file system",
                "btrfs check --repair /dev/sdb",
                "btrfs check /dev/sdb",
            )
            .needs("--repair --init-csum-tree --init-extent-tree"),
        ],
    },
    Tool {
        names: &["mdadm"],
        valued: "",
        reads: "",
        rows: &[
            formats(
                "",
                "the array's disks",
                "mdadm --zero-superblock /dev/sdb1",
                "mdadm --examine /dev/sdb1",
            )
            .needs("--zero-superblock --create -C --build -B"),
            disrupts("", "stop or break up an array", "mdadm --stop /dev/md0", "mdadm --detail /dev/md0")
                .needs("--stop -S --remove -r --fail --set-faulty"),
        ],
    },
    Tool {
        names: &["cryptsetup"],
        valued: "--type -c --cipher -h --hash -s --key-size -d --key-file ",
        reads: "",
        rows: &[
            formats(
                "luksFormat|erase|luksErase|format",
                "the encrypted volume",
                "cryptsetup luksFormat /dev/sdb",
                "cryptsetup luksDump /dev/sdb",
            ),
            destroys(
                "luksKillSlot|luksRemoveKey|luksHeaderRestore|reencrypt",
                "may lock the volume for ever",
                "cryptsetup luksKillSlot /dev/sdb 0",
                "cryptsetup status x",
            ),
        ],
    },
    Tool {
        names: &["diskutil"],
        valued: "",
        reads: "",
        rows: &[
            formats(
                "eraseDisk|erasedisk|eraseVolume|erasevolume|partitionDisk|partitiondisk|reformat|zeroDisk|zerodisk|\
                 secureErase|secureerase|randomDisk|randomdisk|eraseOptical",
                "the disk",
                "diskutil eraseDisk APFS x disk2",
                "diskutil list",
            ),
            formats(
                "apfs|ap|cs|coreStorage|appleRAID|ar deleteContainer|deleteVolume|deleteVolumeGroup|eraseVolume|delete|\
                 deleteLVG",
                "the volume",
                "diskutil apfs deleteContainer disk2",
                "diskutil apfs list",
            ),
            destroys(
                "apfs|ap deleteSnapshot",
                "deletes a snapshot",
                "diskutil apfs deleteSnapshot disk2s1 -uuid x",
                "diskutil apfs listSnapshots disk2s1",
            ),
            destroys(
                "mergePartitions|splitPartition|resizeVolume|resizeDisk",
                "changes the partitions",
                "diskutil mergePartitions JHFS+ x disk2s1 disk2s2",
                "diskutil info disk2",
            ),
        ],
    },
    Tool {
        names: &["asr"],
        valued: "",
        reads: "",
        rows: &[formats(
            "restore",
            "the target volume",
            "asr restore --source x.dmg --target /dev/disk2 --erase",
            "asr imagescan --source x.dmg",
        )
        .needs("--erase -erase")],
    },
    Tool {
        names: &["tmutil"],
        valued: "",
        reads: "",
        rows: &[
            destroys(
                "delete|deletelocalsnapshots|deleteinprogress|thinlocalsnapshots|removedestination",
                "deletes backups",
                "tmutil deletelocalsnapshots /",
                "tmutil listlocalsnapshots /",
            ),
            disrupts("disable", "stop the backups", "sudo tmutil disable", "tmutil status"),
        ],
    },
    Tool {
        names: &["hdparm"],
        valued: "",
        reads: "",
        rows: &[formats("", "the disk", "hdparm --security-erase x /dev/sdb", "hdparm -I /dev/sdb")
            .needs("--security-erase* --trim-sector-ranges* --make-bad-sector --write-sector --sanitize-*")],
    },
    Tool {
        names: &["nvme"],
        valued: "",
        reads: "",
        rows: &[formats(
            "format|sanitize|write-zeroes|delete-ns|dsm|write-uncor",
            "the disk",
            "nvme format /dev/nvme0n1",
            "nvme list",
        )],
    },
    Tool {
        names: &["dmsetup"],
        valued: "",
        reads: "",
        rows: &[disrupts(
            "remove|remove_all|wipe_table|clear|suspend",
            "take a volume away from what uses it",
            "dmsetup remove_all",
            "dmsetup ls",
        )],
    },
    Tool {
        names: &["ceph", "rbd", "rados", "gluster", "drbdadm"],
        valued: "-c --conf -n --name -p --pool --cluster",
        reads: "list ls info status show df",
        rows: &[destroys(
            "* purge|destroy|rm|delete|remove|rmpool|wipe-md|create-md|invalidate|remove-brick",
            "deletes stored data for good",
            "ceph osd pool delete data data --yes-i-really-really-mean-it",
            "ceph osd pool ls",
        )],
    },
    Tool {
        names: &["fastboot"],
        valued: "-s",
        reads: "",
        rows: &[destroys(
            "erase|flash|format|flashall|flashing|oem|update",
            "erases or overwrites the device",
            "fastboot erase userdata",
            "fastboot devices",
        )],
    },
];

/// Programs that write to the device that they are given, unless an option says that they only look.
pub const WRITERS: &[(&str, &str, &str)] = &[
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

pub fn survey(line: &Line<'_>, meaning: &mut Meaning) {
    let (needs, unless) = match line.program {
        name if name.starts_with("mkfs") || name.starts_with("newfs_") => ("", "-N"),
        name => match WRITERS.iter().find(|(writer, ..)| *writer == name) {
            Some((_, needs, unless)) => (*needs, *unless),
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
    use crate::step::Course;
    use crate::step::sample::shell;

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
            assert!(shell(command).course < Course::Ask, "{command}");
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
            assert!(shell(command).course >= Course::Ask, "{command}");
        }
    }
}
