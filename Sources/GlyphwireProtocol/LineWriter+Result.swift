internal import TextModel
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
        case .dropped(let newer):
            buffer.writeJSON(atMost: 64) { json in
                json.literal(#""dropped","reason":"superseded","by":"#)
                json.integer(newer)
            }
        case .expired: buffer.writeJSON(atMost: 16) { $0.literal(#""expired""#) }
        case .other(let status): buffer.writeJSON(atMost: JSONCursor.bound(status)) { $0.string(status) }
        }
        buffer.writeJSON(atMost: 256) { json in
            if let age = result.ageMilliseconds {
                json.literal(#","age_ms":"#)
                json.integer(age)
            }
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
        let precision: JSONCursor.Precision = text.coordinates == .vision ? .fractions : .pixels
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
            if text.reused { json.literal(#","reused":true"#) }
            if text.truncated { json.literal(#","truncated":true"#) }
        }
        if !text.lost.isEmpty {
            buffer.writeJSON(atMost: 16 + 24 * text.lost.count) { json in
                json.literal(#","lost":["#)
                for (index, id) in text.lost.enumerated() {
                    if index > 0 { json.byte(UInt8(ascii: ",")) }
                    json.integer(id)
                }
                json.byte(UInt8(ascii: "]"))
            }
        }
        if !text.warnings.isEmpty { self.write(warnings: text.warnings, into: &buffer) }
        let textBound = text.lines.reduce(2) { $0 + JSONCursor.bound($1.text) }
        buffer.writeJSON(atMost: textBound + 48) { json in
            json.literal(#","text":"#)
            json.joined(text.lines)
            json.literal(#","lines":["#)
        }
        for (index, line) in text.lines.enumerated() {
            self.write(line: line, isFirst: index == 0, precision, into: &buffer)
        }
        buffer.writeJSON(atMost: 1) { $0.byte(UInt8(ascii: "]")) }
        if let found = text.found { self.write(found: found, precision, into: &buffer) }
    }

    private func write(warnings: [FrameWarning], into buffer: inout ByteBuffer) {
        let bound = warnings.reduce(32) { $0 + 96 + JSONCursor.bound($1.code.rawValue) }
        buffer.writeJSON(atMost: bound) { json in
            json.literal(#","warnings":["#)
            for (index, warning) in warnings.enumerated() {
                if index > 0 { json.byte(UInt8(ascii: ",")) }
                json.warning(warning)
            }
            json.byte(UInt8(ascii: "]"))
        }
    }

    private func write(found: TextMatches, _ precision: JSONCursor.Precision, into buffer: inout ByteBuffer) {
        buffer.writeJSON(atMost: 32) { $0.literal(#","matches":["#) }
        for (index, match) in found.matches.enumerated() {
            let bound = 128 + JSONCursor.boxBound + JSONCursor.bound(match.text) + match.words.count * 21
            buffer.writeJSON(atMost: bound) { json in
                if index > 0 { json.byte(UInt8(ascii: ",")) }
                json.match(match, precision)
            }
        }
        buffer.writeJSON(atMost: 32) { json in
            json.byte(UInt8(ascii: "]"))
            if !found.isComplete { json.literal(#","matches_complete":false"#) }
        }
    }

    private func write(line: TextLine, isFirst: Bool, _ precision: JSONCursor.Precision, into buffer: inout ByteBuffer)
    {
        let bound = 256 + JSONCursor.boxBound + JSONCursor.bound(line.text) + JSONCursor.bound(line.script ?? "")
        buffer.writeJSON(atMost: bound) { json in
            if !isFirst { json.byte(UInt8(ascii: ",")) }
            json.located(line.text, line.confidence, line.box, precision)
            if let state = line.state {
                json.literal(#","state":"#)
                json.string(state.rawValue)
            }
            if let script = line.script {
                json.literal(#","script":"#)
                json.string(script)
            }
            if let scores = line.scores {
                json.literal(#","scores":{"detection":"#)
                json.decimal(Double(scores.detection), .confidence)
                if let recognition = scores.recognition {
                    json.literal(#","recognition":"#)
                    json.decimal(Double(recognition), .confidence)
                }
                json.byte(UInt8(ascii: "}"))
            }
        }
        if !line.candidates.isEmpty { self.write(candidates: line.candidates, into: &buffer) }
        buffer.writeJSON(atMost: 16) { $0.literal(#","words":["#) }
        for (index, word) in line.words.enumerated() {
            let bound = word.characters.reduce(256 + JSONCursor.boxBound + JSONCursor.bound(word.text)) {
                $0 + 64 + JSONCursor.boxBound + JSONCursor.bound($1.text)
            }
            buffer.writeJSON(atMost: bound) { json in
                if index > 0 { json.byte(UInt8(ascii: ",")) }
                json.word(word, precision)
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
    fileprivate mutating func word(_ word: TextWord, _ precision: Precision) {
        self.located(word.text, word.confidence, word.box, precision)
        if let id = word.id {
            self.literal(#","id":"#)
            self.integer(id)
        }
        if !word.characters.isEmpty {
            self.literal(#","characters":["#)
            for (index, character) in word.characters.enumerated() {
                if index > 0 { self.byte(UInt8(ascii: ",")) }
                self.located(character.text, character.confidence, character.box, precision)
                self.byte(UInt8(ascii: "}"))
            }
            self.byte(UInt8(ascii: "]"))
        }
        self.byte(UInt8(ascii: "}"))
    }

    fileprivate mutating func warning(_ warning: FrameWarning) {
        self.literal(#"{"code":"#)
        self.string(warning.code.rawValue)
        if let row = warning.row {
            self.literal(#","row":"#)
            self.integer(row)
        }
        if let scale = warning.scale {
            self.literal(#","scale":"#)
            self.decimal(scale, .confidence)
        }
        self.byte(UInt8(ascii: "}"))
    }

    fileprivate mutating func match(_ match: TextMatch, _ precision: Precision) {
        self.literal(#"{"pattern":"#)
        self.integer(match.pattern)
        self.literal(#","text":"#)
        self.string(match.text)
        self.literal(#","line":"#)
        self.integer(match.line)
        self.literal(#","words":["#)
        for word in match.words {
            if word > match.words.lowerBound { self.byte(UInt8(ascii: ",")) }
            self.integer(word)
        }
        self.byte(UInt8(ascii: "]"))
        self.box(match.box, precision)
        self.byte(UInt8(ascii: "}"))
    }

    /// What lines, words and characters have in common, as the start of an object.
    fileprivate mutating func located(_ text: String, _ confidence: Float, _ box: Quad, _ precision: Precision) {
        self.reading(text, confidence)
        self.box(box, precision)
    }

    /// A box as a member that is not the first.
    private mutating func box(_ box: Quad, _ precision: Precision) {
        self.literal(#","box":["#)
        self.point(box.topLeft, precision)
        self.byte(UInt8(ascii: ","))
        self.point(box.topRight, precision)
        self.byte(UInt8(ascii: ","))
        self.point(box.bottomRight, precision)
        self.byte(UInt8(ascii: ","))
        self.point(box.bottomLeft, precision)
        self.byte(UInt8(ascii: "]"))
    }

    /// A text and how sure it is, as the start of an object.
    fileprivate mutating func reading(_ text: String, _ confidence: Float) {
        self.literal(#"{"text":"#)
        self.string(text)
        self.literal(#","confidence":"#)
        self.decimal(Double(confidence), .confidence)
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

    private mutating func point(_ point: Point, _ precision: Precision) {
        self.decimal(Double(point.x), precision)
        self.byte(UInt8(ascii: ","))
        self.decimal(Double(point.y), precision)
    }
}
