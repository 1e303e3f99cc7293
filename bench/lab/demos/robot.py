"""A robot that works like a person, with xdotool, on what AT-SPI's own library finds: nothing of Deskmap is used here.

Reads one JSON command per line, and answers with one:

  run     does a program of orders, and tells of each what it was done to, by the application's own account
  names   does it again on the first showing element of the same role and name: a plain replayer
  points  does it again at the same points of the screen: another
  look    role, name and text of every showing element

An order is {"do": "click|double|type|key", "on": {"role", "name", "owner", "at"}, "text", "fresh"}. `owner` is a text that
comes before the element in the tree; `at` is a point of the window, for what no tree tells; `fresh` is set where the element
comes by the order before.
"""

import json
import os
import re
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

PATIENCE = 20
MOST = 6000
# People hold a button down for about a tenth of a second.
PACES = {
    "human": {"rest": 0.35, "point": 0.25, "hold": 0.09, "keys": 70},
    "full": {"rest": 0, "point": 0, "hold": 0, "keys": 8},
}
GONE = (GLib.GError,)
WORDS = ("paragraph", "section", "text leaf", "static")


def xdotool(*words):
    return subprocess.run(["xdotool", *map(str, words)], check=True, capture_output=True, text=True).stdout


def descend(pid):
    """A process and what it started: a launcher is not the application."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    parents[int(name)] = int(file.read().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
    own = {pid}
    for _ in parents:
        more = {child for child, parent in parents.items() if parent in own} - own
        if not more:
            break
        own |= more
    return own


def applications(pid):
    own = descend(pid)
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        try:
            one = desktop.get_child_at_index(index)
            if one is not None and one.get_process_id() in own:
                yield one
        except GONE:
            continue


def is_gtk4(application):
    return (application.get_toolkit_name() or "").upper() == "GTK" and (application.get_toolkit_version() or "") >= "4"


def measure_x(title):
    """Origin and size of the window with this title, and its shadow."""
    found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", f"^{re.escape(title)}$"], capture_output=True, text=True)
    identity = found.stdout.split()
    if not identity:
        return None
    told = subprocess.run(["xwininfo", "-id", identity[-1]], capture_output=True, text=True).stdout
    x, y, width, height = (
        int(re.search(rf"{label}: +(-?\d+)", told).group(1))
        for label in ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
    )
    shadow = subprocess.run(["xprop", "-id", identity[-1], "_GTK_FRAME_EXTENTS"], capture_output=True, text=True).stdout
    left, right, top, _ = [int(one) for one in re.findall(r"\d+", shadow.partition("=")[2])] or [0, 0, 0, 0]
    return x + left, y + top, width - left - right, height


def origin_of(window, extents):
    """GTK 4 measures from its window, and leaves out a border that it draws itself without a compositor."""
    placed = measure_x(window.get_name() or "")
    if placed is None:
        return 0, 0
    border = max(0, (placed[2] - extents.width) // 2)
    return placed[0] + border - extents.x, placed[1] + border - extents.y


def name_of(element):
    own = (element.get_name() or "").strip()
    # GTK 4 calls a button by its label twice, or by its class.
    first, _, again = own.partition(" ")
    if own and first == again:
        return first
    if own.startswith("Gtk") and element.get_child_count() > 0:
        return (element.get_child_at_index(0).get_name() or "").strip()
    if own:
        return own
    for relation in element.get_relation_set():
        if relation.get_relation_type() == Atspi.RelationType.LABELLED_BY and relation.get_n_targets() > 0:
            return (relation.get_target(0).get_name() or "").strip()
    return ""


def text_of(element):
    interface = element.get_text_iface()
    if interface is None:
        return None
    return Atspi.Text.get_text(interface, 0, Atspi.Text.get_character_count(interface))


class Seen:
    def __init__(self, element, role, name, origin):
        self.element, self.role, self.name, self.origin = element, role, name, origin

    def extents(self):
        box = self.element.get_component_iface()
        if box is None:
            return None
        box = Atspi.Component.get_extents(box, Atspi.CoordType.SCREEN)
        return [box.x + self.origin[0], box.y + self.origin[1], box.width, box.height]

    def tell(self):
        return {"role": self.role, "name": self.name, "extents": self.extents()}


def walk(element, wanted, origin, found):
    if element is None or len(found) >= MOST:
        return
    try:
        states = element.get_state_set()
        if not states.contains(wanted):
            return
        role = element.get_role_name()
        found.append(Seen(element, role, name_of(element), origin))
        count = element.get_child_count()
        if states.contains(Atspi.StateType.MANAGES_DESCENDANTS) and count > 1000:
            return
        children = [element.get_child_at_index(index) for index in range(count)]
    except GONE:
        return
    for child in children:
        walk(child, wanted, origin, found)


def list_showing(pid):
    found = []
    for application in applications(pid):
        try:
            new = is_gtk4(application)
            wanted = Atspi.StateType.VISIBLE if new else Atspi.StateType.SHOWING
            for index in range(application.get_child_count()):
                window = application.get_child_at_index(index)
                origin = (0, 0)
                if new:
                    origin = origin_of(window, Atspi.Component.get_extents(window, Atspi.CoordType.SCREEN))
                walk(window, wanted, origin, found)
        except GONE:
            continue
    return found


def matches(seen, on):
    roles = on["role"] if isinstance(on["role"], list) else [on["role"]]
    if seen.role not in roles or ("name" in on and seen.name != on["name"]):
        return False
    box = seen.extents()
    # Qt tells of lists that are closed; no window is at the edge of the screen.
    return box is not None and box[0] > 0 and box[2] > 0 and box[3] > 0


def tells(seen, text):
    """Firefox has no objects for the words of a paragraph."""
    if seen.role == "frame":
        return False
    return seen.name == text or (seen.role in WORDS and (text_of(seen.element) or "").startswith(text))


def choose(showing, on):
    """The first that fits; after the text of its owner, if it has one."""
    start = 0
    if "owner" in on:
        start = next((at for at, one in enumerate(showing) if tells(one, on["owner"])), None)
        if start is None:
            return None
    try:
        fit = [one for one in showing[start:] if matches(one, on)]
    except GONE:
        return None
    # A dialog comes after its window, so that its field is the last one.
    return fit[on.get("nth", 0)] if fit else None


def middle_of(box):
    return round(box[0] + box[2] / 2), round(box[1] + box[3] / 2)


class Robot:
    def __init__(self, pid, title):
        self.pid, self.title = pid, title

    def place(self, on, showing=None):
        """Where an order goes: what is there, and the point. Waits for what is not there yet, or still moves."""
        if "at" in on:
            x, y, *_ = measure_x(self.title)
            return {"role": None, "name": None, "extents": None, "point": [x + on["at"][0], y + on["at"][1]]}
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            found = choose(showing if showing is not None else list_showing(self.pid), on)
            if found is not None:
                told = found.tell()
                if showing is None and "fresh" in on:
                    time.sleep(0.05)
                    if found.extents() != told["extents"]:
                        continue
                return {**told, "point": list(middle_of(told["extents"]))}
            if showing is not None:
                return None
            time.sleep(0.05)
        raise LookupError(f"nothing is {on}")

    def plan(self, orders):
        """As many orders as can be placed now."""
        showing = list_showing(self.pid) if any("role" in one.get("on", {}) for one in orders) else []
        placed = []
        for index, order in enumerate(orders):
            if index > 0 and order.get("fresh"):
                break
            on = order.get("on")
            place = None if on is None else self.place(on, None if order.get("fresh") or "at" in on else showing)
            if on is not None and place is None:
                if index == 0:
                    place = self.place(on)
                else:
                    break
            placed.append(place)
        return placed

    def run(self, orders, pace):
        speed = PACES[pace]
        done = []
        while len(done) < len(orders):
            rest = orders[len(done):]
            batch = self.plan(rest[:1] if pace == "human" else rest)
            for order, place in zip(rest, batch):
                began = time.time() * 1000
                self.carry_out(order, place, speed)
                # What is typed goes to what was pressed last.
                pressed = next((one for one in reversed(done) if one["do"] == "click" or one["do"] == "double"), {})
                field = place or ({key: pressed.get(key) for key in ("role", "name", "extents")} if order["do"] == "type" else {})
                done.append({**field, **order, "on": order.get("on"), "at": began})
                time.sleep(speed["rest"])
        return done

    def carry_out(self, order, place, speed):
        if order["do"] in ("click", "double"):
            xdotool("mousemove", *place["point"])
            time.sleep(speed["point"])
            press = ["mousedown", 1, "sleep", speed["hold"], "mouseup", 1]
            xdotool(*press, *(["sleep", 0.06, *press] if order["do"] == "double" else []))
        elif order["do"] == "type":
            xdotool("type", "--delay", speed["keys"], order["text"])
        else:
            xdotool("key", order["text"])

    def by_points(self, done):
        for one in done:
            if one["do"] in ("click", "double"):
                xdotool("mousemove", *one["point"], "click", *(["--repeat", 2] if one["do"] == "double" else []), 1)
            else:
                xdotool("type", "--delay", 12, one["text"]) if one["do"] == "type" else xdotool("key", one["text"])
            time.sleep(0.3)
        return len(done)

    def by_names(self, done):
        for at, one in enumerate(done):
            try:
                self.repeat(one)
            except (LookupError, *GONE):
                return at
            time.sleep(0.3)
        return len(done)

    def repeat(self, one):
        if one["do"] in ("click", "double"):
            if one.get("role") is None:
                raise LookupError("it has no role")
            found = self.await_named(one)
            action = found.element.get_action_iface() if one["do"] == "click" else None
            if action is not None and Atspi.Action.get_n_actions(action) > 0 and found.role not in ("text", "entry"):
                Atspi.Action.do_action(action, 0)
                return
            xdotool("mousemove", *middle_of(found.extents()), "click", *(["--repeat", 2] if one["do"] == "double" else []), 1)
        elif one["do"] == "type":
            xdotool("type", "--delay", 12, one["text"])
        else:
            xdotool("key", one["text"])

    def await_named(self, one):
        until = time.monotonic() + 5
        while time.monotonic() < until:
            found = choose(list_showing(self.pid), {"role": one["role"], "name": one["name"]})
            if found is not None:
                return found
            time.sleep(0.1)
        raise LookupError("not there")


def look(pid):
    told = []
    for one in list_showing(pid):
        try:
            told.append({"role": one.role, "name": one.name, "text": text_of(one.element), "extents": one.extents()})
        except GONE:
            continue
    return told


def answer(command):
    robot = Robot(command["pid"], command.get("title", ""))
    verb = command["do"]
    if verb == "run":
        return robot.run(command["orders"], command["pace"])
    if verb == "names":
        return robot.by_names(command["done"])
    if verb == "points":
        return robot.by_points(command["done"])
    return look(command["pid"])


for line in sys.stdin:
    try:
        reply = {"value": answer(json.loads(line))}
    except Exception as error:  # noqa: BLE001: whatever it is, it is told and the robot goes on.
        reply = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(reply), flush=True)
