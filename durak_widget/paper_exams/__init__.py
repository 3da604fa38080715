"""Makes printed exams, and the table into which a teacher types the students' answers."""
