"""A session of hands: how stacks, dealer, pot, rebuys and ledger go on, and how it ends."""
