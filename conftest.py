"""What all tests and notebooks share: a student's file of their own, so that nobody's progress is read or changed."""

from __future__ import annotations

import os
from tempfile import TemporaryDirectory

_HOME = TemporaryDirectory(prefix="durak-widget-tests-")  # goes when the tests end
os.environ["DURAK_WIDGET_HOME"] = _HOME.name
