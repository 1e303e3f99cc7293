"""Presses a key so many times, and prints when, in milliseconds since 1970: send-keys.py COUNT SECONDS"""

import sys
import time

from Xlib import XK, X, display
from Xlib.ext import xtest

count, pause = int(sys.argv[1]), float(sys.argv[2])
server = display.Display()
codes = [server.keysym_to_keycode(XK.string_to_keysym(key)) for key in "abcdefghij"]
for index in range(count):
    code = codes[index % len(codes)]
    print(f"{time.time() * 1000:.2f}")
    xtest.fake_input(server, X.KeyPress, code)
    xtest.fake_input(server, X.KeyRelease, code)
    server.sync()
    time.sleep(pause)
