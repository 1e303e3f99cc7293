"""What a desktop shows, through AT-SPI's own library: nothing of Deskmap is used here.

Prints the windows of every application on the accessibility bus, with all their showing elements, as JSON. A sheet has
thousands of millions of cells: of those, only the first are read.
"""

import json

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib

TOLD = ["CHECKED", "PRESSED", "SELECTED", "EXPANDED", "FOCUSED", "SENSITIVE", "MODAL", "EDITABLE"]
STATES = [(getattr(Atspi.StateType, name), name.lower()) for name in TOLD]
MOST = 4000
ROWS, COLUMNS = 12, 6


def read_text(element):
    interface = element.get_text_iface()
    if interface is None:
        return None
    return Atspi.Text.get_text(interface, 0, Atspi.Text.get_character_count(interface))


def read_caret(element):
    selected = [Atspi.Text.get_selection(element, index) for index in range(Atspi.Text.get_n_selections(element))]
    return [Atspi.Text.get_caret_offset(element), *((one.start_offset, one.end_offset) for one in selected)]


def describe(element, states):
    found = {"role": element.get_role_name(), "name": element.get_name() or ""}
    told = [name for state, name in STATES if states.contains(state)]
    if told:
        found["states"] = told
    text = read_text(element)
    if text is not None:
        found["text"] = text
        if states.contains(Atspi.StateType.FOCUSED):
            found["caret"] = read_caret(element)
    if element.get_value_iface() is not None:
        found["value"] = Atspi.Value.get_current_value(element)
    return found


def list_children(element, states):
    count = element.get_child_count()
    if not states.contains(Atspi.StateType.MANAGES_DESCENDANTS) or count <= 1000:
        return [element.get_child_at_index(index) for index in range(count)]
    table = element.get_table_iface()
    if table is None:
        return []
    return [Atspi.Table.get_accessible_at(table, row, column) for row in range(ROWS) for column in range(COLUMNS)]


def walk(element, found, wanted):
    if element is None or len(found) >= MOST:
        return
    try:
        states = element.get_state_set()
        if not states.contains(wanted) and element.get_role_name() != "table cell":
            return
        found.append(describe(element, states))
        for child in list_children(element, states):
            walk(child, found, wanted)
    except GLib.GError:
        # It went away meanwhile.
        return


def main():
    desktop = Atspi.get_desktop(0)
    windows = []
    for index in range(desktop.get_child_count()):
        application = desktop.get_child_at_index(index)
        if application is None:
            continue
        try:
            # GTK 4 never says that something is showing.
            is_gtk4 = (application.get_toolkit_name() or "").upper() == "GTK" and application.get_toolkit_version() >= "4"
            wanted = Atspi.StateType.VISIBLE if is_gtk4 else Atspi.StateType.SHOWING
            for at in range(application.get_child_count()):
                found = []
                walk(application.get_child_at_index(at), found, wanted)
                if found:
                    windows.append({"app": application.get_name(), **found[0], "elements": found[1:]})
        except GLib.GError:
            continue
    print(json.dumps(windows))


main()
