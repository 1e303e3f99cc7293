"""An independent view of the desktop, through pyatspi: nothing of Deskmap is used here.

  oracle.py walk PID [--visible-is-showing]   every showing element of a process, as JSON
  oracle.py first PID ROLE NAME               the first element of that role and name, as JSON
  oracle.py holds PID ROLE TEXT               whether an element of that role has that text; the last page first
  oracle.py text PID ROLE [NAME]              the text of the first element of that role
  oracle.py at PID X Y                        role and name of the deepest element that the process has at a point
  oracle.py cells PID ROWS COLUMNS            name, text and place of the first cells of a sheet, and its view, as JSON

A sheet has thousands of millions of cells, and asking for them would take all memory: none is walked.
"""

import json
import sys

import pyatspi
from gi.repository import GLib


def find_application(pid):
    for application in pyatspi.Registry.getDesktop(0):
        if application is not None and application.get_process_id() == pid:
            return application
    return None


def describe(element, states):
    actions = None
    try:
        action = element.queryAction()
        actions = [action.getName(index) for index in range(action.nActions)]
    except NotImplementedError:
        pass
    except GLib.GError:
        # GTK 4 counts the actions of a disabled widget, and then has none.
        pass
    extents = None
    try:
        box = element.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
        extents = [box.x, box.y, box.width, box.height]
    except NotImplementedError:
        pass
    text = None
    try:
        interface = element.queryText()
        text = interface.getText(0, interface.characterCount)
    except NotImplementedError:
        pass
    value = None
    try:
        value = element.queryValue().currentValue
    except NotImplementedError:
        pass
    return {
        "path": element.path,
        "role": element.getRoleName(),
        "name": element.name,
        "description": element.description,
        "states": [pyatspi.stateToString(state) for state in states],
        "extents": extents,
        "actions": actions,
        "text": text,
        "value": value,
    }


def is_endless(element, states):
    return pyatspi.STATE_MANAGES_DESCENDANTS in states and element.childCount > 1000


def walk(element, wanted, found):
    states = element.getState().getStates()
    if wanted not in states:
        return
    found.append(describe(element, states))
    if is_endless(element, states):
        return
    for index in range(element.childCount):
        child = element.getChildAtIndex(index)
        if child is not None:
            walk(child, wanted, found)


def is_gone(error):
    """An application removes objects while it is walked."""
    return "does not exist" in error.message or "No such object" in error.message


def find_role(element, role, name):
    try:
        if element.getRoleName() == role and (name is None or element.name == name):
            yield element
        if is_endless(element, element.getState().getStates()):
            return
        children = [element.getChildAtIndex(index) for index in range(element.childCount)]
    except GLib.GError as error:
        if is_gone(error):
            return
        raise
    for child in children:
        if child is not None:
            yield from find_role(child, role, name)


def find_at(element, x, y):
    while True:
        try:
            inner = element.queryComponent().getAccessibleAtPoint(x, y, pyatspi.DESKTOP_COORDS)
        except NotImplementedError:
            return element
        if inner is None or inner == element:
            return element
        element = inner


def holds(element, role, text):
    if element.getRoleName() == role:
        interface = element.queryText()
        if interface.getText(0, interface.characterCount) == text:
            return True
    children = (element.getChildAtIndex(index) for index in reversed(range(element.childCount)))
    return any(holds(child, role, text) for child in children if child is not None)


def main():
    command, pid = sys.argv[1], int(sys.argv[2])
    application = find_application(pid)
    if application is None:
        sys.exit(f"no application with process {pid} on the accessibility bus")
    if command == "walk":
        wanted = pyatspi.STATE_VISIBLE if "--visible-is-showing" in sys.argv else pyatspi.STATE_SHOWING
        found = []
        for window in application:
            walk(window, wanted, found)
        print(json.dumps(found))
    elif command == "first":
        matches = (match for window in application for match in find_role(window, sys.argv[3], sys.argv[4]))
        match = next(matches, None)
        print(json.dumps(match and describe(match, match.getState().getStates())))
    elif command == "holds":
        print(json.dumps(any(holds(window, sys.argv[3], sys.argv[4]) for window in application)))
    elif command == "text":
        role = sys.argv[3]
        name = sys.argv[4] if len(sys.argv) > 4 else None
        texts = []
        for window in application:
            for element in find_role(window, role, name):
                interface = element.queryText()
                texts.append(interface.getText(0, interface.characterCount))
        print(json.dumps(texts))
    elif command == "caret":
        focused = [
            element
            for window in application
            for element in find_role(window, sys.argv[3], None)
            if element.getState().contains(pyatspi.STATE_FOCUSED)
        ]
        print(json.dumps([element.queryText().caretOffset for element in focused]))
    elif command == "at":
        x, y = int(sys.argv[3]), int(sys.argv[4])
        deepest = find_at(application[0], x, y)
        print(json.dumps({"role": deepest.getRoleName(), "name": deepest.name}))
    elif command == "cells":
        rows, columns = int(sys.argv[3]), int(sys.argv[4])
        cells = []
        view = None
        for window in application:
            for element in find_role(window, "table", None):
                if not is_endless(element, element.getState().getStates()):
                    continue
                table = element.queryTable()
                box = element.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
                view = [box.x, box.y, box.width, box.height]
                for row in range(rows):
                    for column in range(columns):
                        cell = table.getAccessibleAt(row, column)
                        interface = cell.queryText()
                        box = cell.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
                        cells.append({
                            "name": cell.name,
                            "text": interface.getText(0, interface.characterCount),
                            "extents": [box.x, box.y, box.width, box.height],
                        })
        print(json.dumps({"view": view, "cells": cells}))
    elif command == "names":
        role = sys.argv[3]
        names = []
        for window in application:
            for element in find_role(window, role, None):
                if pyatspi.STATE_SHOWING in element.getState().getStates():
                    names.append(element.name)
        print(json.dumps(names))


while True:
    try:
        main()
        break
    except GLib.GError as error:
        if not is_gone(error):
            raise
