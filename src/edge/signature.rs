//! Edge: ssh signatures, made and checked by the user's ssh-keygen. Agents, confirmation at each use and hardware keys work
//! because ssh asks for them.

use crate::edge::run::{ProgramSearch, drain, exit_of};
use crate::pure::attestation::{NAMESPACE, armored, public_key, unarmored};
use camino::{Utf8Path, Utf8PathBuf};
use rustix::process::Pid;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::Duration;
use tempfile::{NamedTempFile, TempDir};

/// A person may have to find the hardware key first.
const SIGNING: Duration = Duration::from_secs(5 * 60);
const CHECKING: Duration = Duration::from_secs(30);

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("ssh-keygen is not installed (Debian, Ubuntu: package openssh-client)")]
    NoProgram,
    #[error("could not start ssh-keygen")]
    Start(#[source] io::Error),
    #[error("could not write a file for ssh-keygen")]
    Scratch(#[source] io::Error),
    #[error("ssh-keygen did not end within {0} seconds")]
    Deadline(u64),
    #[error("ssh-keygen could not sign: {0}")]
    Sign(String),
}

/// The key to sign with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SigningKey {
    /// A private key, or the public half of one that the ssh agent or a hardware key holds.
    File(Utf8PathBuf),
    /// The public key itself; the ssh agent has the other half.
    Public(String),
}

/// ssh-keygen on this machine, never from inside the project.
#[derive(Debug)]
pub struct SshKeygen {
    program: Utf8PathBuf,
}

/// People who may sign, ready to be asked about many signatures.
#[derive(Debug)]
pub struct Signers {
    keygen: SshKeygen,
    directory: TempDir,
    list: Utf8PathBuf,
    /// Whose key it is, by key.
    known: RefCell<BTreeMap<Vec<u8>, Option<String>>>,
}

struct Ended {
    success: bool,
    stdout: Vec<u8>,
    stderr: String,
}

impl SshKeygen {
    pub fn find(project: &Utf8Path) -> Result<Self, Error> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = path.to_string_lossy();
        let search = ProgramSearch { directory: project, path: &path, project: Some(project) };
        let program = search.locate("ssh-keygen").ok_or(Error::NoProgram)?;
        if program.starts_with(project) { Err(Error::NoProgram) } else { Ok(Self { program }) }
    }

    /// The signature of the message, in the binary form.
    pub fn sign(&self, key: &SigningKey, message: &[u8]) -> Result<Vec<u8>, Error> {
        let mut public = None;
        let (file, options): (String, &[&str]) = match key {
            SigningKey::File(path) => (path.to_string(), &[]),
            SigningKey::Public(text) => {
                let mut file = NamedTempFile::new().map_err(Error::Scratch)?;
                file.write_all(format!("{text}\n").as_bytes()).map_err(Error::Scratch)?;
                let path = file.path().to_string_lossy().into_owned();
                public = Some(file);
                (path, &["-U"])
            }
        };
        let arguments = [&["-Y", "sign", "-n", NAMESPACE, "-f", &file], options].concat();
        let ended = self.run(&arguments, message, SIGNING)?;
        drop(public);
        let signature = unarmored(&String::from_utf8_lossy(&ended.stdout)).filter(|_| ended.success);
        signature.ok_or_else(|| Error::Sign(ended.stderr.trim().to_owned()))
    }

    /// Ready to check signatures against a list in ssh's format of allowed signers.
    pub fn signers(self, list: &[u8]) -> Result<Signers, Error> {
        let directory = tempfile::Builder::new().prefix("plimsoll-").tempdir().map_err(Error::Scratch)?;
        let path = written(&directory, "allowed-signers", list)?;
        Ok(Signers { keygen: self, directory, list: path, known: RefCell::default() })
    }

    /// In our own process group: a passphrase is asked at the terminal.
    fn run(&self, arguments: &[&str], input: &[u8], patience: Duration) -> Result<Ended, Error> {
        let mut command = Command::new(&self.program);
        command.args(arguments).env("LC_ALL", "C").current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(Error::Start)?;
        let ended = attend(&mut child, input.to_vec(), patience);
        if ended.is_err() {
            let _ = child.kill();
            let _ = child.wait();
        }
        ended
    }
}

impl Signers {
    /// The signer of the message, or the reason why the signature does not count.
    pub fn signer(&self, message: &[u8], signature: &[u8]) -> Result<Result<String, String>, Error> {
        let file = written(&self.directory, "signature", armored(signature).as_bytes())?;
        let Some(key) = public_key(signature) else { return Ok(Err("it is not an ssh signature".into())) };
        let known = self.known.borrow().get(key).cloned();
        let name = match known {
            Some(name) => name,
            None => {
                let name = self.owner(&file)?;
                self.known.borrow_mut().insert(key.to_owned(), name.clone());
                name
            }
        };
        let Some(name) = name else {
            return Ok(Err("the key is not in the list of allowed signers".into()));
        };
        let (list, file) = (self.list.as_str(), file.as_str());
        let check = ["-Y", "verify", "-n", NAMESPACE, "-f", list, "-I", &name, "-s", file];
        let checked = self.keygen.run(&check, message, CHECKING)?;
        Ok(if checked.success { Ok(name) } else { Err(first_line(&checked)) })
    }

    fn owner(&self, signature: &Utf8Path) -> Result<Option<String>, Error> {
        let arguments = ["-Y", "find-principals", "-s", signature.as_str(), "-f", self.list.as_str()];
        let found = self.keygen.run(&arguments, b"", CHECKING)?;
        let names = String::from_utf8_lossy(&found.stdout).into_owned();
        let name = names.lines().next().map(str::to_owned);
        Ok(name.filter(|name| found.success && !name.is_empty()))
    }
}

fn first_line(ended: &Ended) -> String {
    let said = format!("{}\n{}", ended.stderr, String::from_utf8_lossy(&ended.stdout));
    said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it does not fit").to_owned()
}

fn written(directory: &TempDir, name: &str, bytes: &[u8]) -> Result<Utf8PathBuf, Error> {
    let path = Utf8PathBuf::from_path_buf(directory.path().join(name))
        .map_err(|_| Error::Scratch(io::ErrorKind::InvalidInput.into()))?;
    std::fs::write(&path, bytes).map_err(Error::Scratch)?;
    Ok(path)
}

fn attend(child: &mut Child, input: Vec<u8>, patience: Duration) -> Result<Ended, Error> {
    if let Some(mut stdin) = child.stdin.take() {
        thread::spawn(move || stdin.write_all(&input));
    }
    let (stdout, stderr) = (Arc::default(), Arc::default());
    let drained = [
        child.stdout.take().map(|pipe| drain(pipe, Arc::clone(&stdout))),
        child.stderr.take().map(|pipe| drain(pipe, Arc::clone(&stderr))),
    ];
    exit_of(Pid::from_child(child))
        .recv_timeout(patience)
        .map_err(|_| Error::Deadline(patience.as_secs()))?;
    for pipe in drained.into_iter().flatten() {
        let _ = pipe.recv_timeout(CHECKING);
    }
    let status = child.wait().map_err(Error::Start)?;
    let bytes = |captured: &Arc<std::sync::Mutex<crate::edge::run::CapturedOutput>>| {
        captured.lock().unwrap_or_else(PoisonError::into_inner).bytes()
    };
    Ok(Ended {
        success: status.success(),
        stdout: bytes(&stdout),
        stderr: String::from_utf8_lossy(&bytes(&stderr)).into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Place {
        directory: TempDir,
    }

    impl Place {
        fn new() -> Self {
            Self { directory: tempfile::tempdir().unwrap() }
        }

        fn path(&self, name: &str) -> Utf8PathBuf {
            Utf8PathBuf::from_path_buf(self.directory.path().join(name)).unwrap()
        }

        /// A new key, and its line in the list of allowed signers.
        fn key(&self, name: &str) -> (SigningKey, String) {
            let file = self.path(name);
            let made = Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", file.as_str()])
                .status();
            assert!(made.unwrap().success());
            let public = std::fs::read_to_string(format!("{file}.pub")).unwrap();
            (SigningKey::File(file), format!("{name}@example.invalid {public}"))
        }
    }

    fn keygen() -> SshKeygen {
        SshKeygen::find(Utf8Path::new("/nowhere")).unwrap()
    }

    #[test]
    fn a_signature_names_its_signer_and_fits_one_message() {
        let place = Place::new();
        let (ada, list) = place.key("ada");
        let signature = keygen().sign(&ada, b"message").unwrap();
        let signers = keygen().signers(list.as_bytes()).unwrap();
        assert_eq!(signers.signer(b"message", &signature).unwrap(), Ok("ada@example.invalid".into()));
        assert!(signers.signer(b"another", &signature).unwrap().is_err());
        let mut broken = signature.clone();
        *broken.last_mut().unwrap() ^= 1;
        assert!(signers.signer(b"message", &broken).unwrap().is_err());
        assert!(signers.signer(b"message", b"rubbish").unwrap().is_err());
    }

    #[test]
    fn a_key_that_is_not_in_the_list_signs_for_nobody() {
        let place = Place::new();
        let ((_, list), (eve, _)) = (place.key("ada"), place.key("eve"));
        let signature = keygen().sign(&eve, b"message").unwrap();
        let said = keygen().signers(list.as_bytes()).unwrap().signer(b"message", &signature).unwrap();
        assert!(said.unwrap_err().contains("allowed signers"));
        let nobody = keygen().signers(b"").unwrap().signer(b"message", &signature).unwrap();
        assert!(nobody.is_err());
    }

    #[test]
    fn a_signature_for_another_purpose_does_not_count() {
        let place = Place::new();
        let (ada, list) = place.key("ada");
        let SigningKey::File(file) = &ada else { panic!() };
        let arguments = ["-Y", "sign", "-n", "git", "-f", file.as_str()];
        let ended = keygen().run(&arguments, b"message", CHECKING).unwrap();
        let signature = unarmored(&String::from_utf8_lossy(&ended.stdout)).unwrap();
        assert!(keygen().signers(list.as_bytes()).unwrap().signer(b"message", &signature).unwrap().is_err());
    }

    #[test]
    fn a_missing_key_is_an_error_that_says_so() {
        let key = SigningKey::File("/nowhere/key".into());
        let error = keygen().sign(&key, b"message").unwrap_err().to_string();
        assert!(error.contains("/nowhere/key"), "{error}");
    }
}
