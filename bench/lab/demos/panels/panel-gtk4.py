"""A panel in GTK 4, which gives its widgets no ids."""

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402
from panel import WIDTH, recorder, spec  # noqa: E402


def labelled(one, widget):
    caption = Gtk.Label(label=one["label"], xalign=0)
    caption.set_mnemonic_widget(widget)
    widget.set_hexpand(True)
    box = Gtk.Box(spacing=6)
    box.append(caption)
    box.append(widget)
    return box


def entry(one):
    made = Gtk.Entry()
    made.connect("changed", lambda field: recorder.tell(**{one["id"]: field.get_text()}))
    recorder.tell(**{one["id"]: ""})
    return labelled(one, made)


def check(one):
    made = Gtk.CheckButton(label=one["label"])
    made.connect("toggled", lambda box: recorder.tell(**{one["id"]: box.get_active()}))
    recorder.tell(**{one["id"]: False})
    return made


def radio(one):
    row, first = Gtk.Box(spacing=6), None
    for option in one["options"]:
        made = Gtk.CheckButton(label=option["label"], group=first)
        if first is None:
            made.set_active(True)
            first = made
        made.connect("toggled", lambda it, key: it.get_active() and recorder.tell(**{one["id"]: key}), option["id"])
        row.append(made)
    recorder.tell(**{one["id"]: one["options"][0]["id"]})
    return row


def spin(one):
    made = Gtk.SpinButton.new_with_range(0, 100, 1)
    made.connect("changed", lambda it: recorder.tell(**{one["id"]: it.get_text()}))
    recorder.tell(**{one["id"]: "0"})
    return labelled(one, made)


def notes(one):
    made = Gtk.TextView(height_request=60)
    buffer = made.get_buffer()
    buffer.connect("changed", lambda it: recorder.tell(**{one["id"]: it.get_text(*it.get_bounds(), True)}))
    recorder.tell(**{one["id"]: ""})
    return labelled(one, made)


def rows(one):
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4)
    for line in one["options"]:
        row = Gtk.Box(spacing=6)
        row.append(Gtk.Label(label=line["label"], xalign=0, hexpand=True))
        for verb in one["verbs"]:
            row.append(button({"id": f"{verb['id']}-{line['id']}", "label": verb["label"]}))
        box.append(row)
    return box


def button(one):
    made = Gtk.Button(label=one["label"])

    def clicked(_button):
        recorder.press(one["id"])
        if "dialog" in one:
            ask(one["dialog"])

    made.connect("clicked", clicked)
    return made


def ask(one):
    dialog = Gtk.Window(title=one["title"], transient_for=window, modal=True)
    answer = Gtk.Button(label=one["label"])
    answer.connect("clicked", lambda _button: (recorder.press(one["id"]), dialog.destroy()))
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=12)
    box.append(Gtk.Label(label=one["text"], margin_top=20, margin_start=20, margin_end=20))
    box.append(answer)
    dialog.set_child(box)
    dialog.present()


def label(one):
    return Gtk.Label(label=one["label"], xalign=0)


kinds = {one.__name__: one for one in (entry, check, radio, spin, notes, rows, button, label)}
Gtk.init()
if "font" in spec:
    style = Gtk.CssProvider()
    style.load_from_data(f"* {{ font-size: {spec['font']}pt; }}".encode())
    Gtk.StyleContext.add_provider_for_display(Gdk.Display.get_default(), style, Gtk.STYLE_PROVIDER_PRIORITY_USER)
loop = GLib.MainLoop()
window = Gtk.Window(title=spec["title"], default_width=WIDTH)
whole = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6, margin_top=8, margin_bottom=8, margin_start=8, margin_end=8)
for control in spec["controls"]:
    whole.append(kinds[control["kind"]](control))
window.set_child(whole)
window.connect("close-request", lambda _window: loop.quit())
window.present()
loop.run()
