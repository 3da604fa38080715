"""Whose answers has somebody handed in? A remark for whoever marks, and never a mark; what an answer is worth is asked in `marking`."""
