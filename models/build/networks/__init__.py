"""Rewrites the networks of OCR models, stored as ONNX files."""
