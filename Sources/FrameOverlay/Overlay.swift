public import ImageCodecs
public import TextModel

/// A copy of a frame with what was read in it drawn on top: words in red, characters in blue.
public struct Overlay: Sendable {
    /// The picture as it stands, in BGRA, as the frame was sent.
    public private(set) var picture: PixelBuffer

    /// A copy of the frame that `view` shows, without anything drawn yet.
    public init(on view: PixelView) {
        self.picture = PixelBuffer(copyingInColour: view)
    }

    /// A copy of `picture`, without anything drawn yet.
    public init(on picture: PixelBuffer) {
        self.picture = picture.withPixels { PixelBuffer(copyingInColour: $0) }
    }

    /// How much wider than at 1280 pixels lines are, so that they are seen in a large picture that is looked at as a whole.
    private var scale: Float {
        max(1, Float(max(self.picture.width, self.picture.height)) / 1280)
    }

    /// Draws the words of `lines` and their characters.
    ///
    /// - Parameter lines: With boxes in pixels of the frame as it was sent. They may lie anywhere: what is outside of the
    ///   picture is left out.
    public mutating func draw(_ lines: [TextLine]) {
        let (thin, thick) = (1.1 * self.scale, 1.7 * self.scale)
        for line in lines {
            for word in line.words {
                for character in word.characters { self.draw(character.box, in: .blue, width: thin) }
                self.draw(word.box, in: .red, width: thick)
            }
        }
    }

    /// Draws the outline of `box`.
    ///
    /// - Parameters:
    ///   - box: In pixels of the frame as it was sent; one with a corner that is no number is left out.
    ///   - colour: Of the outline.
    ///   - width: Of the outline, in pixels.
    public mutating func draw(_ box: Quad, in colour: Colour, width: Float) {
        let corners = [box.topLeft, box.topRight, box.bottomRight, box.bottomLeft]
        guard corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return }
        for (index, corner) in corners.enumerated() {
            self.picture.draw(Stroke(from: corner, to: corners[(index + 1) % 4], width: width), in: colour)
        }
    }

    /// Writes the picture into a file, as what the end of its name says: `.png`, `.jpg` or `.jpeg`.
    ///
    /// - Parameters:
    ///   - path: Of the file, which is replaced if it is there.
    ///   - orientation: Of the frame, to have the picture turned upright; by default it is written as it was sent.
    /// - Throws: ``PictureError`` if it cannot be written or its name ends otherwise.
    public func write(to path: String, uprightFrom orientation: Orientation = .up) throws(PictureError) {
        try self.picture.upright(from: orientation).write(to: path)
    }
}

/// A colour to draw with.
public struct Colour: Sendable, Hashable {
    /// 0...255.
    public var red: UInt8
    /// 0...255.
    public var green: UInt8
    /// 0...255.
    public var blue: UInt8

    /// A colour of three parts.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Of words.
    public static let red = Colour(red: 235, green: 20, blue: 30)
    /// Of characters.
    public static let blue = Colour(red: 20, green: 100, blue: 255)
}
