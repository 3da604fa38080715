"""A class's recorded games as data, and a bot that imitates how the class plays."""
