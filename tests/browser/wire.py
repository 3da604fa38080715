"""The messages between a notebook and its kernel, as they cross the wire."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any


def decode(frame: str | bytes) -> dict[str, Any]:
    """One message: its channel, its parts as values, and its buffers as bytes.

    A frame of bytes is of Jupyter's protocol `v1.kernel.websocket.jupyter.org`: how many offsets there are, the offsets, and
    between them the channel, header, parent header, metadata, content and buffers. A frame of text is one JSON object.
    """
    if isinstance(frame, str):
        return {"buffers": [], **json.loads(frame)}
    number = int.from_bytes(frame[:8], "little")
    offsets = [int.from_bytes(frame[at : at + 8], "little") for at in range(8, 8 * (number + 1), 8)]
    channel, *parts = [frame[start:end] for start, end in pairwise(offsets)]
    values = [json.loads(part) for part in parts[:4]]
    return {
        "channel": channel.decode(),
        **dict(zip(("header", "parent_header", "metadata", "content"), values, strict=True)),
        "buffers": parts[4:],
    }
