public import TextModel

/// Text of one frame.
public struct FrameText: Sendable, Hashable {
    /// Width of the frame as sent, in pixels.
    public let width: Int
    /// Height of the frame as sent, in pixels.
    public let height: Int
    /// Orientation in which the frame was read.
    public let orientation: Orientation
    /// Recognition level; `nil` for one of a newer server that this version does not know.
    public let level: RecognitionLevel?
    /// Coordinate space of the boxes in ``lines``.
    public let coordinates: CoordinateSpace
    /// Lines in reading order, with boxes in ``coordinates``.
    public let lines: [TextLine]
    /// Whether the text of the previous frame was reused because the picture is unchanged.
    public let reused: Bool
    /// Ids of words in the previous frame that this one lacks, in ascending order.
    public let lost: [UInt64]
    /// Whether lines are omitted because of the server's limit on words.
    public let truncated: Bool
    /// Matches of the client's search, with boxes in ``coordinates``; `nil` without a search.
    public let found: TextMatches?
    /// Irregularities of the frame that did not keep it from being read.
    public let warnings: [FrameWarning]
    /// Changes since the previous result, with boxes in ``coordinates``; `nil` unless the stream asks for them.
    ///
    /// A line with changes has neither ``lines`` nor ``found`` nor ``lost``.
    public package(set) var changes: [TextChange]?

    /// Creates the text of a frame and converts its boxes to `coordinates`.
    ///
    /// - Parameters:
    ///   - width: Of the frame as sent.
    ///   - height: Of the frame as sent.
    ///   - orientation: The orientation in which the frame was read.
    ///   - level: The recognition level.
    ///   - lines: In reading order, boxes in pixels of the frame as sent; they are converted here.
    ///   - coordinates: The coordinate space that the client requested.
    ///   - reused: Whether the text of the previous frame was reused.
    ///   - lost: Ids of words in the previous frame that this one lacks.
    ///   - truncated: Whether lines are omitted.
    ///   - found: The matches in `lines`, boxes in pixels of the frame as sent; `nil` without a search.
    ///   - warnings: The irregularities of the frame.
    public init(
        width: Int,
        height: Int,
        orientation: Orientation,
        level: RecognitionLevel?,
        lines: [TextLine],
        coordinates: CoordinateSpace = .sent,
        reused: Bool = false,
        lost: [UInt64] = [],
        truncated: Bool = false,
        found: TextMatches? = nil,
        warnings: [FrameWarning] = []
    ) {
        func converted(_ point: Point) -> Point {
            coordinates.point(sent: point, orientation: orientation, width: width, height: height)
        }
        self.init(
            width: width,
            height: height,
            orientation: orientation,
            level: level,
            coordinates: coordinates,
            convertedLines: coordinates == .sent ? lines : lines.map { $0.mapBoxes(converted) },
            reused: reused,
            lost: lost,
            truncated: truncated,
            convertedFound: coordinates == .sent ? found : found?.mapBoxes(converted),
            warnings: warnings
        )
    }

    /// The text of the next frame if its picture is the same.
    package var repeated: FrameText {
        FrameText(
            width: self.width,
            height: self.height,
            orientation: self.orientation,
            level: self.level,
            coordinates: self.coordinates,
            convertedLines: self.lines.map { line in
                var line = line
                line.state = .kept
                return line
            },
            reused: true,
            lost: [],
            truncated: self.truncated,
            convertedFound: self.found,
            warnings: self.warnings
        )
    }

    /// Creates a text whose boxes are in `coordinates` already.
    init(
        width: Int,
        height: Int,
        orientation: Orientation,
        level: RecognitionLevel?,
        coordinates: CoordinateSpace,
        convertedLines: [TextLine],
        reused: Bool,
        lost: [UInt64],
        truncated: Bool,
        convertedFound: TextMatches?,
        warnings: [FrameWarning],
        changes: [TextChange]? = nil
    ) {
        self.width = width
        self.height = height
        self.orientation = orientation
        self.level = level
        self.coordinates = coordinates
        self.lines = convertedLines
        self.reused = reused
        self.lost = lost
        self.truncated = truncated
        self.found = convertedFound
        self.warnings = warnings
        self.changes = changes
    }

    /// Text of all lines that were read, separated by line feeds.
    public var text: String { self.readTexts.joined(separator: "\n") }

    /// Texts of the lines that were read: no other line has one.
    var readTexts: some Sequence<String> { self.lines.lazy.map(\.text).filter { !$0.isEmpty } }

    /// Lines without those in scripts that cannot be read.
    package var readableLines: [TextLine] {
        self.lines.allSatisfy { $0.reason == nil } ? self.lines : self.lines.filter { $0.reason == nil }
    }

    /// Lines with boxes in pixels of the frame as sent, whatever ``coordinates`` is.
    public var linesAsSent: [TextLine] {
        guard self.coordinates != .sent else { return self.lines }
        return self.lines.map { line in
            line.mapBoxes { point in
                self.coordinates.sentPoint(
                    point,
                    orientation: self.orientation,
                    width: self.width,
                    height: self.height
                )
            }
        }
    }
}

extension TextMatches {
    fileprivate func mapBoxes(_ transform: (Point) -> Point) -> TextMatches {
        var all = self
        for index in all.matches.indices { all.matches[index].box = all.matches[index].box.mapCorners(transform) }
        return all
    }
}
