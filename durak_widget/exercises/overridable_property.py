"""A property that an instance can override by plain assignment.

Exercise classes of course authors may already set an attribute with the property's name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from builtins import property as settable
else:

    class settable(property):  # noqa: N801 - named like the built-in `property`
        """A property that is computed, unless the instance has been assigned another value.

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
            """Return the value that was assigned to the instance, or else compute the value."""
            own = {} if instance is None else instance.__dict__
            return own[self.fget.__name__] if self.fget.__name__ in own else super().__get__(instance, owner)

        def __set__(self, instance: object, value: object) -> None:
            """Store a value that replaces the computed value for this instance."""
            instance.__dict__[self.fget.__name__] = value


__all__ = ["settable"]
