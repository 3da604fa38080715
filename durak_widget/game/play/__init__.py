"""What may be done in a game, and what does it do? Moves, the engine that runs them, and why one is refused. What a seat may know of it is asked in `seen`.

To add a verb: its form in `FORMS` of `moves.py`; who may do it and what it does in `engine.py`; why not in `why.py` (a new reason is a code in `refusal.py`); its words (`deed.`,
`advice.`, `lesson.coach.`, `screen.` …); its line in `frontend/src/page/told/verbs.ts`; what it does to a bout for whoever only watches, in `theory/hidden/bout.py`; its number for other
programs, in `theory/bridges/actions.py`; why a hint may advise it, in `widget/helping/reasons.py`; its rule in
`tests/support/oracle.py`. `tests/game/test_verbs.py` says by name what is missing.
"""
