"""What should a beginner hear while a game is played? No exercise: nothing is marked."""
