"""The state of the display's keyboard and pointer, from Xlib: pressed keys and buttons, modifiers, locks, group.

held.py            prints it
held.py group N    switches to that group first, as a person's key would; xdotool puts the group back
"""

import ctypes
import sys

x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XDefaultRootWindow.restype = ctypes.c_ulong
display = ctypes.c_void_p(x11.XOpenDisplay(None))

if sys.argv[1:2] == ["group"]:
    x11.XkbLockGroup(display, 0x100, int(sys.argv[2]))

bits = (ctypes.c_char * 32)()
x11.XQueryKeymap(display, bits)
print("keys", [code for code in range(256) if bits.raw[code >> 3] & (1 << (code & 7))])

root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
window, child = ctypes.c_ulong(), ctypes.c_ulong()
numbers = [ctypes.c_int() for _ in range(4)]
mask = ctypes.c_uint()
x11.XQueryPointer(display, root, *map(ctypes.byref, [window, child, *numbers, mask]))
print("buttons", [button for button in range(1, 6) if mask.value & (1 << (7 + button))])

# XkbStateRec: group, locked_group (bytes); base_group, latched_group (shorts); mods, base_mods, latched_mods, locked_mods …
state = (ctypes.c_ubyte * 32)()
x11.XkbGetState(display, 0x100, state)
print("group", state[0], "locked group", state[1], "mods", state[6], "held", state[7], "latched", state[8], "locked", state[9])
