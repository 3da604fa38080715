"""How is work shared: here, among processes, by anybody's executor, on a cluster? What is done is asked of whoever shares it."""
