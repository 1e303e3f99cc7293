"""What the panels of all toolkits share: panel-TOOLKIT.py SPEC, a JSON file with title, state, controls and font."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../../tests/fixtures/apps"))
from recorder import Recorder  # noqa: E402

with open(sys.argv[1], encoding="utf-8") as file:
    spec = json.load(file)

recorder = Recorder(spec["state"])
# The width is the same with any labels, so that a window does not grow out of the screen.
WIDTH = spec.get("width", 460)
