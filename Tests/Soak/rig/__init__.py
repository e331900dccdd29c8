"""What the long tests are made of: a server that is watched, frames of all kinds, and clients good and bad."""
