"""Pages over the warehouse: players and the hand replayer."""
