"""The identity of each object of a window, as its application reports it: identities.py TITLE

The controls of the fixtures expose their identity as their description, prefixed with "id:". Uses pyatspi alone.
"""

import json
import sys

import pyatspi

# A browser's own bars have hundreds of elements, and the fixtures have none.
BARS = {"tool bar", "menu bar", "page tab list", "status bar"}

found = []


def walk(element):
    if element.description.startswith("id:"):
        found.append([element.path, element.description[3:], element.name])
    if element.getRoleName() in BARS:
        return
    for index in range(element.childCount):
        child = element.getChildAtIndex(index)
        if child is not None:
            walk(child)


for application in pyatspi.Registry.getDesktop(0):
    for frame in application or []:
        if frame is not None and sys.argv[1] in frame.name:
            walk(frame)
print(json.dumps(found))
