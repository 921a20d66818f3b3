"""Celery: the app, its tasks and their retries, and the sweeper that trusts only the records."""
