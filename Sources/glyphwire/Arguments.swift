public import ArgumentParser
public import GlyphwireProtocol
public import Logging

extension RecognitionLevel: ExpressibleByArgument {}
extension CoordinateSpace: ExpressibleByArgument {}
extension Logger.Level: @retroactive ExpressibleByArgument {}
