"""What can the tree on the page be told, how does it look, and what stands beside it? Its parts have rooms of their own: `drawn`, `play`, `matrices`."""
