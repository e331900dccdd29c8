module glyphwire

go 1.19
