import GlyphwireProtocol
import ImageCodecs
import TextModel

@testable import TextRecognition

/// Line that a network spells: one letter every third step, each with a second letter and its share.
struct SpelledLine {
    typealias Letter = (letter: String, second: String, share: Float)

    let letters: [Letter]
    /// Alphabet of the network.
    let alphabet: Alphabet

    private var network: StubModel<BFloat16> {
        let (letters, alphabet) = (self.letters, self.alphabet)
        func label(_ letter: String) -> Int { alphabet.characters.firstIndex(of: letter) ?? 0 }
        return StubModel<BFloat16> { shape, _ in
            var values: [Float] = []
            for step in 0..<shape.width / 8 {
                var row = [Float](repeating: 0, count: alphabet.count)
                if step % 3 == 1, step / 3 < letters.count {
                    let (letter, second, share) = letters[step / 3]
                    row[label(second)] += share
                    row[label(letter)] += 1 - share
                } else {
                    row[0] = 1
                }
                values += row
            }
            return (values, [shape.width / 8, alphabet.count])
        }
    }

    /// The line as it is read, corrected by `words`.
    func read(words: WordFilter? = nil, _ options: ReadingOptions) throws -> TextLine? {
        let pipeline = LinePipeline(RecognizerModel(model: self.network, alphabet: self.alphabet, words: words))
        var votes = LineVotes()
        votes.directions.count(DirectionVotes.Vote(characters: 100, quarterTurns: 0, shape: .wide))
        let rect = RotatedRect(centre: Point(x: 300, y: 50), axis: Point(x: 1, y: 0), width: 480, height: 48)
        return try PixelBuffer(width: 600, height: 100, format: .gray).withPixels { view in
            try pipeline.read(
                [DetectedLine(rect: rect, score: 0.9)],
                in: LineContext(frame: UprightFrame(view, orientation: .up), options: options),
                with: InlineExecutor(),
                votes: &votes
            ).first ?? nil
        }
    }
}
