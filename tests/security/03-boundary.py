"""Tries to leave a sandbox. Prints as JSON what could be reached; each argument is name=value."""

import glob
import json
import os
import socket
import subprocess
import sys


def attempt(work):
    try:
        return work()
    except OSError as error:
        return type(error).__name__


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path):
    with open(path, "a", encoding="utf-8") as file:
        file.write("changed")
    return "written"


def open_to_write(path):
    """Changes nothing: the file is that of the checkout."""
    with open(path, "r+", encoding="utf-8"):
        return "opened"


def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as client:
        client.settimeout(5)
        client.connect(address)
    return "connected"


def find_in_processes(secret):
    """The environments, memory maps and folders of all processes, as /proc has them."""
    found = []
    for folder in glob.glob("/proc/[0-9]*"):
        environment = attempt(lambda: open(folder + "/environ", "rb").read())
        if isinstance(environment, bytes) and secret.encode() in environment:
            found.append(folder)
    return found


def run(*command):
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    return ended.returncode


known = dict(word.split("=", 1) for word in sys.argv[1:])
outside = known["pid"]
print(
    json.dumps(
        {
            "pid": os.getpid(),
            "file": attempt(lambda: read(known["file"])),
            "write": attempt(lambda: write(known["file"])),
            "throughProcess": attempt(lambda: read(f"/proc/{outside}/root{known['file']}")),
            "state": attempt(lambda: read(known["state"])),
            "records": attempt(lambda: sorted(os.listdir(known["records"]))),
            "variable": os.environ.get("DESKMAP_TEST_SECRET"),
            "environments": find_in_processes(known["secret"]),
            "display": attempt(lambda: connect(socket.AF_UNIX, known["display"])),
            "abstractDisplay": attempt(lambda: connect(socket.AF_UNIX, "\0" + known["display"])),
            "network": attempt(lambda: connect(socket.AF_INET, ("127.0.0.1", int(known["port"])))),
            "remount": run("mount", "-o", "remount,rw,bind", "/usr"),
            # In namespaces of its own it may mount, but not change or take away what was mounted before.
            "own": run("unshare", "-Urm", "mount", "-t", "tmpfs", "none", "/run"),
            "ownRemount": run("unshare", "-Urm", "mount", "-o", "remount,rw,bind", "/usr"),
            "ownUncover": run("unshare", "-Urm", "umount", os.path.dirname(known["state"])),
            "checkout": attempt(lambda: open_to_write(known["checkout"])),
            "capabilities": [line.split()[1] for line in read("/proc/self/status").split("\n") if line.startswith("CapEff")],
            "privileges": [line.split()[1] for line in read("/proc/self/status").split("\n") if line.startswith("NoNewPrivs")],
        }
    )
)
