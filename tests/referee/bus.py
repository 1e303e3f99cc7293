"""As much of D-Bus as the observer needs: a monitor, which no application notices, and a few calls."""

import os
import re
import socket
import struct
import time

DAEMON = "org.freedesktop.DBus"
CALL, REPLY, ERROR, SIGNAL = 1, 2, 3, 4
PATH, INTERFACE, MEMBER, REPLY_SERIAL, DESTINATION, SENDER, SIGNATURE = 1, 2, 3, 5, 6, 7, 8
EVENTS = [f"type='signal',interface='org.a11y.atspi.Event.{kind}'" for kind in ("Object", "Window", "Document")]
CALL_SECONDS = 1.0


def align(at, size):
    return (at + size - 1) // size * size


def read_text(data, at):
    at = align(at, 4)
    (length,) = struct.unpack_from("<I", data, at)
    return data[at + 4 : at + 4 + length].decode("utf-8", "replace"), at + 4 + length + 1


def read_signature(data, at):
    length = data[at]
    return data[at + 1 : at + 1 + length].decode(), at + 2 + length


def read_fields(data):
    """The header fields of a message, by code."""
    (length,) = struct.unpack_from("<I", data, 12)
    fields, at, end = {}, 16, 16 + length
    while at < end:
        at = align(at, 8)
        code = data[at]
        kind, at = read_signature(data, at + 1)
        if kind in "so":
            fields[code], at = read_text(data, at)
        elif kind == "g":
            fields[code], at = read_signature(data, at)
        else:
            at = align(at, 4)
            (fields[code],) = struct.unpack_from("<I", data, at)
            at += 4
    return fields, align(end, 8)


def read_event(data, at):
    """Detail, two numbers and a text, if there is one, of an event of an application."""
    body = data[at:]
    detail, at = read_text(body, 0)
    at = align(at, 4)
    first, second = struct.unpack_from("<ii", body, at)
    kind, at = read_signature(body, at + 8)
    return detail, first, second, read_text(body, at)[0] if kind == "s" else None


def write_text(out, text):
    out += b"\0" * (align(len(out), 4) - len(out))
    raw = text.encode()
    out += struct.pack("<I", len(raw)) + raw + b"\0"


def write_call(serial, destination, path, interface, member, texts, monitor=None):
    body = bytearray()
    for text in texts:
        write_text(body, text)
    signature = "s" * len(texts)
    if monitor is not None:
        signature = "asu"
        rules = bytearray()
        for rule in monitor:
            write_text(rules, rule)
        body += struct.pack("<I", len(rules)) + rules
        body += b"\0" * (align(len(body), 4) - len(body)) + struct.pack("<I", 0)
    fields = bytearray()
    for code, kind, value in (
        (PATH, "o", path),
        (INTERFACE, "s", interface),
        (MEMBER, "s", member),
        (DESTINATION, "s", destination),
        (SIGNATURE, "g", signature),
    ):
        if value == "":
            continue
        fields += b"\0" * (align(len(fields), 8) - len(fields))
        fields += bytes([code, 1, ord(kind), 0])
        if kind == "g":
            fields += bytes([len(value)]) + value.encode() + b"\0"
        else:
            write_text(fields, value)
    head = struct.pack("<cBBBIII", b"l", CALL, 0, 1, len(body), serial, len(fields)) + fields
    return head + b"\0" * (align(len(head), 8) - len(head)) + body


class Bus:
    """A connection. Raises OSError once it is lost."""

    def __init__(self, address):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(CALL_SECONDS)
        found = re.search(r"unix:(path|abstract)=([^,;]+)", address)
        if found is None:
            raise OSError(f"no address: {address}")
        self.socket.connect(("\0" if found[1] == "abstract" else "") + found[2])
        self.data = bytearray()
        self.serial = 0
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        if not self.socket.recv(256).startswith(b"OK"):
            raise OSError("refused")
        self.socket.sendall(b"BEGIN\r\n")
        self.call(DAEMON, "/org/freedesktop/DBus", DAEMON, "Hello")

    def fileno(self):
        return self.socket.fileno()

    def close(self):
        self.socket.close()

    def become_monitor(self):
        interface = DAEMON + ".Monitoring"
        self.call(DAEMON, "/org/freedesktop/DBus", interface, "BecomeMonitor", [], EVENTS)

    def call(self, destination, path, interface, member, texts=(), monitor=None):
        """The body of the reply, or None for an error."""
        self.serial += 1
        serial = self.serial
        self.socket.settimeout(CALL_SECONDS)
        self.socket.sendall(write_call(serial, destination, path, interface, member, texts, monitor))
        end = time.monotonic() + CALL_SECONDS
        while time.monotonic() < end:
            for data in self.receive():
                fields, at = read_fields(data)
                if data[1] in (REPLY, ERROR) and fields.get(REPLY_SERIAL) == serial:
                    return data[at:] if data[1] == REPLY else None
        raise TimeoutError(member)

    def receive(self):
        """The messages that have arrived; waits for some."""
        piece = self.socket.recv(1 << 18)
        if piece == b"":
            raise ConnectionError("the bus has ended")
        self.data += piece
        messages = []
        while len(self.data) >= 16:
            body, _serial, fields = struct.unpack_from("<III", self.data, 4)
            length = align(16 + fields, 8) + body
            if len(self.data) < length:
                break
            messages.append(bytes(self.data[:length]))
            del self.data[:length]
        return messages
