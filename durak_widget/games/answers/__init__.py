"""What is a game's answer, whatever game it is: which solver is asked, what it found, how sure that is? How it is found is asked in `solving`, `matrices` and `nash`."""
