"""Generated hands with one known fault each, to try an audit on: kinds of faults as a table."""
