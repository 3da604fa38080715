"""A door that stays where notebooks and scripts look for it; what it leads to is at home in `marking.marks`."""

from durak_widget.classroom.marking.marks import Marks

__all__ = ["Marks"]
