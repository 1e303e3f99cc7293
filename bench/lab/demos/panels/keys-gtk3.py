"""A text field that writes down when it takes each key, in milliseconds since 1970: keys-gtk3.py FILE"""

import sys
import time

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402

window = Gtk.Window(title="Keys")
window.set_default_size(500, 200)
field = Gtk.TextView()
with open(sys.argv[1], "w", encoding="utf-8", buffering=1) as file:
    field.get_buffer().connect("changed", lambda _buffer: file.write(f"{time.time() * 1000:.2f}\n"))
    window.add(field)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    Gtk.main()
