"""A keypad that is only drawn, in an application without an accessibility tree: canvas-gtk3.py SPEC"""

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402
from panel import recorder, spec  # noqa: E402

CELL, COLUMNS = 80, 3


def place(index):
    return (index % COLUMNS) * CELL, (index // COLUMNS) * CELL


def draw(_area, context):
    context.set_source_rgb(1, 1, 1)
    context.paint()
    for index, key in enumerate(spec["keys"]):
        x, y = place(index)
        context.set_source_rgb(0.2, 0.3 + 0.05 * index, 0.6)
        context.rectangle(x + 6, y + 6, CELL - 12, CELL - 12)
        context.fill()
        context.set_source_rgb(1, 1, 1)
        context.set_font_size(28)
        context.move_to(x + 28, y + 50)
        context.show_text(key)
    context.set_source_rgb(0, 0, 0)
    context.move_to(10, 4 * CELL + 40)
    context.show_text("".join(recorder.state["presses"]))


def press(area, event):
    index = int(event.y // CELL) * COLUMNS + int(event.x // CELL)
    recorder.press(spec["keys"][index] if event.x < COLUMNS * CELL and index < len(spec["keys"]) else "nothing")
    area.queue_draw()


window = Gtk.Window(title=spec["title"])
canvas = Gtk.DrawingArea()
canvas.set_size_request(COLUMNS * CELL, 5 * CELL)
canvas.connect("draw", draw)
holder = Gtk.EventBox()
holder.add(canvas)
holder.connect("button-press-event", press)
window.add(holder)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
