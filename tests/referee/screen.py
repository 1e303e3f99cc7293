"""What another client of the X server sees: the windows, their titles, and whether the picture of the screen is different."""

import time
import zlib

from Xlib import X, display, error
from Xlib.ext import damage, xfixes

ALL_PLANES = 0xFFFFFFFF
PIXEL_BYTES = 4
# Pictures cost at most this share of a processor, however much is drawn.
PICTURE_SHARE = 0.05
SELECTIONS = ("CLIPBOARD", "PRIMARY")


class Screen:
    def __init__(self, name, tell):
        self.tell = tell
        self.display = display.Display(name)
        self.root = self.display.screen().root
        self.windows = {}
        self.names = {}
        self.box = None
        self.due = 0.0
        mask = X.SubstructureNotifyMask | X.StructureNotifyMask | X.PropertyChangeMask
        self.root.change_attributes(event_mask=mask)
        self.display.damage_query_version()
        self.damage = self.root.damage_create(damage.DamageReportBoundingBox)
        self.display.xfixes_query_version()
        for selection in SELECTIONS:
            self.display.xfixes_select_selection_input(
                self.root, self.atom(selection), xfixes.XFixesSetSelectionOwnerNotifyMask
            )
        self.forget_picture()
        self.list_windows()

    def fileno(self):
        return self.display.fileno()

    def atom(self, name):
        if name not in self.names:
            self.names[name] = self.display.intern_atom(name)
        return self.names[name]

    def read(self, window, name):
        """None if there is no such property, or the window is gone."""
        try:
            found = window.get_full_property(self.atom(name), X.AnyPropertyType)
        except (error.BadWindow, error.BadDrawable):
            return None
        return None if found is None else found.value

    def read_text(self, window, name):
        value = self.read(window, name)
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""

    def read_bus_address(self):
        return self.read_text(self.root, "AT_SPI_BUS")

    def describe(self, window):
        pid = self.read(window, "_NET_WM_PID")
        return {
            "id": window.id,
            "pid": int(pid[0]) if pid is not None and len(pid) > 0 else 0,
            "names": [name for name in self.read_text(window, "WM_CLASS").split("\0") if name],
            "title": self.read_text(window, "_NET_WM_NAME") or self.read_text(window, "WM_NAME"),
        }

    def list_windows(self):
        listed = self.read(self.root, "_NET_CLIENT_LIST")
        ids = set(listed if listed is not None else [])
        for gone in [one for one in self.windows if one not in ids]:
            self.tell("closed", **self.windows.pop(gone))
        for added in ids - set(self.windows):
            window = self.display.create_resource_object("window", added)
            window.change_attributes(event_mask=X.PropertyChangeMask, onerror=ignore)
            self.windows[added] = self.describe(window)
            self.tell("opened", **self.windows[added])

    def take(self):
        """Handles what has arrived."""
        while self.display.pending_events() > 0:
            self.handle(self.display.next_event())
        if self.box is not None and time.monotonic() >= self.due:
            self.take_picture()

    def finish(self):
        self.display.sync()
        self.take()
        if self.box is not None:
            self.take_picture()

    def wait_seconds(self, longest):
        return longest if self.box is None else min(longest, max(0.0, self.due - time.monotonic()))

    def handle(self, event):
        kind = type(event).__name__
        if kind == "DamageNotify":
            self.note_drawing(event.area)
        elif kind == "PropertyNotify" and event.window == self.root:
            if event.atom == self.atom("_NET_CLIENT_LIST"):
                self.list_windows()
        elif kind == "PropertyNotify":
            self.note_property(event)
        elif kind == "ConfigureNotify" and event.window == self.root:
            self.forget_picture()
        elif kind in ("MapNotify", "UnmapNotify", "ConfigureNotify", "SetSelectionOwnerNotify"):
            self.tell("display", what=kind)

    def note_property(self, event):
        known = self.windows.get(event.window.id)
        if known is None:
            return
        if event.atom in (self.atom("_NET_WM_STATE"), self.atom("WM_STATE")):
            self.tell("display", what="a window's state")
        if event.atom not in (self.atom("_NET_WM_NAME"), self.atom("WM_NAME")):
            return
        now = self.describe(event.window)
        if now["title"] != known["title"]:
            self.windows[event.window.id] = now
            self.tell("renamed", **now, before=known["title"])

    def note_drawing(self, area):
        if self.box is None:
            self.tell("drawn")
        left, top, right, bottom = area.x, area.y, area.x + area.width, area.y + area.height
        old = self.box or (left, top, right, bottom)
        self.box = (min(left, old[0]), min(top, old[1]), max(right, old[2]), max(bottom, old[3]))

    def forget_picture(self):
        """Black, until something is drawn: reading a whole screen of several monitors takes long."""
        self.size = self.root.get_geometry()
        self.rows = [bytes(self.size.width * PIXEL_BYTES)] * self.size.height
        self.digests = [0] * self.size.height
        self.box = (0, 0, 0, 0)
        self.take_picture()

    def take_picture(self):
        """Reads again what was drawn on. The damage is forgotten first: what is drawn from now on is reported again."""
        started = time.monotonic()
        left, top, right, bottom = self.box
        left, top = max(0, left), max(0, top)
        right, bottom = min(right, self.size.width), min(bottom, self.size.height)
        self.box = None
        self.display.damage_subtract(self.damage)
        if right > left and bottom > top:
            self.compare(left, top, right - left, bottom - top)
        took = time.monotonic() - started
        self.due = time.monotonic() + took / PICTURE_SHARE
        self.tell("picture", digest=hash(tuple(self.digests)) & 0xFFFFFFFFFFFF)

    def compare(self, left, top, width, height):
        data = self.root.get_image(left, top, width, height, X.ZPixmap, ALL_PLANES).data
        line = width * PIXEL_BYTES
        begin, end = left * PIXEL_BYTES, left * PIXEL_BYTES + line
        for index in range(height):
            row = data[index * line : (index + 1) * line]
            old = self.rows[top + index]
            if old[begin:end] == row:
                continue
            self.rows[top + index] = old[:begin] + row + old[end:]
            self.digests[top + index] = zlib.crc32(self.rows[top + index])


def ignore(_error, _request):
    """A window may be gone already."""
