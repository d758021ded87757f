"""Watches a recorded game in a console of wine, and checks what keys do.

Called with the command that runs the program, in a folder with `game.json`.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time


def watch(command, keys):
    """Types keys, each once its text was drawn; returns the exit code."""
    process, terminal = pty.fork()
    if process == 0:
        os.execvp(command[0], [*command, "watch", "game.json"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    drawn, end = b"", time.monotonic() + 60
    try:
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.1)[0]:
                drawn += os.read(terminal, 65536)
            text = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]|\s", b"", drawn)
            if keys and keys[0][0].encode() in text:
                os.write(terminal, keys.pop(0)[1])
                drawn = b""
    except OSError:
        # The program has ended.
        status = os.waitpid(process, 0)[1]
        assert not keys, f"{keys} was never drawn"
        return os.waitstatus_to_exitcode(status)
    os.kill(process, signal.SIGKILL)
    sys.exit(f"the program waits, with {keys or 'nothing'} left to type")


command = sys.argv[1:]
# A pause, and the turn to go to.
assert watch(command, [("qquit", b" /15\r"), ("player2takes2cards", b"q")]) == 0
assert watch(command, [("qquit", b"\x03")]) == 3
print("`war watch` draws in a console, goes to a turn, and ends with q and with Ctrl-C")
