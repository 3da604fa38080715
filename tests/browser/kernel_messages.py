"""Decode the messages between a notebook and its kernel."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any


def decode(frame: str | bytes) -> dict[str, Any]:
    """Return the channel, the parts and the buffers of a message.

    A binary frame has Jupyter's protocol `v1.kernel.websocket.jupyter.org`: the number of offsets, the offsets, and
    between them the channel, header, parent header, metadata, content and buffers. A text frame is one JSON object.
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
