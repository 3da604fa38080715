"""Who wins when nobody draws any more, and by which moves? What hidden hands are worth is asked in `judging` and by the solvers of `games`."""
