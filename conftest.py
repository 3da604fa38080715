"""What all tests and notebooks share: a student's file of their own, so that nobody's progress is read or changed."""

from __future__ import annotations

import os
from tempfile import mkdtemp

os.environ["DURAK_WIDGET_HOME"] = mkdtemp(prefix="durak-widget-tests-")
