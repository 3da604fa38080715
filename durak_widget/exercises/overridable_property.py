"""A property that a kind of exercise written elsewhere may also simply set: before there were such questions, an attribute of that name was its own affair."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from builtins import property as settable
else:

    class settable(property):  # noqa: N801 - used as property is
        """Worked out when it is asked for, unless an instance has set it.

        >>> class Quiz:
        ...     @settable
        ...     def credit(self):
        ...         return 0
        >>> quiz = Quiz()
        >>> before, quiz.credit = quiz.credit, 1
        >>> before, quiz.credit
        (0, 1)
        """

        def __get__(self, instance: object, owner: type | None = None) -> object:
            """What was set, or what is worked out."""
            own = {} if instance is None else instance.__dict__
            return own[self.fget.__name__] if self.fget.__name__ in own else super().__get__(instance, owner)

        def __set__(self, instance: object, value: object) -> None:
            """Set it, for this instance."""
            instance.__dict__[self.fget.__name__] = value


__all__ = ["settable"]
