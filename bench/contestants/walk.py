"""A walk with pyatspi in process: python3 walk.py full|shown. See lab/contestant.ts for the protocol.

For every node: name, role, states, number of children; for those on the screen also the extents. "full" goes through
the whole window, as a plain walk does, into every cell of a sheet; "shown" does not go below what is not on the screen, nor
into lists that manage their own descendants.
"""
import json
import sys
import time

import pyatspi

mode = sys.argv[1]
desktop = pyatspi.Registry.getDesktop(0)


def find_application(pid):
    for application in desktop:
        if application is not None and application.get_process_id() == pid:
            return application
    raise SystemExit("process %d is not on the accessibility bus" % pid)


def read_window(order):
    application = find_application(order["pid"])
    # Only the frame of a GTK 4 window says that it is showing; its content says that it is visible.
    state = pyatspi.STATE_VISIBLE if order["toolkit"] == "GTK 4" else pyatspi.STATE_SHOWING
    nodes = 0
    shown = 0
    frames = [application.getChildAtIndex(index) for index in range(application.childCount)]
    stack = [frame for frame in frames if frame is not None]
    while stack:
        node = stack.pop()
        nodes += 1
        node.name
        node.getRole()
        count = node.childCount
        states = node.getState()
        is_shown = states.contains(state)
        if is_shown:
            try:
                node.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
                shown += 1
            except NotImplementedError:
                pass
        elif mode == "shown":
            continue
        if mode == "shown" and states.contains(pyatspi.STATE_MANAGES_DESCENDANTS):
            continue
        for index in range(count):
            child = node.getChildAtIndex(index)
            if child is not None:
                stack.append(child)
    return nodes, shown


for line in sys.stdin:
    order = json.loads(line)
    started = time.perf_counter()
    nodes, shown = read_window(order)
    ms = (time.perf_counter() - started) * 1000
    print(json.dumps({"ms": ms, "nodes": nodes, "shown": shown, "notes": []}), flush=True)
