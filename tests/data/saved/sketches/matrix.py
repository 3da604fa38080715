from fractions import Fraction
from durak_widget import theory

theory.Matrix([[(3, 2), (0, 0)], [(Fraction(1, 2), 0), (2, 3)]], rows=["opera", "match"], columns=["opera", "match"], names=("Ann", "Bob"))
