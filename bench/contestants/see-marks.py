"""Times, from outside, how soon a mark is drawn after its window has moved or a key has brought its control into view.

see-marks.py moves WINDOW X Y RRGGBB ROUNDS: the left edge of the mark's box is at X, Y now, and moves with the window
see-marks.py keys OPENING CLOSING X Y RRGGBB ROUNDS: it is at X, Y whenever the first key has opened what the second closes
Prints one line for each round: milliseconds.
"""

import sys
import time

from Xlib import X, XK, display
from Xlib.ext import xtest

PATIENCE_S = 10
SETTLE_S = 0.6
SHIFT = 23
connection = display.Display()
root = connection.screen().root


def has_colour(x, y, colour):
    """Whether a line of that colour runs there, a pixel more or less: the screen as a person sees it, overlay and all."""
    data = root.get_image(max(0, x - 2), y, 5, 1, X.ZPixmap, 0xFFFFFFFF).data
    return any(data[at : at + 3] == colour for at in range(0, len(data), 4))


def wait(condition):
    started = time.monotonic()
    while not condition():
        if time.monotonic() - started > PATIENCE_S:
            sys.exit("the mark was not drawn, or did not go")
    return time.monotonic()


def press(key):
    code = connection.keysym_to_keycode(XK.string_to_keysym(key))
    for kind in (X.KeyPress, X.KeyRelease):
        xtest.fake_input(connection, kind, code)
    connection.sync()
    return time.monotonic()


def time_moves(window_id, x, y, colour, rounds):
    window = connection.create_resource_object("window", window_id)
    start = window.translate_coords(root, 0, 0)
    for turn in range(rounds):
        before = window.translate_coords(root, 0, 0)
        geometry = window.query_tree().parent.get_geometry()
        window.configure(x=geometry.x + (SHIFT if turn % 2 == 0 else -SHIFT))
        connection.sync()
        ordered = time.monotonic()
        wait(lambda: window.translate_coords(root, 0, 0).x != before.x)
        # Xlib returns the place of the root relative to the window: the shift has the opposite sign.
        shift = start.x - window.translate_coords(root, 0, 0).x
        yield wait(lambda: has_colour(x + shift, y, colour)) - ordered
        time.sleep(SETTLE_S)


def time_keys(opening, closing, x, y, colour, rounds):
    for _ in range(rounds):
        ordered = press(opening)
        yield wait(lambda: has_colour(x, y, colour)) - ordered
        time.sleep(SETTLE_S)
        press(closing)
        wait(lambda: not has_colour(x, y, colour))
        time.sleep(SETTLE_S)


def main():
    way, *rest, x, y, colour, rounds = sys.argv[1:]
    place = (int(x), int(y), bytes.fromhex(colour)[::-1], int(rounds))
    times = time_moves(int(rest[0]), *place) if way == "moves" else time_keys(*rest, *place)
    for seconds in times:
        print("%.1f" % (seconds * 1000), flush=True)


main()
