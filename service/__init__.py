"""The web server, the HTTP API, the command line and the process tree."""
