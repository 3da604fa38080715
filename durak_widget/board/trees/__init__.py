"""The tree on the page, with all that it can be told; what lies in its rooms stands below."""
