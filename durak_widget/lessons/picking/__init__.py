"""Which cards, which answer, in which order? Questions whose answers are picked, and drills of them; numbers are asked in `numbers`."""
