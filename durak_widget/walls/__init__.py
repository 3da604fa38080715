"""How does somebody else's code run and do no harm? What it is asked, and what its answer is worth, others know."""

from durak_widget.moved import as_its_module

__getattr__ = as_its_module(__name__)
