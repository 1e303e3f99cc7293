"""Parses tables with Python's strict CSV reader: a JSON list of texts in, the rows of each out."""

import csv
import io
import json
import sys

csv.field_size_limit(10_000_000)
tables = json.load(sys.stdin)
json.dump([list(csv.reader(io.StringIO(table, newline=""), strict=True)) for table in tables], sys.stdout)
