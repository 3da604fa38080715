"""A door that stays where notebooks and scripts look for it; what it leads to is at home in `reporting.report`."""

from durak_widget.classroom.reporting.report import Report, class_report

__all__ = ["Report", "class_report"]
