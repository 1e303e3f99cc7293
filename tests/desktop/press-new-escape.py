"""Makes a key an Escape and presses it twice, in one write: press-new-escape.py KEYCODE. Prints what the key was, for xmodmap."""

import sys

from Xlib import XK, X, display
from Xlib.ext import xtest

screen = display.Display()
keycode = int(sys.argv[1])
before = list(screen.get_keyboard_mapping(keycode, 1)[0])
screen.change_keyboard_mapping(keycode, [[XK.XK_Escape] * len(before)])
for kind in (X.KeyPress, X.KeyRelease) * 2:
    xtest.fake_input(screen, kind, keycode)
screen.sync()
print(f"keycode {keycode} =", *(hex(keysym) for keysym in before))
