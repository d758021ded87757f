//! Slurm for tests: a cluster of one node in a temporary directory, not a system service.
//!
//! The cluster ends with the test that uses it, or with the test process, even if the process is
//! killed.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Time limit for Slurm's start.
const START_TIMEOUT: Duration = Duration::from_secs(90);
/// Starts the daemons, and ends them when the other end of standard input is closed. Slurm signs
/// its messages with munge, whose socket must exist first.
const SERVE: &str = r#"
PATH=$PATH:/usr/sbin:/sbin
head -c 1024 /dev/urandom >key && chmod 400 key
munged --foreground --key-file="$PWD/key" --socket="$PWD/munge" --pid-file="$PWD/munge.pid" \
    --seed-file="$PWD/seed" --num-threads=10 >munge.log 2>&1 &
daemons=$!
until [ -S munge ] || ! kill -0 $daemons; do sleep 0.05; done
slurmctld -D -f "$SLURM_CONF" >slurmctld.log 2>&1 &
daemons="$! $daemons"
slurmd -D -N one -f "$SLURM_CONF" >slurmd.log 2>&1 &
daemons="$! $daemons"
read -r _
kill $daemons
for second in 1 2 3 4 5; do
    kill -0 $daemons 2>/dev/null || break
    sleep 1
done
kill -KILL $daemons 2>/dev/null
wait
"#;

/// Message for a machine without Slurm.
const MISSING: &str = "Slurm is missing: install it (on Debian: `apt-get install slurm-wlm`; no \
                       service of it is used), or let `.ci/deep --install` do so";

/// Running cluster.
pub(super) struct Slurm {
    root: TempDir,
    daemons: Child,
    /// Standard input of the daemons' shell, which ends the cluster once this input is closed.
    leash: Option<ChildStdin>,
}

impl Slurm {
    /// Starts a cluster whose node takes jobs.
    pub(super) fn start() -> Self {
        let version = Command::new("sbatch").arg("--version").output();
        assert!(version.is_ok(), "{MISSING}");
        let root = tempfile::tempdir().expect("a directory");
        // munge requires that every user can reach its socket.
        let rights = fs::Permissions::from_mode(0o755);
        fs::set_permissions(root.path(), rights).expect("rights");
        for directory in ["state", "spool"] {
            fs::create_dir(root.path().join(directory)).expect("a directory");
        }
        let slurm = Self::configured_in(root);
        slurm.wait();
        slurm
    }

    fn configured_in(root: TempDir) -> Self {
        let here = root.path().display();
        let (host, user) = (output_of("hostname", &["-s"]), output_of("id", &["-un"]));
        let free = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a free port"));
        let [control, node] = free.map(|free| free.local_addr().expect("its port").port());
        let configuration = format!(
            "ClusterName=war
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmctldPidFile={here}/slurmctld.pid
SlurmdPort={node}
SlurmdPidFile={here}/slurmd.pid
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={here}/munge
StateSaveLocation={here}/state
SlurmdSpoolDir={here}/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
MpiDefault=none
NodeName=one NodeHostname={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=one Default=YES State=UP
"
        );
        fs::write(root.path().join("slurm.conf"), configuration).expect("a file");
        let mut daemons = Command::new("sh");
        daemons.args(["-c", SERVE]).current_dir(root.path());
        daemons.env("SLURM_CONF", root.path().join("slurm.conf"));
        let mut daemons = daemons.stdin(Stdio::piped()).spawn().expect("a shell");
        let leash = daemons.stdin.take();
        Self {
            root,
            daemons,
            leash,
        }
    }

    /// Configures a command to use this cluster.
    pub(super) fn configured<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("SLURM_CONF", self.path("slurm.conf"))
    }

    /// Logs of the daemons.
    pub(super) fn logs(&self) -> String {
        let logs = ["munge.log", "slurmctld.log", "slurmd.log"];
        let read = |log| fs::read_to_string(self.path(log)).unwrap_or_default();
        logs.map(|log| format!("{log}:\n{}", read(log))).concat()
    }

    /// Waits until the node is idle.
    fn wait(&self) {
        let start = Instant::now();
        loop {
            let mut ask = Command::new("sinfo");
            let nodes = self
                .configured(ask.args(["--noheader", "--format=%T"]))
                .output();
            let nodes = nodes.expect("sinfo").stdout;
            if nodes.starts_with(b"idle") {
                return;
            }
            assert!(start.elapsed() < START_TIMEOUT, "{}", self.logs());
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        drop(self.leash.take());
        self.daemons.wait().expect("the daemons end");
    }
}

/// One-line output of a program.
fn output_of(program: &str, arguments: &[&str]) -> String {
    let said = Command::new(program).args(arguments).output();
    let said = said.expect("a program that every system has").stdout;
    String::from_utf8(said).expect("UTF-8").trim().to_owned()
}
