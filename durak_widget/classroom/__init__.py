"""Contains modules that students' notebooks import, so the modules can't be renamed."""
