"""Watches a private desktop without taking part in it, until its input ends: observer.py AUDIT TIMELINE

Writes what applications report, which windows open, close and are renamed, when the picture of the screen is different, and
what Deskmap logs of its actions, one line of JSON each, with the time. Nothing of Deskmap is used here, and nothing is asked
of an application, except of one that reported a change during an action that Deskmap says had none: whether the changed
object is shown. Events come from a monitor of the accessibility bus, so that no application learns of a listener.
"""

import json
import os
import select
import struct
import sys
import time
from collections import deque
from datetime import datetime

from bus import DAEMON, MEMBER, PATH, SENDER, Bus, read_event, read_fields, read_text
from screen import Screen
from Xlib import error

AUDIT, TIMELINE = sys.argv[1:3]
LONGEST_WAIT, LATE = 0.25, 0.5
# More events than this in a moment are counted, not read.
STORM_EVENTS, STORM_SECONDS = 300, 0.2
STATES = {"checked": 4, "enabled": 8, "expanded": 10, "selected": 23}
SHOWING, VISIBLE = 25, 30
# GTK 4 says of what is on the screen only that it is visible.
GTK4_PATH = "/org/gtk/"
MOST_ASKED, MOST_KEPT = 20, 2000


class Timeline:
    def __init__(self, path):
        self.file = open(path, "w", encoding="utf-8")

    def tell(self, kind, **facts):
        print(json.dumps({"t": time.time() * 1000, "kind": kind, **facts}), file=self.file)


class Log:
    """The lines that are added to Deskmap's log. Tests remove it, cut it and replace it."""

    def __init__(self, path):
        self.path, self.file, self.rest = path, None, b""

    def take(self):
        if self.file is None or self.is_replaced():
            try:
                self.file, self.rest = open(self.path, "rb", buffering=0), b""
            except OSError:
                return
        *lines, self.rest = (self.rest + self.file.read()).split(b"\n")
        for line in lines:
            try:
                yield json.loads(line)
            except ValueError:
                continue

    def is_replaced(self):
        try:
            now, held = os.stat(self.path), os.fstat(self.file.fileno())
        except OSError:
            return False
        return now.st_ino != held.st_ino or now.st_size < self.file.tell()


class Applications:
    """Their events, from the accessibility bus, which may end and be started again at another address."""

    def __init__(self, tell):
        self.tell, self.address = tell, ""
        self.monitor = self.asker = None
        self.senders = set()
        self.since, self.count = 0.0, 0
        self.events = deque(maxlen=MOST_KEPT)

    def connect(self, address):
        if address in ("", self.address) and (self.monitor is not None or address == ""):
            return
        self.lose()
        try:
            self.asker, self.monitor = Bus(address), Bus(address)
            self.monitor.become_monitor()
        except OSError:
            self.lose()
            return
        self.address = address
        self.tell("watching", part="bus")

    def lose(self):
        if self.monitor is not None and self.address != "":
            self.tell("lost", part="bus")
        for one in (self.monitor, self.asker):
            if one is not None:
                one.close()
        self.monitor = self.asker = None
        self.address = ""

    def take(self):
        """Handles what has arrived."""
        try:
            while self.monitor is not None and select.select([self.monitor], [], [], 0)[0]:
                for message in self.monitor.receive():
                    self.handle(message)
        except OSError:
            self.lose()

    def sync(self):
        try:
            if self.asker is not None:
                self.asker.call(DAEMON, "/org/freedesktop/DBus", DAEMON, "GetId")
        except OSError:
            self.lose()
        self.take()

    def handle(self, message):
        now = time.monotonic()
        if now - self.since > STORM_SECONDS:
            self.since, self.count = now, 0
        self.count += 1
        if self.count > STORM_EVENTS:
            if self.count == STORM_EVENTS + 1:
                self.tell("storm")
            return
        fields, at = read_fields(message)
        sender, path, member = fields.get(SENDER, ""), fields.get(PATH, ""), fields.get(MEMBER, "")
        try:
            detail, first, _second, text = read_event(message, at)
        except (struct.error, IndexError):
            return
        self.introduce(sender)
        self.events.append((time.time() * 1000, sender, path))
        self.tell("event", sender=sender, path=path, member=member, detail=detail, first=first, text=text)

    def introduce(self, sender):
        if sender in self.senders:
            return
        self.senders.add(sender)
        found = self.asker.call(DAEMON, "/org/freedesktop/DBus", DAEMON, "GetConnectionUnixProcessID", [sender])
        pid = 0 if found is None else struct.unpack_from("<I", found)[0]
        self.tell("sender", sender=sender, pid=pid, names=name_process(pid))

    def ask_about(self, begun_ms, ended_ms):
        """Whether the objects that reported something in that time are shown."""
        self.take()
        sources = {(sender, path) for at, sender, path in self.events if begun_ms <= at <= ended_ms}
        try:
            for sender, path in sorted(sources)[:MOST_ASKED]:
                self.ask(sender, path)
        except OSError:
            # It does not answer, or the bus has ended: nothing is known about the others.
            return

    def ask(self, sender, path):
        accessible = "org.a11y.atspi.Accessible"
        state = self.asker.call(sender, path, accessible, "GetState")
        role = self.asker.call(sender, path, accessible, "GetRoleName")
        if state is None or role is None:
            return
        (bits,) = struct.unpack_from("<I", state, 4)
        is_showing = bool(bits & 1 << (VISIBLE if path.startswith(GTK4_PATH) else SHOWING))
        states = [name for name, bit in STATES.items() if bits & 1 << bit]
        self.tell("source", sender=sender, path=path, showing=is_showing, states=states, role=read_text(role, 0)[0])


def name_process(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().decode("utf-8", "replace").split("\0")
    except OSError:
        return []
    return [os.path.basename(word) for word in words[:2] if word]


class Observer:
    def __init__(self):
        self.timeline = Timeline(TIMELINE)
        self.tell = self.timeline.tell
        self.log = Log(AUDIT)
        self.applications = Applications(self.tell)
        self.screen = None
        self.begun = {}

    def run(self):
        try:
            self.screen = Screen(os.environ["DISPLAY"], self.tell)
            self.tell("watching", part="screen")
        except (error.DisplayError, error.ConnectionClosedError, OSError):
            self.screen = None
        looked = time.time()
        while True:
            # A busy machine, or an application that was asked and does not answer.
            if time.time() - looked > LATE:
                self.tell("late", since=looked * 1000)
            looked = time.time()
            if self.screen is not None and self.applications.monitor is None:
                self.guard_screen(lambda: self.applications.connect(self.screen.read_bus_address()))
            parts = [one for one in (self.screen, self.applications.monitor) if one is not None]
            wait = LONGEST_WAIT if self.screen is None else self.screen.wait_seconds(LONGEST_WAIT)
            ready = select.select([sys.stdin, *parts], [], [], wait)[0]
            self.take()
            if sys.stdin in ready:
                break
        # The answers mean that everything before them has arrived.
        self.applications.sync()
        if self.screen is not None:
            self.guard_screen(self.screen.finish)
        self.tell("ended", cpu=time.process_time())
        self.timeline.file.close()

    def take(self):
        self.applications.take()
        if self.screen is not None:
            self.guard_screen(self.screen.take)
        for line in self.log.take():
            self.take_line(line)
        self.timeline.file.flush()

    def guard_screen(self, use):
        try:
            use()
        except (error.ConnectionClosedError, error.XError, OSError, LookupError) as reason:
            # Xlib raises LookupError for an event that it does not know.
            self.screen = None
            self.tell("lost", part="screen", why=repr(reason))

    def take_line(self, line):
        if line.get("what") == "begin":
            self.begun[line["n"]] = line["at"]
        if line.get("what") not in ("begin", "end"):
            return
        self.tell("said", line=line, load=os.getloadavg()[0] / os.cpu_count())
        begun = self.begun.get(line.get("begin"))
        if line.get("effect") == "no-change" and begun is not None:
            self.applications.ask_about(parse_time(begun), parse_time(line["at"]))


def parse_time(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000


Observer().run()
