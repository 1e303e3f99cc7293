"""Shows a window that no window manager manages, grabs the keyboard as a launcher does, and writes down each key it gets.

Arguments: the window's class, and the file for its keys. Prints "grabbed" when it has the keyboard."""

import ctypes
import sys

x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XDefaultRootWindow.restype = ctypes.c_ulong
x11.XCreateWindow.restype = ctypes.c_ulong


class Attributes(ctypes.Structure):
    _fields_ = [
        ("background_pixmap", ctypes.c_ulong),
        ("background_pixel", ctypes.c_ulong),
        ("border_pixmap", ctypes.c_ulong),
        ("border_pixel", ctypes.c_ulong),
        ("bit_gravity", ctypes.c_int),
        ("win_gravity", ctypes.c_int),
        ("backing_store", ctypes.c_int),
        ("backing_planes", ctypes.c_ulong),
        ("backing_pixel", ctypes.c_ulong),
        ("save_under", ctypes.c_int),
        ("event_mask", ctypes.c_long),
        ("do_not_propagate_mask", ctypes.c_long),
        ("override_redirect", ctypes.c_int),
        ("colormap", ctypes.c_ulong),
        ("cursor", ctypes.c_ulong),
    ]


class ClassHint(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_char_p)]


OVERRIDE_REDIRECT, EVENT_MASK, KEY_PRESS_MASK, KEY_PRESS = 1 << 9, 1 << 11, 1, 2

display = ctypes.c_void_p(x11.XOpenDisplay(None))
root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
attributes = Attributes(override_redirect=1, event_mask=KEY_PRESS_MASK)
window = ctypes.c_ulong(
    x11.XCreateWindow(
        display, root, 300, 0, 400, 30, 0, 0, 1, None,
        ctypes.c_ulong(OVERRIDE_REDIRECT | EVENT_MASK), ctypes.byref(attributes),
    )
)
name = sys.argv[1].encode()
if name:
    x11.XSetClassHint(display, window, ctypes.byref(ClassHint(name, name)))
x11.XMapRaised(display, window)
x11.XSync(display, 0)
status = x11.XGrabKeyboard(display, window, 0, 1, 1, ctypes.c_ulong(0))
x11.XSync(display, 0)
keys = open(sys.argv[2], "w", buffering=1)
print("grabbed" if status == 0 else f"refused {status}", flush=True)
event = ctypes.create_string_buffer(192)
while True:
    x11.XNextEvent(display, event)
    if int.from_bytes(event.raw[:4], sys.byteorder) == KEY_PRESS:
        keys.write("key\n")
