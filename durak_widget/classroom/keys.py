"""Makes answer keys importable under the name that handed-out notebooks use.

They run `from durak_widget.classroom.keys import key`.
"""

from durak_widget.homework.answer_key import Key, key

__all__ = ["Key", "key"]
