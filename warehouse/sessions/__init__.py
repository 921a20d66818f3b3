"""Sessions: what is declared of them, which stored hands they have, and their audit."""
