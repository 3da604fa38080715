"""How is an assignment asked on paper: sheets for each student, and the key for whoever marks? What was written comes back in `typed`; notebooks are handed out by `sheets`."""
