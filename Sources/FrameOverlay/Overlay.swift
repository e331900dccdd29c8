package import ImageCodecs
package import TextModel

/// Copy of a frame with its words drawn in red and its characters in blue.
package struct Overlay: Sendable {
    /// The annotated picture in BGRA, in the orientation of the frame as sent.
    package private(set) var picture: PixelBuffer

    /// Creates an unannotated copy of the frame in `view`.
    package init(on view: PixelView) {
        self.picture = PixelBuffer(copyingInColour: view)
    }

    /// Creates an unannotated copy of `picture`.
    package init(on picture: PixelBuffer) {
        self.picture = picture.withPixels { PixelBuffer(copyingInColour: $0) }
    }

    /// Factor by which lines are wider than at 1280 pixels, so that they remain visible in large pictures.
    private var scale: Float {
        max(1, Float(max(self.picture.width, self.picture.height)) / 1280)
    }

    /// Draws the words of `lines` and their characters.
    ///
    /// - Parameter lines: Lines with boxes in pixels of the frame as sent; parts outside the picture are clipped.
    package mutating func draw(_ lines: [TextLine]) {
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
    ///   - box: In pixels of the frame as sent; a box with a corner that is not finite is skipped.
    ///   - colour: Of the outline.
    ///   - width: Of the outline, in pixels.
    package mutating func draw(_ box: Quad, in colour: Colour, width: Float) {
        let corners = [box.topLeft, box.topRight, box.bottomRight, box.bottomLeft]
        guard corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return }
        for (index, corner) in corners.enumerated() {
            self.picture.draw(Stroke(from: corner, to: corners[(index + 1) % 4], width: width), in: colour)
        }
    }

    /// Writes the picture to a file in the format of its name extension: `.png`, `.jpg` or `.jpeg`.
    ///
    /// - Parameters:
    ///   - path: Of the file; an existing one is replaced.
    ///   - orientation: Of the frame, to write the picture upright; by default it is written as sent.
    /// - Throws: ``PictureError`` if it cannot be written or has another extension.
    package func write(to path: String, uprightFrom orientation: Orientation = .up) throws(PictureError) {
        try self.picture.upright(from: orientation).write(to: path)
    }
}

/// Colour for drawing.
package struct Colour: Sendable, Hashable {
    /// Red component, 0...255.
    package var red: UInt8
    /// Green component, 0...255.
    package var green: UInt8
    /// Blue component, 0...255.
    package var blue: UInt8

    /// Creates a colour from its components.
    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Colour of words.
    package static let red = Colour(red: 235, green: 20, blue: 30)
    /// Colour of characters.
    package static let blue = Colour(red: 20, green: 100, blue: 255)
}
