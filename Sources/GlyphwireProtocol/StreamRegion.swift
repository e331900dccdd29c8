public import TextModel
public import TextSearch

/// Named region of a stream's pictures, with options of its own.
public struct StreamRegion: Sendable, Hashable {
    /// Name of 1 to 64 characters, which no other region of the stream has.
    public var name: String
    /// Outline in the upright picture.
    public var outline: RegionOutline
    /// Texts and regular expressions to search for, at most 32; empty, the default, for those of the stream.
    public var find: [TextPattern]
    /// Characters that the text may have; `nil`, the default, for those of the stream.
    public var allowedCharacters: AllowedCharacters?
    /// Minimum height of a line as a fraction of the upright picture's height; 0, the default, for that of the stream.
    public var minimumTextHeight: Double

    /// Creates a region.
    public init(
        name: String,
        outline: RegionOutline,
        find: [TextPattern] = [],
        allowedCharacters: AllowedCharacters? = nil,
        minimumTextHeight: Double = 0
    ) {
        self.name = name
        self.outline = outline
        self.find = find
        self.allowedCharacters = allowedCharacters
        self.minimumTextHeight = minimumTextHeight
    }

    /// Options for reading the region, where those of the stream are `stream`.
    package func reading(_ stream: ReadingOptions) -> ReadingOptions {
        var options = stream
        options.regionOfInterest = self.outline.bounds
        if let characters = self.allowedCharacters { options.allowedCharacters = characters }
        if self.minimumTextHeight > 0 { options.minimumTextHeight = self.minimumTextHeight }
        return options
    }
}
