"""store - a store under test, and the programs that own and read it"""
import http.client
import json
import os
import signal
import socket
import subprocess
import time

PATIENCE = 60  # seconds after which an answer, an end or a start counts as a hang

TABLE = ["create-table", "tab", "--key", "PK,SK:N", "--gsi", "byG=G,n:N", "--stream", "NEW_IMAGE"]


class Failure(Exception):
    """A failure that the campaign has found."""


class Skipped(Exception):
    """The kind cannot run here."""


class Programs:
    def __init__(self, build):
        self.itemctl = os.path.abspath(os.path.join(build, "tools/itemctl"))
        self.itemfs = os.path.abspath(os.path.join(build, "fs/itemfs"))
        self.recorder = os.path.abspath(os.path.join(build, "tests/crash/recorder.so"))


class Unix(http.client.HTTPConnection):
    """HTTP over the socket of the store."""

    def __init__(self, path):
        super().__init__("localhost", timeout=PATIENCE)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def wait_until(what, condition):
    until = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > until:
            raise Failure(f"{what}: not within {PATIENCE} s")
        time.sleep(0.005)


def is_aborted(status):
    """Return true if a signal or a sanitizer ended the program."""
    return status < 0 or status > 128 or status == 99


class Store:
    """A store directory, read while it has no owner.  @environment: that of the programs, for instance of a recording"""

    def __init__(self, programs, path, environment=None):
        self.programs = programs
        self.path = path
        self.environment = environment

    def ctl(self, *words, text=None):
        """Run itemctl; Return: status, standard output, messages."""
        try:
            done = subprocess.run([self.programs.itemctl, "-s", self.path, *words], input=text, capture_output=True,
                                  text=True, errors="replace", timeout=PATIENCE, check=False, env=self.environment)
        except subprocess.TimeoutExpired:
            raise Failure(f"itemctl {' '.join(words)}: hangs") from None
        if is_aborted(done.returncode):
            raise Failure(f"itemctl {' '.join(words)}: ended with {done.returncode}: {done.stderr[-2000:]}")
        return done.returncode, done.stdout, done.stderr

    def ask(self, *words):
        """Run itemctl; Return: its output.  An error is a failure of the campaign."""
        status, out, messages = self.ctl(*words)
        if status != 0:
            raise Failure(f"itemctl {' '.join(words)}: status {status}: {out[-1000:]}{messages[-1000:]}")
        return out

    def create(self):
        self.ask("-q", *TABLE)

    def check(self):
        self.ask("check")

    def items(self):
        """Return: key -> n, for all items."""
        return {(i["PK"], i["SK"]): i["n"] for i in map(json.loads, self.ask("scan", "tab").splitlines())}

    def changes(self, after):
        """Return the stream records after @after: (seq, key, n or None) each."""
        lines = self.ask("tail", "tab", "--from", after or "start", "--once").splitlines()
        return [(r["seq"], (r["Keys"]["PK"], r["Keys"]["SK"]), r.get("NewImage", {}).get("n"))
                for r in map(json.loads, lines)]

    def texts(self):
        """Return the saved texts of scratch files and refused files, (name, text, promised) each, and remove them.

        Texts that existed before are not promised: no writer was told that a refused text is on the disk.
        """
        folder = os.path.join(self.path, "rejected")
        before = os.listdir(folder) if os.path.isdir(folder) else []
        if os.path.isdir(os.path.join(self.path, "scratch")):
            Owner(self).end(signal.SIGTERM)
        texts = []
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                texts.append((name, file.read(), name not in before))
            os.unlink(path)
        return texts


class Owner:
    """An itemfs that owns the store.  @mountpoint None: it only serves"""

    alive = []  # owners that have not ended

    def __init__(self, store, mountpoint=None):
        self.store = store
        self.mountpoint = mountpoint
        command = [store.programs.itemfs, store.path, "-f"]
        command += ["--no-mount"] if mountpoint is None else [mountpoint, "-o", "table=tab"]
        self.log = open(store.path + ".log", "ab")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, env=store.environment)
        Owner.alive.append(self)
        wait_until("the owner's start", self.answers)

    def answers(self):
        if self.process.poll() is not None:
            with open(self.log.name, errors="replace") as log:
                raise Failure(f"the owner ended with {self.process.returncode}: {log.read()[-2000:]}")
        probe = socket.socket(socket.AF_UNIX)
        try:
            probe.connect(self.store.path + "/socket")
        except OSError:
            return False
        finally:
            probe.close()
        return self.mountpoint is None or os.path.ismount(self.mountpoint)

    def end(self, number):
        """Send the signal, wait for the end, and remove the rest of the mount."""
        self.process.send_signal(number)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.unmount("-f")
            raise Failure(f"the owner is still there {PATIENCE} s after signal {number}") from None
        self.log.close()
        Owner.alive.remove(self)
        if self.mountpoint is not None and number == signal.SIGKILL:
            self.unmount("-l")
        expected = -signal.SIGKILL if number == signal.SIGKILL else 0
        if self.process.returncode != expected:
            with open(self.log.name, errors="replace") as log:
                raise Failure(f"the owner ended with {self.process.returncode}, not {expected}: {log.read()[-2000:]}")

    def unmount(self, how):
        subprocess.run(["umount", how, self.mountpoint], stderr=subprocess.DEVNULL, check=False)

    @classmethod
    def abandon(cls):
        """Kill the owners that a failure has left."""
        for owner in cls.alive:
            owner.process.kill()
            owner.process.wait()
            if owner.mountpoint is not None:
                owner.unmount("-l")
        cls.alive = []
