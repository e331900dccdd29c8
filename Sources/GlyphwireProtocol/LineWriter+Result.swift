public import NIOCore

extension LineWriter {
    /// Appends a `result` line.
    ///
    /// - Parameters:
    ///   - result: What to say.
    ///   - buffer: Where to write.
    public func write(result: FrameResult, into buffer: inout ByteBuffer) {
        buffer.writeJSON(atMost: 160) { json in
            json.literal(#"{"type":"result","sequence":"#)
            json.integer(result.sequence)
            json.literal(#","captured_us":"#)
            json.integer(result.capturedMicroseconds)
            json.literal(#","status":"#)
        }
        switch result.outcome {
        case .ok(let text): self.write(text: text, into: &buffer)
        case .error(let error): self.write(frameError: error, into: &buffer)
        case .other(let status): buffer.writeJSON(atMost: JSONCursor.bound(status)) { $0.string(status) }
        }
        buffer.writeJSON(atMost: 256) { json in
            json.literal(#","timings_us":{"queue":"#)
            json.integer(result.timings.queue)
            json.literal(#","decode":"#)
            json.integer(result.timings.decode)
            json.literal(#","detect":"#)
            json.integer(result.timings.detect)
            json.literal(#","recognize":"#)
            json.integer(result.timings.recognize)
            json.literal(#","total":"#)
            json.integer(result.timings.total)
            json.literal("}}\n")
        }
    }

    private func write(frameError error: WireError, into buffer: inout ByteBuffer) {
        let bound = 64 + JSONCursor.bound(error.code.rawValue) + JSONCursor.bound(error.message)
        buffer.writeJSON(atMost: bound) { json in
            json.literal(#""error","code":"#)
            json.string(error.code.rawValue)
            json.literal(#","message":"#)
            json.string(error.message)
        }
    }

    private func write(text: FrameText, into buffer: inout ByteBuffer) {
        // A pixel is told to a tenth; a fraction to a hundred-thousandth, which is a tenth of a pixel in 10,000.
        let places = text.coordinates == .vision ? 5 : 1
        buffer.writeJSON(atMost: 256) { json in
            json.literal(#""ok","width":"#)
            json.integer(text.width)
            json.literal(#","height":"#)
            json.integer(text.height)
            json.literal(#","orientation":"#)
            json.integer(Int(text.orientation.rawValue))
            json.literal(#","level":"#)
            json.string(text.level.rawValue)
            json.literal(#","coordinates":"#)
            json.string(text.coordinates.rawValue)
            json.literal(#","text":"#)
        }
        let textBound = text.lines.reduce(2) { $0 + JSONCursor.bound($1.text) }
        buffer.writeJSON(atMost: textBound + 32) { json in
            json.joined(text.lines)
            json.literal(#","lines":["#)
        }
        for (index, line) in text.lines.enumerated() {
            self.write(line: line, isFirst: index == 0, places: places, into: &buffer)
        }
        buffer.writeJSON(atMost: 1) { $0.byte(UInt8(ascii: "]")) }
    }

    private func write(line: TextLine, isFirst: Bool, places: Int, into buffer: inout ByteBuffer) {
        buffer.writeJSON(atMost: 128 + JSONCursor.boxBound + JSONCursor.bound(line.text)) { json in
            if !isFirst { json.byte(UInt8(ascii: ",")) }
            json.located(line.text, line.confidence, line.box, places: places)
        }
        if !line.candidates.isEmpty { self.write(candidates: line.candidates, into: &buffer) }
        buffer.writeJSON(atMost: 16) { $0.literal(#","words":["#) }
        for (index, word) in line.words.enumerated() {
            let bound = word.characters.reduce(256 + JSONCursor.boxBound + JSONCursor.bound(word.text)) {
                $0 + 64 + JSONCursor.boxBound + JSONCursor.bound($1.text)
            }
            buffer.writeJSON(atMost: bound) { json in
                if index > 0 { json.byte(UInt8(ascii: ",")) }
                json.word(word, places: places)
            }
        }
        buffer.writeJSON(atMost: 2) { $0.literal("]}") }
    }

    private func write(candidates: [TextCandidate], into buffer: inout ByteBuffer) {
        let bound = candidates.reduce(64) { $0 + 64 + JSONCursor.bound($1.text) }
        buffer.writeJSON(atMost: bound) { json in
            json.literal(#","candidates":["#)
            for (index, candidate) in candidates.enumerated() {
                if index > 0 { json.byte(UInt8(ascii: ",")) }
                json.reading(candidate.text, candidate.confidence)
                json.byte(UInt8(ascii: "}"))
            }
            json.byte(UInt8(ascii: "]"))
        }
    }
}

extension JSONCursor {
    fileprivate mutating func word(_ word: TextWord, places: Int) {
        self.located(word.text, word.confidence, word.box, places: places)
        if !word.characters.isEmpty {
            self.literal(#","characters":["#)
            for (index, character) in word.characters.enumerated() {
                if index > 0 { self.byte(UInt8(ascii: ",")) }
                self.located(character.text, character.confidence, character.box, places: places)
                self.byte(UInt8(ascii: "}"))
            }
            self.byte(UInt8(ascii: "]"))
        }
        self.byte(UInt8(ascii: "}"))
    }

    /// What lines, words and characters have in common, as the start of an object.
    fileprivate mutating func located(_ text: String, _ confidence: Float, _ box: Quad, places: Int) {
        self.reading(text, confidence)
        self.literal(#","box":["#)
        self.point(box.topLeft, places: places)
        self.byte(UInt8(ascii: ","))
        self.point(box.topRight, places: places)
        self.byte(UInt8(ascii: ","))
        self.point(box.bottomRight, places: places)
        self.byte(UInt8(ascii: ","))
        self.point(box.bottomLeft, places: places)
        self.byte(UInt8(ascii: "]"))
    }

    /// A text and how sure it is, as the start of an object.
    fileprivate mutating func reading(_ text: String, _ confidence: Float) {
        self.literal(#"{"text":"#)
        self.string(text)
        self.literal(#","confidence":"#)
        self.decimal(Double(confidence), places: 3)
    }

    /// What all lines say, as one string.
    fileprivate mutating func joined(_ lines: [TextLine]) {
        self.byte(UInt8(ascii: "\""))
        for (index, line) in lines.enumerated() {
            if index > 0 { self.literal("\\n") }
            self.unquoted(line.text)
        }
        self.byte(UInt8(ascii: "\""))
    }

    private mutating func point(_ point: Point, places: Int) {
        self.decimal(Double(point.x), places: places)
        self.byte(UInt8(ascii: ","))
        self.decimal(Double(point.y), places: places)
    }
}
