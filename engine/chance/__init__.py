"""The chances of the deal: exact counts of deals, as whole numbers, with no play in them."""
