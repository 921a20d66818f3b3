"""Bourré: declaring, drawing, five tricks under compulsion, and who pays for them."""
