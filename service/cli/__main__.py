"""`python -m service.cli` is `retourne`."""

from service.cli import main

main()
