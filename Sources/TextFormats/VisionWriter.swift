internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Writer of Apple Vision's text observations, as a line of JSON for each picture.
///
/// Coordinates are fractions of the upright picture with the origin at its lower left. Ranges count UTF-16 units, as `NSRange`
/// does. docs/formats.md lists the members.
struct VisionWriter: DocumentWriter {
    func write(_ page: Page, into buffer: inout ByteBuffer) {
        buffer.writeJSON { json in
            json.object { json in
                json.string("picture", page.name)
                switch page.text {
                case .failure(let error): json.string("error", error.reason)
                case .success(let text): self.write(text, into: &json)
                }
            }
        }
        buffer.writeString("\n")
    }

    private func write(_ text: FrameText, into json: inout JSONBuilder) {
        let text = FrameText(
            width: text.width,
            height: text.height,
            orientation: text.orientation,
            level: text.level,
            lines: text.linesAsSent.map(\.withCornersFromLeft),
            coordinates: .vision
        )
        let size = text.orientation.uprightSize(width: text.width, height: text.height)
        json.integer("width", size.width)
        json.integer("height", size.height)
        json.integer("orientation", Int(text.orientation.rawValue))
        json.array("observations") { json in
            for line in text.readableLines { self.write(line, into: &json) }
        }
    }

    private func write(_ line: TextLine, into json: inout JSONBuilder) {
        json.object { json in
            json.number("confidence", line.confidence, precision: .confidence)
            json.rectangle(line.box)
            json.array("topCandidates") { json in
                let best = TextCandidate(text: line.text, confidence: line.confidence)
                for candidate in line.candidates.isEmpty ? [best] : line.candidates {
                    json.object { json in
                        json.string("string", candidate.text)
                        json.number("confidence", candidate.confidence, precision: .confidence)
                    }
                }
            }
            json.array("words") { self.write(wordsOf: line, into: &$0) }
        }
    }

    /// Writes words as ranges of the first candidate, with the values of `boundingBox(for:)` and `characterBoxes`.
    private func write(wordsOf line: TextLine, into json: inout JSONBuilder) {
        var location = 0
        for word in line.words {
            let length = word.text.utf16.count
            json.object { json in
                json.string("string", word.text)
                json.object("range") { json in
                    json.integer("location", location)
                    json.integer("length", length)
                }
                json.number("confidence", word.confidence, precision: .confidence)
                json.rectangle(word.box)
                if !word.characters.isEmpty {
                    json.array("characterBoxes") { json in
                        for character in word.characters {
                            json.object { json in
                                json.string("string", character.text)
                                json.number("confidence", character.confidence, precision: .confidence)
                                json.rectangle(character.box)
                            }
                        }
                    }
                }
            }
            if length > 0 { location += length + 1 }
        }
    }
}

extension JSONBuilder {
    /// Writes the members of a `VNRectangleObservation`: the bounding rectangle of a box, and its corners.
    fileprivate mutating func rectangle(_ box: Quad) {
        let corners = box.corners
        let (left, right) = (corners.map(\.x).min() ?? 0, corners.map(\.x).max() ?? 0)
        let (bottom, top) = (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
        self.object("boundingBox") { json in
            json.number("x", left, precision: .fractions)
            json.number("y", bottom, precision: .fractions)
            json.number("width", right - left, precision: .fractions)
            json.number("height", top - bottom, precision: .fractions)
        }
        self.point("topLeft", box.topLeft)
        self.point("topRight", box.topRight)
        self.point("bottomLeft", box.bottomLeft)
        self.point("bottomRight", box.bottomRight)
    }

    private mutating func point(_ name: StaticString, _ point: Point) {
        self.object(name) { json in
            json.number("x", point.x, precision: .fractions)
            json.number("y", point.y, precision: .fractions)
        }
    }
}
