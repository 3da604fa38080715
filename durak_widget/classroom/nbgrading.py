"""Makes the nbgrader grading function importable under the name that notebooks use."""

from durak_widget.grading.nbgrader_points import points

__all__ = ["points"]
