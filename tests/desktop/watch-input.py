"""Records every event of every device on the display, real or from XTEST, as another client: watch-input.py STATE

Rewritten on every event: the number of events of each kind. On SIGUSR1 it sends a no-op request through the same
record and acknowledges it on arrival: all earlier events have been counted then.
"""

import json
import os
import signal
import sys
import threading
import time

from Xlib import X, display
from Xlib.ext import record

PATH = sys.argv[1]
KINDS = {2: "key-press", 3: "key-release", 4: "button-press", 5: "button-release", 6: "motion"}
NO_OPERATION = 127
EVENT_BYTES = 32
state = {"events": [], "ack": 0}
sent = seen = 0
writing = threading.Lock()


def write():
    with writing:
        with open(PATH + ".new", "w", encoding="utf-8") as file:
            json.dump(state, file)
        os.replace(PATH + ".new", PATH)


def take(reply):
    global seen
    if reply.category == record.FromClient:
        seen += 1
    elif reply.category == record.FromServer:
        for start in range(0, len(reply.data), EVENT_BYTES):
            code = reply.data[start] & 0x7F
            state["events"].append(KINDS.get(code, str(code)))
    write()


def pass_by():
    """Waits until a request of now has come by. The server sends the record on when it has more to send: it is asked on."""
    global sent
    wanted = sent + 1
    while seen < wanted:
        control.no_operation()
        sent += 1
        control.sync()
        time.sleep(0.001)


control = display.Display()
watching = display.Display()
ranges = {
    "core_requests": (NO_OPERATION, NO_OPERATION),
    "core_replies": (0, 0),
    "ext_requests": (0, 0, 0, 0),
    "ext_replies": (0, 0, 0, 0),
    "delivered_events": (0, 0),
    "device_events": (X.KeyPress, X.MotionNotify),
    "errors": (0, 0),
    "client_started": False,
    "client_died": False,
}
context = watching.record_create_context(0, [record.AllClients], [ranges])
# In every thread, else it would end the process.
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
threading.Thread(target=lambda: watching.record_enable_context(context, take), daemon=True).start()
pass_by()
state["ready"] = True
write()
while True:
    signal.sigwait([signal.SIGUSR1])
    pass_by()
    state["ack"] += 1
    write()
