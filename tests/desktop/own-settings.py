"""Sets the double-click time of all applications over XSETTINGS, as a desktop does.

own-settings.py MILLISECONDS; prints "ready" when it owns the settings.
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
