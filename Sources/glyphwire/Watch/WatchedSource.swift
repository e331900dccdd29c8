internal import GlyphwireProtocol
internal import TextEvents
internal import TextModel
internal import TextSearch
internal import VideoSources

/// Source of `watch` with its name and options.
struct WatchedSource: Sendable, Equatable {
    /// Name in events and logs, unique.
    var name: String
    /// Where the pictures are.
    var address: SourceAddress
    /// Options of its stream.
    var configuration: StreamConfiguration
    /// Orientation of its pictures; `nil` takes that of each picture.
    var orientation: Orientation?
    /// Maximum rate of frames; `nil` takes all.
    var rate: FrameRate?
    /// Time between two snapshots.
    var interval: Duration
    /// TLS of the connection to the server; `nil` for none.
    var tls: ServerTLS?

    /// The source as events know it.
    var events: EventSource {
        EventSource(
            name: self.name,
            patterns: self.configuration.find.map(\.source),
            regions: self.configuration.regions.map { region in
                let patterns = self.configuration.patterns(in: region.name).map(\.source)
                return EventSource.Region(name: region.name, patterns: patterns)
            },
            coordinates: self.configuration.coordinates
        )
    }

    /// Splits `NAME=ADDRESS`; the name is `nil` where there is only an address.
    ///
    /// - Throws: ``SourceError`` for an address that cannot be watched.
    static func split(_ text: String) throws(SourceError) -> (name: String?, address: SourceAddress) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex,
            !text[..<equals].contains(where: { "/:?@".contains($0) })
        else { return (nil, try SourceAddress(text)) }
        return (String(text[..<equals]), try SourceAddress(String(text[text.index(after: equals)...])))
    }
}
