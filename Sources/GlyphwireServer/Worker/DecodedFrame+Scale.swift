internal import FrameCodecs
internal import GlyphwireProtocol
internal import TextEngine

extension DecodedFrame {
    /// Lines with their boxes in pixels of the frame as it was sent, which was decoded at a reduced scale or as it is.
    func sent(_ lines: [TextLine]) -> [TextLine] {
        guard self.pixels.width != self.width || self.pixels.height != self.height else { return lines }
        let scaleX = Float(self.width) / Float(self.pixels.width)
        let scaleY = Float(self.height) / Float(self.pixels.height)
        return lines.map { $0.mapBoxes { $0.scaled(x: scaleX, y: scaleY) } }
    }
}

extension TextLine {
    /// The line with other boxes for itself, its words and their characters.
    fileprivate func mapBoxes(_ transform: (Quad) -> Quad) -> TextLine {
        var line = self
        line.box = transform(line.box)
        for word in line.words.indices {
            line.words[word].box = transform(line.words[word].box)
            for character in line.words[word].characters.indices {
                let box = line.words[word].characters[character].box
                line.words[word].characters[character].box = transform(box)
            }
        }
        return line
    }
}

extension Quad {
    fileprivate func scaled(x scaleX: Float, y scaleY: Float) -> Quad {
        func scaled(_ point: Point) -> Point { Point(x: point.x * scaleX, y: point.y * scaleY) }
        return Quad(
            topLeft: scaled(self.topLeft),
            topRight: scaled(self.topRight),
            bottomRight: scaled(self.bottomRight),
            bottomLeft: scaled(self.bottomLeft)
        )
    }
}

extension DetectionScale {
    /// Says that the frame was reduced before it was scanned, where it was.
    var warnings: [FrameWarning] {
        guard self.reduction < 1 else { return [] }
        return [FrameWarning(.reducedDetection, scale: (Double(self.reduction) * 1000).rounded() / 1000)]
    }
}
