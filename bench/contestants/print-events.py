"""Prints when text events of a process come over the accessibility bus, in seconds since the epoch: print-events.py PID"""

import sys
import time

import pyatspi

PID = int(sys.argv[1])


def print_time(event):
    now = time.time()
    if event.host_application is not None and event.host_application.get_process_id() == PID:
        print("%.6f" % now, flush=True)


pyatspi.Registry.registerEventListener(print_time, "object:text-changed:insert")
print("ready", flush=True)
pyatspi.Registry.start()
