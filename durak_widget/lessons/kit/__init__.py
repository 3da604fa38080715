"""What is an exercise: how is it shown, answered, judged, remembered? What it asks is asked in the rooms above."""
