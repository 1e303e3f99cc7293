"""One question to an application by pyatspi, and nothing else: ask.py PID frame|page

  frame   the name of its first window; prints how long it is
  page    how many children the document of its first page has; prints the number
"""

import sys

import pyatspi


def find_page(element):
    """The first web document, which is only a few levels down."""
    if element.getRole() == pyatspi.ROLE_DOCUMENT_WEB:
        return element
    for child in element:
        found = child is not None and find_page(child)
        if found:
            return found
    return None


PID, WHAT = int(sys.argv[1]), sys.argv[2]
for application in pyatspi.Registry.getDesktop(0):
    if application is not None and application.get_process_id() == PID:
        window = application[0]
        if WHAT == "frame":
            print(len(window.name))
        else:
            page = find_page(window)
            print(-1 if page is None else page.childCount)
