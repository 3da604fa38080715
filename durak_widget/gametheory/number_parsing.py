"""Parses numbers and arithmetic: `1/2`, `0,5`, `50 %`, `1 1/2`, `15·9!`, `C(15,4)`.

All numbers typed by people are read here: payoffs, probabilities, answers. They are read exactly, and the precision
of the last digit is kept. An ambiguous text has several readings: `1,234` is a decimal or a number above a thousand.
The first reading is the decimal. The result of arithmetic is as precise as its least precise decimal. Results too
large to write out are refused before they are computed.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from fractions import Fraction
from math import comb, factorial, perm
from numbers import Rational, Real
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_NUMBER_LENGTH: Final = 120
"""The maximum length, in characters, of a typed number."""
MIN_SIGNIFICANT_DIGITS: Final = 2
"""The number of significant digits that a rounded number needs: 0.33 is accepted for 1/3, but 0.3 is not."""
_RELIABLE_DIGITS: Final = 12
"""The maximum number of digits of a decimal whose last digit is trusted.

A decimal with more digits was computed, so its last digit may be wrong.
"""
_MIN_FLOAT_DENOMINATOR: Final = 2**30
"""A fraction whose denominator is a power of two and larger than this number was converted from a float."""
_MINUS_SIGNS: Final = dict.fromkeys(map(ord, "‐‑‒–—−﹣－"), "-")
_SLASH_SIGNS: Final = dict.fromkeys(map(ord, "⁄∕÷／"), "/")
_SIGN_REPLACEMENTS: Final = {**_MINUS_SIGNS, **_SLASH_SIGNS, ord("٪"): "%", ord("％"): "%", ord("’"): "'", ord("，"): ",", ord("．"): "."}
_PERCENT_PATTERN: Final = re.compile(r"\s*(?:%|per ?cents?|pct|proc(?:ent\w*)?|проц(?:ент\w*)?)\.?$", re.IGNORECASE)
_SPACED_THOUSANDS: Final = r"[1-9][0-9]{0,2}(?:[ '][0-9]{3})+"
_COMMA_THOUSANDS: Final = r"[1-9][0-9]{0,2}(?:,[0-9]{3})+"
_WHOLE_NUMBER: Final = rf"(?:{_SPACED_THOUSANDS}|{_COMMA_THOUSANDS}|[0-9]+)"
_DECIMAL_PATTERN: Final = re.compile(
    rf"({_SPACED_THOUSANDS}(?=[.,])|{_COMMA_THOUSANDS}(?=\.)|[0-9]*(?=[.,]))[.,]([0-9]*)(?:e([+-]?[0-9]{{1,2}}))?", re.IGNORECASE
)
_EXPONENT_PATTERN: Final = re.compile(r"([0-9]+)e([+-]?[0-9]{1,2})", re.IGNORECASE)
_WHOLE_NUMBER_PATTERN: Final = re.compile(_WHOLE_NUMBER)
_FRACTION_PATTERN: Final = re.compile(rf"({_WHOLE_NUMBER}) ?/ ?({_WHOLE_NUMBER})")
_MIXED_NUMBER_PATTERN: Final = re.compile(rf"({_WHOLE_NUMBER})(?: ?\+ ?| )({_WHOLE_NUMBER}) ?/ ?({_WHOLE_NUMBER})")
MAX_BITS: Final = 1024
"""The maximum number of bits of a numerator or denominator (about 300 digits), also in intermediate results."""
_MAX_FACTORIAL_ARGUMENT: Final = 1000
"""The maximum argument of factorials and binomial coefficients."""
_MAX_EXPRESSION_LENGTH: Final = 120
_TIMES_SIGNS: Final = dict.fromkeys(map(ord, "·⋅∙•×✕✖∗"), "*")
_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPT_PATTERN: Final = re.compile("[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_EXPRESSION_PATTERN: Final = re.compile(r"[-+*/^!()]|\bchoose\b|[0-9] ?[xXхХC] ?[0-9]")
_NUMBER_WITHOUT_COMMAS: Final = r"[1-9][0-9]{0,2}(?:[ '][0-9]{3})+(?![0-9])|[0-9]+(?:\.[0-9]+)?"
_NUMBER_PATTERN: Final = re.compile(rf" *({_NUMBER_WITHOUT_COMMAS}(?:[.,][0-9]+)*|[.,][0-9]+)")
_ARGUMENT_PATTERN: Final = re.compile(rf" *({_NUMBER_WITHOUT_COMMAS}|\.[0-9]+)")
"""The pattern of a number in a function's arguments, in which a comma separates arguments and is never a decimal
comma.
"""
_OPERATOR_PATTERN: Final = re.compile(r" *(\*\*|[-+*/^!(),;])")
_WORD_PATTERN: Final = re.compile(r" *([A-Za-zСХх]+(?:\.[a-z]+)?)")
_CHOOSE_WORDS: Final = {"choose", "C", "С"}
_TIMES_LETTERS: Final = {"x", "X", "х", "Х"}
_COUNTING_FUNCTIONS: Final[dict[str, tuple[int, Callable[..., int]]]] = {
    **dict.fromkeys(("C", "С", "comb", "binom", "choose", "binomial"), (2, comb)),
    "perm": (2, perm),
    "factorial": (1, factorial),
}


class ParsedNumber(NamedTuple):
    """A number as a person typed it, with its precision."""

    value: Fraction
    last_digit_unit: Fraction = Fraction(0)
    """The value of one unit in the last digit, such as 0.01; 0 if the number is exact, as fractions and whole numbers
    are.
    """
    significant_digits: int = 0
    """The number of significant digits of a number that may be rounded."""

    def is_rounding_of(self, exact_value: Fraction) -> bool:
        """Return whether rounding an exact value to the typed digits gives the typed number.

        >>> [written] = parse_number_readings("27.8 %")
        >>> written.is_rounding_of(Fraction(5, 18)), written.is_rounding_of(Fraction(2, 7))
        (True, False)
        """
        return abs(exact_value - self.value) <= self.last_digit_unit / 2

    def is_precise_rounding_of(self, exact_value: Fraction) -> bool:
        """Return whether the typed number is `exact_value`, rounded to enough significant digits.

        At least `MIN_SIGNIFICANT_DIGITS` digits are enough.

        >>> [[reading.is_precise_rounding_of(Fraction(1, 3)) for reading in parse_number_readings(text)] for text in ("0.33", "0.3", "1/3")]
        [[True], [False], [False]]
        """
        return self.significant_digits >= MIN_SIGNIFICANT_DIGITS and self.is_rounding_of(exact_value)

    def matches(self, exact_value: Fraction) -> bool:
        """Return whether the typed number equals an exact value, or is a rounding of it.

        A fraction is exact; a decimal may have been rounded.

        >>> [[reading.matches(Fraction(1, 3)) for reading in parse_number_readings(text)] for text in ("0.33", "1/3", "33/100")]
        [[True], [True], [False]]
        """
        return self.value == exact_value or self.is_precise_rounding_of(exact_value)


def parse_number_readings(text: str) -> tuple[ParsedNumber, ...]:
    """Return the possible values of a typed number; the result is empty for any other text.

    >>> [str(reading.value) for text in ("1/2", " 3 / 4", "0,5", ".5", "50 %", "1 1/2", "½", "1,234") for reading in parse_number_readings(text)]
    ['1/2', '3/4', '1/2', '1/2', '1/2', '3/2', '1/2', '617/500', '1234']
    >>> [str(reading.value) for text in ("15*21*362880", "(15/18)^5", "C(15,4)", "1 - 5/18") for reading in parse_number_readings(text)]
    ['114307200', '3125/7776', '1365', '13/18']
    >>> parse_number_readings("a half"), parse_number_readings("1/0"), parse_number_readings("9^9^9")
    ((), (), ())
    """
    try:
        return tuple(dict.fromkeys(_parse_readings(text)))
    except NumberTooLargeError:
        return ()


def is_too_large_to_write(text: str) -> bool:
    """Return whether a text is arithmetic whose result has too many digits to write out.

    Such a result is not computed.

    >>> is_too_large_to_write("9^9^9"), is_too_large_to_write("2000!"), is_too_large_to_write("9!"), is_too_large_to_write("a half")
    (True, True, False, False)
    """
    try:
        _parse_readings(text)
    except NumberTooLargeError:
        return True
    return False


def format_number(number: object) -> str | None:
    """Format a number as a person would type it.

    A text is returned unchanged, and a Python number with all its digits. Return None for any other value.

    >>> format_number(" 1/2"), format_number(Fraction(1, 2)), format_number(0.5), format_number(Decimal("0.50")), format_number(7), format_number(True), format_number([])
    (' 1/2', '1/2', '0.5', '0.50', '7', None, None)
    """
    if isinstance(number, str):
        return number
    if isinstance(number, Fraction) and number.denominator > _MIN_FLOAT_DENOMINATOR and not number.denominator & (number.denominator - 1):
        number = float(number)  # A denominator that is a large power of two shows that the fraction was a float, as in Fraction(37 / 42)
    if isinstance(number, bool):
        return None
    try:
        if isinstance(number, Rational):
            return str(Fraction(int(number.numerator), int(number.denominator)))
        if isinstance(number, Decimal):
            return str(number)
        return _format_real(number) if isinstance(number, Real) else None
    except (ValueError, OverflowError):
        return None


def _format_real(number: Real) -> str:
    """Format a floating-point number with just enough digits for its type, such as `float32`."""
    short, full = str(number), repr(float(number))
    return short if _DECIMAL_PATTERN.fullmatch(short.lstrip("-")) and float(number) == float(type(number)(short)) else full  # type: ignore[call-arg] # a subclass of Real may take a text


def parse_exact_number(value: object) -> Fraction | None:
    """Parse a text or a Python number exactly; return None if it is not a number.

    A decimal has exactly the value that it shows, not the value of the nearest float.

    >>> parse_exact_number("0,1"), parse_exact_number(0.1), parse_exact_number(" −3/4"), parse_exact_number(2), parse_exact_number("half"), parse_exact_number(float("nan")), parse_exact_number(None)
    (Fraction(1, 10), Fraction(1, 10), Fraction(-3, 4), Fraction(2, 1), None, None, None)
    """
    text = format_number(value)
    readings = parse_number_readings(text) if text is not None else ()
    return readings[0].value if readings else None


def _parse_readings(text: str) -> list[ParsedNumber]:
    """Parse a typed number in every way that it can be read."""
    plain = _normalize_characters(text) if len(text) <= 4 * _MAX_NUMBER_LENGTH else ""
    if not plain or len(plain) > _MAX_NUMBER_LENGTH:
        return []
    percent = _PERCENT_PATTERN.search(plain)
    unsigned = expression = re.sub(r"^[=≈~] ?", "", plain[: percent.start()] if percent else plain)
    sign, unsigned = (-1 if unsigned[:1] == "-" else 1), re.sub(r"^[+-] ?", "", unsigned)
    readings = [*_parse_decimal(unsigned), *_parse_whole_number(unsigned, is_rounded=percent is not None), *_parse_fraction(unsigned)]
    if not readings and not any(map(_is_fraction_character, text)):
        readings, sign = _parse_expression(expression), 1
    scale = Fraction(sign, 100 if percent else 1)
    return [ParsedNumber(reading.value * scale, reading.last_digit_unit * abs(scale), reading.significant_digits) for reading in readings]


def _parse_expression(text: str) -> list[ParsedNumber]:
    """Evaluate an arithmetic expression twice: once for each reading of ambiguous numbers."""
    readings = []
    for reading_index in (0, -1):

        def parse_operand(operand_text: str, reading_index: int = reading_index) -> ExpressionResult | None:
            """Parse one number of the expression, in the reading with index `reading_index`."""
            operand_readings = [*_parse_decimal(operand_text), *_parse_whole_number(operand_text, is_rounded=False)]
            return (
                ExpressionResult(
                    operand_readings[reading_index].value,
                    operand_readings[reading_index].significant_digits if operand_readings[reading_index].last_digit_unit else 0,
                )
                if operand_readings
                else None
            )

        result = evaluate_expression(text, parse_operand)
        readings += [ParsedNumber(result.value, _last_digit_unit(result), result.significant_digits)] if result is not None else []
    return readings


def _last_digit_unit(result: ExpressionResult) -> Fraction:
    """Return the place value of a result's last significant digit; 0 if the result is exact."""
    if not result.significant_digits or not result.value:
        return Fraction(0)
    power, size = 0, abs(result.value)
    while size >= 10:
        power, size = power + 1, size / 10
    while size < 1:
        power, size = power - 1, size * 10
    return Fraction(10) ** (power - result.significant_digits + 1)


def _normalize_characters(text: str) -> str:
    """Replace typographic characters in a typed number by ASCII ones, and normalize spaces."""
    parts = []
    for character in text:
        if _is_fraction_character(character):
            parts.append(" " + unicodedata.normalize("NFKC", character))
        elif character.isspace():
            parts.append(" ")
        elif unicodedata.category(character) == "Nd":
            parts.append(str(unicodedata.digit(character)))
        elif unicodedata.category(character) != "Cf":  # Remove invisible characters, such as direction marks and joiners
            parts.append(character)
    return " ".join("".join(parts).translate(_SIGN_REPLACEMENTS).split())


def _is_fraction_character(character: str) -> bool:
    """Return whether a character is a fraction, such as ½."""
    return unicodedata.decomposition(character).startswith("<fraction>")


def _parse_decimal(text: str) -> list[ParsedNumber]:
    """Parse a decimal in every way that its comma or point can be read."""
    match = _DECIMAL_PATTERN.fullmatch(text) or _EXPONENT_PATTERN.fullmatch(text)
    if match is None:
        return []
    whole, *decimals, power = match.groups()
    decimal_digits = decimals[0] if decimals else ""
    if not whole + decimal_digits:
        return []
    digits = _keep_digits(whole) + decimal_digits
    exponent = int(power or 0) - len(decimal_digits)
    is_exact = not decimal_digits and power is None  # The point in "5." ends a sentence, so the number is exactly five
    value, significant = int(digits) * Fraction(10) ** exponent, len(digits.lstrip("0"))
    unit = (
        Fraction(0)
        if is_exact
        else max(Fraction(10) ** exponent, value / 10**_RELIABLE_DIGITS if significant > _RELIABLE_DIGITS else Fraction(0))
    )
    return [ParsedNumber(value, unit, significant)]


def _parse_whole_number(text: str, *, is_rounded: bool) -> list[ParsedNumber]:
    """Parse a whole number, which is exact unless `is_rounded` is set."""
    if _WHOLE_NUMBER_PATTERN.fullmatch(text) is None:
        return []
    digits = _keep_digits(text)
    return [ParsedNumber(Fraction(int(digits)), Fraction(int(is_rounded)), len(digits.lstrip("0")))]


def _parse_fraction(text: str) -> list[ParsedNumber]:
    """Parse a fraction such as `1/2`, or a mixed number such as `1 1/2`."""
    readings = []
    if match := _FRACTION_PATTERN.fullmatch(text):
        numerator, denominator = (int(_keep_digits(part)) for part in match.groups())
        readings += [ParsedNumber(Fraction(numerator, denominator))] if denominator else []
    if match := _MIXED_NUMBER_PATTERN.fullmatch(text):
        whole, numerator, denominator = (int(_keep_digits(part)) for part in match.groups())
        readings += [ParsedNumber(whole + Fraction(numerator, denominator))] if numerator < denominator else []
    return readings


def _keep_digits(text: str) -> str:
    """Remove all characters that are not digits from a text."""
    return re.sub(r"[^0-9]", "", text)


class NumberTooLargeError(ValueError):
    """A number that is too large to write out."""


class ExpressionResult(NamedTuple):
    """The result of evaluating arithmetic, with its precision."""

    value: Fraction
    significant_digits: int = 0
    """The number of significant digits of the least precise decimal in the arithmetic; 0 if all numbers in it are
    exact.
    """


def evaluate_expression(text: str, parse_operand: Callable[[str], ExpressionResult | None]) -> ExpressionResult | None:
    """Evaluate arithmetic in a text, using the function `parse_operand` for each number.

    Return None if the text is not arithmetic, or has no value.

    >>> def number(text):
    ...     return ExpressionResult(Fraction(text.replace(" ", "")))
    >>> [str(evaluate_expression(text, number).value) for text in ("15*21*362 880", "(15/18)^5", "9!", "C(15,4)", "15 choose 4", "1 - 5/18", "3·2²", "2(1+1)", "-2^2")]
    ['114307200', '3125/7776', '362880', '1365', '1365', '13/18', '12', '4', '-4']
    >>> evaluate_expression("1/0", number), evaluate_expression("a half", number), evaluate_expression("2 3", number)
    (None, None, None)
    >>> evaluate_expression("9^9^9", number)
    Traceback (most recent call last):
    durak_widget.gametheory.number_parsing.NumberTooLargeError: 9^387420489 is too large
    """
    plain = _SUPERSCRIPT_PATTERN.sub(lambda match: f"^({match[0].translate(_SUPERSCRIPTS)})", text.translate(_TIMES_SIGNS))
    if len(plain) > _MAX_EXPRESSION_LENGTH or not _EXPRESSION_PATTERN.search(plain):
        return None
    try:
        return _ExpressionParser(plain, parse_operand).parse_all()
    except (_ExpressionSyntaxError, ZeroDivisionError):
        return None


class _ExpressionSyntaxError(ValueError):
    """An error for a text that is not arithmetic."""


class _ExpressionParser:
    """A recursive-descent parser of arithmetic expressions."""

    def __init__(self, text: str, parse_operand: Callable[[str], ExpressionResult | None]) -> None:
        self._text, self._parse_operand, self._position, self._argument_depth = text, parse_operand, 0, 0

    def parse_all(self) -> ExpressionResult:
        """Parse the whole text as one expression; raise an error if a part of the text remains."""
        result = self._parse_sum()
        if self._text[self._position :].strip():
            raise _ExpressionSyntaxError
        return result

    def _take(self, pattern: re.Pattern[str], allowed: set[str] | None = None) -> str:
        """Return the next token and move past this token.

        If the token does not match `pattern` or is not in `allowed`, return empty text and do not move.
        """
        match = pattern.match(self._text, self._position)
        if match is None or (allowed is not None and match[1] not in allowed):
            return ""
        self._position = match.end()
        return match[1]

    def _parse_sum(self) -> ExpressionResult:
        """Parse terms that are joined by plus or minus."""
        result = self._parse_product()
        while sign := self._take(_OPERATOR_PATTERN, {"+", "-"}):
            other = self._parse_product()
            result = _limit_size(result.value + other.value if sign == "+" else result.value - other.value, result, other)
        return result

    def _parse_product(self) -> ExpressionResult:
        """Parse factors that are joined by a multiplication or division sign, or by brackets."""
        result, last_sign = self._parse_signed(), ""
        while True:
            sign = self._take(_OPERATOR_PATTERN, {"*", "/"}) or ("*" if self._take(_WORD_PATTERN, _TIMES_LETTERS) else "")
            next_sign = _OPERATOR_PATTERN.match(self._text, self._position)
            if not sign and not (next_sign and next_sign[1] == "("):
                return result
            if last_sign == sign == "/":  # Reject two divisions in a row, such as 1/2/3, because they are ambiguous
                raise _ExpressionSyntaxError
            last_sign, other = sign, self._parse_signed()
            result = _limit_size(result.value / other.value if sign == "/" else result.value * other.value, result, other)

    def _parse_signed(self) -> ExpressionResult:
        """Parse a power that may have a sign before it."""
        sign = self._take(_OPERATOR_PATTERN, {"+", "-"})
        result = self._parse_power()
        return result._replace(value=-result.value) if sign == "-" else result

    def _parse_power(self) -> ExpressionResult:
        """Parse an operand that may have an exponent, as in `2^10`."""
        result = self._parse_factorial_or_choose()
        if not self._take(_OPERATOR_PATTERN, {"^", "**"}):
            return result
        exponent = self._parse_signed()
        power, base = exponent.value, result.value
        if power.denominator != 1 or (not base and power <= 0):
            raise _ExpressionSyntaxError
        if abs(power) * max(base.numerator.bit_length() - 1, base.denominator.bit_length() - 1) > MAX_BITS:
            raise NumberTooLargeError(f"{base}^{power} is too large")
        if base in (0, 1, -1):
            power = Fraction(2 - int(power) % 2)  # For base 0, 1 or -1, only the exponent's parity matters
        return _limit_size(base ** int(power), result)

    def _parse_factorial_or_choose(self) -> ExpressionResult:
        """Parse an operand that may be followed by `!`, or by `choose` and another operand."""
        result = self._parse_operand_or_group()
        while self._take(_OPERATOR_PATTERN, {"!"}):
            result = _apply_counting_function(factorial, result)
        if self._take(_WORD_PATTERN, _CHOOSE_WORDS):
            result = _apply_counting_function(comb, result, self._parse_operand_or_group())
        return result

    def _parse_operand_or_group(self) -> ExpressionResult:
        """Parse a number, an expression in brackets, or a function with its arguments."""
        if self._take(_OPERATOR_PATTERN, {"("}):
            depth, self._argument_depth = self._argument_depth, 0
            result = self._parse_sum()
            self._argument_depth = depth
            self._require_closing_bracket()
            return result
        if function_name := self._take(_WORD_PATTERN):
            return self._parse_function_call(function_name.rpartition(".")[2])
        text = self._take(_ARGUMENT_PATTERN if self._argument_depth else _NUMBER_PATTERN)
        found_number = self._parse_operand(text) if text else None
        if found_number is None:
            raise _ExpressionSyntaxError
        return found_number

    def _parse_function_call(self, function_name: str) -> ExpressionResult:
        """Parse the arguments of a counting function such as `C(15,4)`, and compute its result."""
        argument_count, function = _COUNTING_FUNCTIONS.get(function_name, (0, factorial))
        if not argument_count or not self._take(_OPERATOR_PATTERN, {"("}):
            raise _ExpressionSyntaxError
        self._argument_depth += 1
        arguments = [self._parse_sum()]
        while len(arguments) < argument_count and self._take(_OPERATOR_PATTERN, {",", ";"}):
            arguments.append(self._parse_sum())
        self._argument_depth -= 1
        self._require_closing_bracket()
        if len(arguments) != argument_count:
            raise _ExpressionSyntaxError
        return _apply_counting_function(function, *arguments)

    def _require_closing_bracket(self) -> None:
        if not self._take(_OPERATOR_PATTERN, {")"}):
            raise _ExpressionSyntaxError


def _apply_counting_function(function: Callable[..., int], *arguments: ExpressionResult) -> ExpressionResult:
    """Compute a factorial or a binomial coefficient of whole numbers."""
    values = [value.value for value in arguments]
    if any(value.denominator != 1 or value < 0 for value in values):
        raise _ExpressionSyntaxError
    if max(values) > _MAX_FACTORIAL_ARGUMENT:
        raise NumberTooLargeError(f"{max(values)} is too large for a factorial or binomial coefficient")
    return _limit_size(Fraction(function(*map(int, values))), *arguments)


def _limit_size(value: Fraction, *operands: ExpressionResult) -> ExpressionResult:
    """Build a result that has the precision of the least precise operand.

    Raise an error if the result is too large.
    """
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise NumberTooLargeError(f"a number of {value.numerator.bit_length()} bits is too large")
    return ExpressionResult(value, min((operand.significant_digits for operand in operands if operand.significant_digits), default=0))
