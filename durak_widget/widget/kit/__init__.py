"""What does a widget stand on: its door to the page, how it looks, jobs beside the kernel's work, files of games? What is played is asked in `playing`."""
