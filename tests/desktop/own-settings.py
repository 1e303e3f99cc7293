"""Tells all applications how long two presses may be apart to be one double press, as a desktop does, over XSETTINGS.

own-settings.py MILLISECONDS; it says "ready" when it is the one that tells.
"""

import struct
import sys

from Xlib import X, display

NAME = b"Net/DoubleClickTime"
x = display.Display()
window = x.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
setting = struct.pack("<BBH", 0, 0, len(NAME)) + NAME + b"\0" * (-len(NAME) % 4) + struct.pack("<Ii", 0, int(sys.argv[1]))
data = struct.pack("<BxxxII", 0, 0, 1) + setting
atom = x.intern_atom("_XSETTINGS_SETTINGS")
window.change_property(atom, atom, 8, data)
window.set_selection_owner(x.intern_atom("_XSETTINGS_S0"), X.CurrentTime)
x.sync()
print("ready", flush=True)
while True:
    x.next_event()
