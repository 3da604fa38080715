"""The card engine of Durak: game states, moves, observations, text formats and pictures.

To add a verb:

- `moves.py`: its form in `MOVE_FORMS`, and a code for each new reason to refuse it;
- `state_transitions.py`: who may do it, and its effect;
- `illegal_move_reasons.py`: why it may be refused;
- `i18n`: its words (`deed.`, `advice.`, `lesson.coach.`, `screen.` …);
- `frontend/src/widgets/protocol/scene.ts`: its line;
- `analysis/hand_inference.py`: what other players learn from it;
- `analysis/rl_encoding.py`: its number for other programs;
- `table/hints.py`: why a hint may advise it;
- `tests/support/oracle.py`: its rule.

`tests/engine/test_verbs.py` names what is missing.
"""
