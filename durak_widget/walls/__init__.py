"""How does somebody else's code run and do no harm? What it is asked, and what its answer is worth, others know."""
