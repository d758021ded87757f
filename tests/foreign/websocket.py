"""WebSocket client (RFC 6455) that needs only the standard library."""

import base64
import hashlib
import os
import socket
import struct

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Closed(Exception):
    """Error for a connection that is over."""


class Silence(Exception):
    """Error if nothing arrived in time, although the connection is still open."""


class WebSocket:
    """Connection to `/ws` of a server."""

    def __init__(self, address, patience):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=patience)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.message = b""
        try:
            self._shake_hands(address)
        except (socket.timeout, Closed):
            self.close()
            raise Closed("no handshake") from None

    def _shake_hands(self, address):
        key = base64.b64encode(os.urandom(16))
        head = (
            f"GET /ws HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key.decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        self.socket.sendall(head.encode())
        while b"\r\n\r\n" not in self.buffer:
            self._fill()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        accepted = base64.b64encode(hashlib.sha1(key + GUID).digest())
        if b" 101 " not in head.split(b"\r\n")[0] or accepted not in head:
            raise Closed(head.decode(errors="replace"))

    def send(self, payload, opcode=TEXT):
        """Sends a text, or bytes, as one frame."""
        data = payload.encode() if isinstance(payload, str) else payload
        mask = os.urandom(4)
        length = len(data)
        if length < 126:
            size = struct.pack(">B", 128 | length)
        elif length < 1 << 16:
            size = struct.pack(">BH", 128 | 126, length)
        else:
            size = struct.pack(">BQ", 128 | 127, length)
        masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))
        self.socket.settimeout(10)
        self.socket.sendall(bytes([128 | opcode]) + size + mask + masked)

    def receive(self, patience):
        """Next text. Raises `Silence` after this many seconds, and `Closed` at the end."""
        while True:
            # Messages in between extend the wait.
            self.socket.settimeout(patience)
            try:
                while (frame := self._frame()) is None:
                    self._fill()
            except socket.timeout:
                raise Silence from None
            final, opcode, data = frame
            if opcode == CLOSE:
                raise Closed(data.decode(errors="replace"))
            if opcode == PING:
                self.send(data, PONG)
            elif opcode < CLOSE:
                self.message += data
                if final:
                    text, self.message = self.message.decode(), b""
                    return text

    def _fill(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise Closed("the end")
        self.buffer += data

    def _frame(self):
        """Next complete frame, if there is one. Servers don't mask frames."""
        buffer, start = self.buffer, 2
        if len(buffer) < 2:
            return None
        length = buffer[1]
        if length > 125:
            size, form = {126: (2, ">H"), 127: (8, ">Q")}[length]
            start += size
            if len(buffer) < start:
                return None
            (length,) = struct.unpack(form, buffer[2:start])
        if len(buffer) < start + length:
            return None
        self.buffer = buffer[start + length :]
        return bool(buffer[0] & 128), buffer[0] & 15, buffer[start : start + length]

    def close(self):
        """Disconnects without a close frame, like a process that dies."""
        self.socket.close()
