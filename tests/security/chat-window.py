"""A window for messages, as chats have it: a history, a small field of several lines, and no button. Enter sends, and the
window is called "sent" then."""

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402

window = Gtk.Window(title="Chat", default_width=500, default_height=400)
history = Gtk.TextView(editable=False)
history.get_buffer().set_text("Ada: are you there?")
field = Gtk.TextView(height_request=60)
field.get_accessible().set_name("Message")


def on_key(_field, event):
    if event.keyval in (Gdk.KEY_Return, Gdk.KEY_KP_Enter):
        window.set_title("sent")
        return True
    return False


field.connect("key-press-event", on_key)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
box.pack_start(history, True, True, 0)
box.pack_start(field, False, False, 0)
window.add(box)
window.connect("destroy", Gtk.main_quit)
window.show_all()
field.grab_focus()
Gtk.main()
