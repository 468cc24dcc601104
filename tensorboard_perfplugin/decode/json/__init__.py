"""JSON of trace events → columns: by compiled loops where they are, else by msgspec."""
