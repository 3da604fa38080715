"""What is a folder of work worth? How a class stands, and what is given back, is asked in `reporting`."""

from durak_widget.moved import as_its_module

__getattr__ = as_its_module(__name__)
