"""What `conformance` is made of."""
