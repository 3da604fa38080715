"""Makes printed exams, and a table in which a teacher types the students' answers."""
