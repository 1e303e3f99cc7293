"""A panel in GTK 3."""

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402
from panel import WIDTH, recorder, spec  # noqa: E402


def identify(widget, one):
    accessible = widget.get_accessible()
    if hasattr(accessible, "set_accessible_id"):
        accessible.set_accessible_id(one["id"])
    return widget


def labelled(one, widget):
    label = Gtk.Label(label=one["label"], xalign=0)
    label.set_mnemonic_widget(widget)
    box = Gtk.Box(spacing=6)
    box.add(label)
    box.pack_start(identify(widget, one), True, True, 0)
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
    return identify(made, one)


def radio(one):
    row, first = Gtk.Box(spacing=6), None
    for option in one["options"]:
        made = Gtk.RadioButton.new_with_label_from_widget(first, option["label"])
        first = first or made
        made.connect("toggled", lambda it, key: it.get_active() and recorder.tell(**{one["id"]: key}), option["id"])
        row.add(identify(made, option))
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


def choice(one):
    made = Gtk.ComboBoxText()
    for option in one["options"]:
        made.append(option["id"], option["label"])
    made.set_active(0)
    made.connect("changed", lambda it: recorder.tell(**{one["id"]: it.get_active_id()}))
    recorder.tell(**{one["id"]: one["options"][0]["id"]})
    return labelled(one, made)


def menu(one):
    made, pop_up = Gtk.MenuButton(label=one["label"]), Gtk.Menu()
    for option in one["options"]:
        item = Gtk.MenuItem(label=option["label"])
        item.connect("activate", lambda _item, key: recorder.press(key), option["id"])
        pop_up.append(item)
    pop_up.show_all()
    made.set_popup(pop_up)
    return identify(made, one)


def tabs(one):
    made = Gtk.Notebook()
    for page in one["options"]:
        made.append_page(button({"id": f"on-{page['id']}", "label": page["inside"]}), Gtk.Label(label=page["label"]))
    made.connect("switch-page", lambda _it, _page, at: recorder.tell(**{one["id"]: one["options"][at]["id"]}))
    recorder.tell(**{one["id"]: one["options"][0]["id"]})
    return made


def rows(one):
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4)
    for line in one["options"]:
        row = Gtk.Box(spacing=6)
        row.pack_start(Gtk.Label(label=line["label"], xalign=0), True, True, 0)
        for verb in one["verbs"]:
            row.add(button({"id": f"{verb['id']}-{line['id']}", "label": verb["label"]}))
        box.add(row)
    return box


def button(one):
    made = Gtk.Button(label=one["label"])

    def clicked(_button):
        recorder.press(one["id"])
        if "dialog" in one:
            ask(one["dialog"])

    made.connect("clicked", clicked)
    return identify(made, one)


def ask(one):
    dialog = Gtk.Dialog(title=one["title"], transient_for=window, modal=True)
    answer = dialog.add_button(one["label"], Gtk.ResponseType.OK)
    identify(answer, one)
    dialog.get_content_area().add(Gtk.Label(label=one["text"], margin=20))
    dialog.connect("response", lambda it, kind: (kind == Gtk.ResponseType.OK and recorder.press(one["id"]), it.destroy()))
    dialog.show_all()


def label(one):
    return Gtk.Label(label=one["label"], xalign=0)


kinds = {one.__name__: one for one in (entry, check, radio, spin, notes, choice, menu, tabs, rows, button, label)}
if "font" in spec:
    style = Gtk.CssProvider()
    style.load_from_data(f"* {{ font-size: {spec['font']}pt; }}".encode())
    Gtk.StyleContext.add_provider_for_screen(Gdk.Screen.get_default(), style, Gtk.STYLE_PROVIDER_PRIORITY_USER)
window = Gtk.Window(title=spec["title"])
window.set_default_size(WIDTH, 200)
whole = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6, border_width=8)
for control in spec["controls"]:
    whole.add(kinds[control["kind"]](control))
window.add(whole)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
