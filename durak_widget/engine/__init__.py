"""The state of a game, moves, what a player may observe, text formats and pictures.

To add a verb: its form in `FORMS` of `moves.py`; who may do it and what it does in `state_transitions.py`; why not in `illegal_move_reasons.py` (a new reason is a code in `moves.py`); its words (`deed.`,
`advice.`, `lesson.coach.`, `screen.` …); its line in `frontend/src/widgets/protocol/scene.ts`; what it does to a bout for whoever only watches, in `analysis/hand_inference.py`; its number for other
programs, in `analysis/rl_encoding.py`; why a hint may advise it, in `table/hints.py`; its rule in
`tests/support/oracle.py`. `tests/engine/test_verbs.py` says by name what is missing.
"""
