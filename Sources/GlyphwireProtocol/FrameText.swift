public import TextModel

/// The text of one frame.
public struct FrameText: Sendable, Hashable {
    /// Of the frame as it was sent, in pixels.
    public let width: Int
    /// Of the frame as it was sent, in pixels.
    public let height: Int
    /// How the frame was turned to be read.
    public let orientation: Orientation
    /// The recognition level.
    public let level: RecognitionLevel
    /// The coordinate space of the boxes in ``lines``.
    public let coordinates: CoordinateSpace
    /// The lines in reading order, their boxes in ``coordinates``.
    public let lines: [TextLine]
    /// Whether the text of the frame before was reused, since the picture is the same.
    public let reused: Bool
    /// The ids of words that the frame before had and this one has not, in ascending order.
    public let lost: [UInt64]
    /// Whether lines are left out because there are more words than the server reports.
    public let truncated: Bool
    /// Matches of the client's search, boxes in ``coordinates``; `nil` without a search.
    public let found: TextMatches?
    /// Irregularities of the frame that did not keep it from being read.
    public let warnings: [FrameWarning]

    /// The text that a reader found, its boxes converted to `coordinates`.
    ///
    /// - Parameters:
    ///   - width: Of the frame as sent.
    ///   - height: Of the frame as sent.
    ///   - orientation: How the frame was turned to be read.
    ///   - level: The recognition level.
    ///   - lines: In reading order, boxes in pixels of the frame as sent; they are converted here.
    ///   - coordinates: The space that the client asked for.
    ///   - reused: Whether the text of the frame before was reused.
    ///   - lost: Words that the frame before had.
    ///   - truncated: Whether lines are left out.
    ///   - found: The matches in `lines`, boxes in pixels of the frame as sent; `nil` without a search.
    ///   - warnings: What was odd.
    public init(
        width: Int,
        height: Int,
        orientation: Orientation,
        level: RecognitionLevel,
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

    /// The text of a next frame with the same picture.
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

    /// A text whose boxes are in `coordinates` already.
    init(
        width: Int,
        height: Int,
        orientation: Orientation,
        level: RecognitionLevel,
        coordinates: CoordinateSpace,
        convertedLines: [TextLine],
        reused: Bool,
        lost: [UInt64],
        truncated: Bool,
        convertedFound: TextMatches?,
        warnings: [FrameWarning]
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
    }

    /// What all lines say, one below the other.
    public var text: String { self.lines.map(\.text).joined(separator: "\n") }

    /// The lines with their boxes in pixels of the frame as it was sent, whatever ``coordinates`` they came in.
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

extension TextLine {
    /// The line with every corner of every box passed through `transform`.
    package func mapBoxes(_ transform: (Point) -> Point) -> TextLine {
        var line = self
        line.box = self.box.mapCorners(transform)
        for word in line.words.indices {
            line.words[word].box = line.words[word].box.mapCorners(transform)
            for character in line.words[word].characters.indices {
                line.words[word].characters[character].box =
                    line.words[word].characters[character].box.mapCorners(transform)
            }
        }
        return line
    }
}
