"""Answer keys, imported under this name by notebooks that were handed out.

They run `from durak_widget.classroom.keys import key`.
"""

from durak_widget.homework.answer_key import Key, key

__all__ = ["Key", "key"]
