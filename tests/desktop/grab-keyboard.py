"""Grabs the keyboard, as a menu or a lock screen does, reports it, and keeps the grab."""

import ctypes
import time

x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XDefaultRootWindow.restype = ctypes.c_ulong
display = ctypes.c_void_p(x11.XOpenDisplay(None))
root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
status = x11.XGrabKeyboard(display, root, 0, 1, 1, ctypes.c_ulong(0))
x11.XSync(display, 0)
print("grabbed" if status == 0 else f"refused {status}", flush=True)
time.sleep(60)
