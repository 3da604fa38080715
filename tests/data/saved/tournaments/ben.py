"""Takes whenever it may; a mistake after some cards are gone."""


def choose(view, rng):
    legal = view.legal_moves()
    if view.talon_count == 0:
        return "attack Xr"
    return legal[-1]
