"""What has a class played, and what can be learned from its games? Games that are no homework, and no marks."""
