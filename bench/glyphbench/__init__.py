"""Glyphwire's benchmark: engines side by side on the same pictures."""
