"""What nbgrader's notebooks import to grade an answer; they are handed out with this name."""

from durak_widget.grading.nbgrader_points import points

__all__ = ["points"]
