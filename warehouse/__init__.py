"""Records, Parquet segments and the queries that every page and endpoint uses."""
