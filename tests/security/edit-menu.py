"""A window with a password that is shown, whose text is selected, and a menu and a button that copy it: Alt+E, C."""

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402

window = Gtk.Window(title="Vaultlike", default_width=400, default_height=120)
field = Gtk.Entry(text="shown-hunter2")
field.get_accessible().set_name("Password")
copy = Gtk.MenuItem(label="_Copy", use_underline=True)
copy.connect("activate", lambda _: field.copy_clipboard())
other = Gtk.MenuItem(label="_Find", use_underline=True)
menu = Gtk.Menu()
menu.append(copy)
menu.append(other)
edit = Gtk.MenuItem(label="_Edit", use_underline=True)
edit.set_submenu(menu)
bar = Gtk.MenuBar()
bar.append(edit)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
box.pack_start(bar, False, False, 0)
box.pack_start(field, False, False, 0)
button = Gtk.Button(label="Copy it")
clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
button.connect("clicked", lambda _: clipboard.set_text(field.get_text(), -1))
box.pack_start(button, False, False, 0)
window.add(box)
window.connect("destroy", Gtk.main_quit)
window.show_all()
field.grab_focus()
field.select_region(0, -1)
Gtk.main()
