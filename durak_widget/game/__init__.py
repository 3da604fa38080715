"""The game: state and moves, the engine that runs them, what a seat may see, history, text, matches."""
