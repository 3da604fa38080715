"""How does somebody play everywhere? Strategies and bots as answers, by clicks, as a table, as code; what they are worth is asked in `theory/judging`."""
