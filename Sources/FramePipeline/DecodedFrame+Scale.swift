internal import GlyphwireProtocol
internal import ImageCodecs
internal import TextModel
internal import TextRecognition

extension DecodedFrame {
    /// Lines with their boxes in pixels of the frame as sent, whatever size it was decoded at.
    func sent(_ lines: [TextLine]) -> [TextLine] {
        guard self.pixels.width != self.width || self.pixels.height != self.height else { return lines }
        let scaleX = Float(self.width) / Float(self.pixels.width)
        let scaleY = Float(self.height) / Float(self.pixels.height)
        return lines.map { $0.mapBoxes { Point(x: $0.x * scaleX, y: $0.y * scaleY) } }
    }
}

extension DetectionScale {
    /// Warnings of the frame, with one for a reduced scale.
    var warnings: [FrameWarning] {
        guard self.reduction < 1 else { return [] }
        return [FrameWarning(.reducedDetection, scale: (Double(self.reduction) * 1000).rounded() / 1000)]
    }
}
