"""The documented format: typed documents, decoding, streams, verdicts, JSON Schema, examples."""
