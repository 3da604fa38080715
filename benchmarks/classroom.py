"""Measures how many guesses an hour a sealed answer allows, and how long sealing takes."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING, Final

from durak_widget.homework.answer_hashes import MIN_SEALABLE_ANSWERS, count_possible_answers, seal_answers
from durak_widget.homework.keyless_exercise import remove_key
from durak_widget.lessons import Choose, Number, Pick, Sort

if TYPE_CHECKING:
    from durak_widget.exercises.exercise import Exercise

CARDS: Final = "6c 7c 8c 9c Tc Jc Qc Kc Ac"
MISTAKES: Final = {"contrary": "1224/4807", "with_replacement": "1/7", "exactly": "2/7"}
QUESTIONS: Final[dict[str, Exercise]] = {
    "pick from 6 cards": Pick("Which?", CARDS[:17], "6c"),
    "sort 6 cards": Sort(CARDS[:17], trump=None),
    "sort 8 cards": Sort(CARDS[:23], trump=None),
    "choose from 4": Choose("Which?", dict.fromkeys("abcd", ""), right="a"),
    "a whole number, 462": Number("How many?", 462),
    "a whole number, 11628": Number("How many?", 11628),
    "a whole number, 475020": Number("How many?", 475020),
    "a fraction, 5/18": Number("How likely?", "5/18"),
    "a fraction, 271/323": Number("How likely?", "271/323"),
    "a fraction, 3583/4807": Number("How likely?", "3583/4807", mistakes=MISTAKES),
}
GUESSES: Final = 40
STUDENTS: Final = 200


def main() -> None:
    """Measure the times, and print them as a table."""
    sealed = QUESTIONS["a fraction, 3583/4807"]
    seals = seal_answers(sealed)
    if seals is None:
        raise SystemExit("this Python has no scrypt: nothing is sealed, and all is left to marking")
    start = process_time()
    for number in range(GUESSES):
        seals.open_seal(str(number))
    guess = (process_time() - start) / GUESSES
    print(f"a guess takes {1000 * guess:.0f} ms: {round(3600 / guess, -3):,.0f} guesses an hour on one core")
    print(f"\n{'question':<26} {'answers':>9}  to try them all on one core")
    for name, exercise in QUESTIONS.items():
        count = count_possible_answers(exercise)
        hours = count * guess / 3600
        needs = f"{hours:.1f} hours" if hours >= 1 else f"{60 * hours:.0f} minutes"
        needs = f"{needs}: a check is given" if count >= MIN_SEALABLE_ANSWERS else "too few: no check is given"
        print(f"{name:<26} {count:>9,}  {needs}")
    start = process_time()
    for _ in range(STUDENTS // 10):
        remove_key(sealed)
    seconds_per_seal = (process_time() - start) * 10 / STUDENTS
    print(
        f"\na number with three mistakes is sealed in {1000 * seconds_per_seal:.0f} ms; for {STUDENTS} students in {STUDENTS * seconds_per_seal:.0f} s on one core"
    )


if __name__ == "__main__":
    main()
