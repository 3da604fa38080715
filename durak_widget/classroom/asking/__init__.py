"""What is an assignment, and which questions does a student get? The questions of a course have a room of their own, such as `econ431`."""
