"""Bouillotte and Brelan: carre, betting, pots, showdown, premiums."""
