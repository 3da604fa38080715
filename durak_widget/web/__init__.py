"""The table and the blackboard on a web page, with Python in the browser."""
