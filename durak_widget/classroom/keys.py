"""Gives answer keys the module name under which notebooks of students import them.

They run `from durak_widget.classroom.keys import key`.
"""

from durak_widget.homework.answer_key import Key, key

__all__ = ["Key", "key"]
