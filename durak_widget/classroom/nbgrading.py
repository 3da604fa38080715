"""Gives the grading function for nbgrader the module name that students' notebooks import."""

from durak_widget.grading.nbgrader_points import points

__all__ = ["points"]
