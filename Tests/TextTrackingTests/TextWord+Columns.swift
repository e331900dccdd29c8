import GlyphwireProtocol
import TextModel
import TextRecognition

@testable import TextTracking

extension TextWord {
    /// Word between two columns of a line 20 pixels high.
    init(_ text: String, _ columns: Range<Int>, confidence: Float = 0.9) {
        let box = Quad(Box(left: columns.lowerBound, top: 40, right: columns.upperBound, bottom: 60))
        self.init(text: text, confidence: confidence, box: box, characters: [])
    }
}
