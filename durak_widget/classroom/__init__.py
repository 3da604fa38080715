"""Contains modules that students' notebooks import by name; never rename these modules."""
