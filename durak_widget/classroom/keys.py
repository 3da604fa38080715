"""A door that stays where notebooks and scripts look for it; what it leads to is at home in `sheets.keys`."""

from durak_widget.classroom.sheets.keys import key

__all__ = ["key"]
