//! Which call of a parallel batch this is. The hooks of a batch start together, so each adds one byte to a file and looks
//! where it landed. The first end of a batch makes the file: a client that tells of none is never held to a limit.

use super::error::Error;
use super::layout::StateLayout;
use crate::edge::file;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;

/// 1 for the first call; `None` where no batch of this agent has ended yet.
pub(crate) fn place_in_batch(layout: &StateLayout, session: &str, agent: u64) -> Result<Option<u64>, Error> {
    let path = layout.batch(session, agent);
    let mut file = match file::open(OpenOptions::new().append(true), &path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(Error::Write { path, source }),
    };
    file.write_all(b".").map_err(Error::write(&path))?;
    Ok(Some(file.stream_position().map_err(Error::write(&path))?))
}

pub(crate) fn end_batch(layout: &StateLayout, session: &str, agent: u64) -> Result<(), Error> {
    let path = layout.batch(session, agent);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    file::open(&mut options, &path).map(drop).map_err(Error::write(&path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use std::collections::BTreeSet;

    #[test]
    fn calls_that_start_together_get_each_their_own_place() {
        let directory = tempfile::tempdir().unwrap();
        let layout =
            StateLayout::in_repository(&Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap());
        std::fs::create_dir_all(layout.session("s")).unwrap();
        let place = || place_in_batch(&layout, "s", 7).unwrap();
        assert_eq!(place(), None);
        end_batch(&layout, "s", 7).unwrap();
        let places: BTreeSet<u64> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..16).map(|_| scope.spawn(place)).collect();
            threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(places, (1..=16).collect());
        end_batch(&layout, "s", 7).unwrap();
        assert_eq!(place(), Some(1));
        assert_eq!(place_in_batch(&layout, "s", 8).unwrap(), None);
    }
}
