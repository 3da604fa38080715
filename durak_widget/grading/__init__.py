"""Grade a folder of submissions: gradebook, class report, feedback and the command line."""
