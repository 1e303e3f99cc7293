"""Presses keys on a physical keyboard device of the display, not on the XTEST keyboard: press-on-device.py KEYCODE…"""

import ctypes
import subprocess
import sys

x11, xi, xtst = (ctypes.CDLL(name) for name in ("libX11.so.6", "libXi.so.6", "libXtst.so.6"))
x11.XOpenDisplay.restype = ctypes.c_void_p
xi.XOpenDevice.restype = ctypes.c_void_p
display = ctypes.c_void_p(x11.XOpenDisplay(None))

listed = subprocess.run(["xinput", "list", "--short"], capture_output=True, text=True, check=True).stdout
own = [line for line in listed.splitlines() if "slave  keyboard" in line and "XTEST" not in line]
number = int(own[0].split("id=")[1].split()[0])
device = ctypes.c_void_p(xi.XOpenDevice(display, ctypes.c_ulong(number)))
for keycode in map(int, sys.argv[1:]):
    for is_down in (1, 0):
        xtst.XTestFakeDeviceKeyEvent(display, device, keycode, is_down, None, 0, 0)
x11.XSync(display, 0)
print(number)
