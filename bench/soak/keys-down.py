"""Prints the codes of the keys and buttons that are down, by the X server's account."""

from Xlib import display

server = display.Display()
down = [byte * 8 + bit for byte, bits in enumerate(server.query_keymap()) for bit in range(8) if bits & (1 << bit)]
mask = server.screen().root.query_pointer().mask
print(*down, *(f"button {index + 1}" for index in range(5) if mask & (1 << (8 + index))))
