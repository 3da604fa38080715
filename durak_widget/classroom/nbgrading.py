"""The grading function that nbgrader notebooks import under this name."""

from durak_widget.grading.nbgrader_points import points

__all__ = ["points"]
