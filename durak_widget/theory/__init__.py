"""What may be hidden, who wins, what is it worth."""
