internal import TextModel

extension FrameResult {
    func writeMembers(into json: inout JSONBuilder) { self.writeMembers(into: &json, picture: nil) }

    /// Writes the members, with the name of the picture file if there is one.
    func writeMembers(into json: inout JSONBuilder, picture: String?) {
        json.integer("sequence", self.sequence)
        if let picture { json.string("picture", picture) }
        json.integer("captured_us", self.capturedMicroseconds)
        json.outcome(self.outcome)
        if let age = self.ageMilliseconds { json.integer("age_ms", age) }
        json.object("timings_us") { self.timings.writeMembers(into: &$0) }
    }
}

extension FrameTimings {
    fileprivate func writeMembers(into json: inout JSONBuilder) {
        json.integer("queue", self.queue)
        json.integer("decode", self.decode)
        json.integer("detect", self.detect)
        json.integer("recognize", self.recognize)
        json.integer("total", self.total)
    }
}

extension JSONBuilder {
    fileprivate mutating func outcome(_ outcome: FrameResult.Outcome) {
        switch outcome {
        case .ok(let text):
            self.string("status", literal: "ok")
            self.text(text)
        case .error(let error):
            self.string("status", literal: "error")
            self.error(error)
        case .dropped(let newer):
            self.string("status", literal: "dropped")
            self.string("reason", literal: "superseded")
            self.integer("by", newer)
        case .expired: self.string("status", literal: "expired")
        case .other(let status): self.string("status", status)
        }
    }

    private mutating func text(_ text: FrameText) {
        let precision: Precision = text.coordinates == .vision ? .fractions : .pixels
        self.integer("width", text.width)
        self.integer("height", text.height)
        self.integer("orientation", Int(text.orientation.rawValue))
        if let level = text.level { self.string("level", level.rawValue) }
        self.string("coordinates", text.coordinates.rawValue)
        if text.reused { self.bool("reused", true) }
        if text.truncated { self.bool("truncated", true) }
        if text.changes == nil, !text.lost.isEmpty {
            self.array("lost") { json in
                for id in text.lost { json.integer(id) }
            }
        }
        if !text.warnings.isEmpty {
            self.array("warnings") { json in
                for warning in text.warnings { json.warning(warning) }
            }
        }
        if let changes = text.changes {
            self.array("changes") { json in
                for change in changes { json.change(change, precision) }
            }
            return
        }
        self.string("text", joining: text.readTexts)
        self.array("lines") { json in
            for line in text.lines { json.line(line, precision) }
        }
        if let found = text.found { self.matches(found, precision) }
    }

    private mutating func warning(_ warning: FrameWarning) {
        self.object { json in
            json.string("code", warning.code.rawValue)
            if let row = warning.row { json.integer("row", row) }
            if let scale = warning.scale { json.number("scale", scale, precision: .confidence) }
            if let pages = warning.pages { json.integer("pages", pages) }
        }
    }

    private mutating func line(_ line: TextLine, _ precision: Precision) {
        self.object { json in
            json.reading(line.text, line.confidence)
            json.box(line.box, precision)
            if let region = line.region { json.string("region", region) }
            if let state = line.state { json.string("state", state.rawValue) }
            if let script = line.script { json.string("script", script) }
            if let reason = line.reason { json.string("reason", reason.rawValue) }
            if let scores = line.scores {
                json.object("scores") { json in
                    json.number("detection", scores.detection, precision: .confidence)
                    if let recognition = scores.recognition {
                        json.number("recognition", recognition, precision: .confidence)
                    }
                }
            }
            if !line.candidates.isEmpty {
                json.array("candidates") { json in
                    for candidate in line.candidates {
                        json.object { $0.reading(candidate.text, candidate.confidence) }
                    }
                }
            }
            json.array("words") { json in
                for word in line.words { json.word(word, precision) }
            }
        }
    }

    private mutating func word(_ word: TextWord, _ precision: Precision) {
        self.object { json in
            json.reading(word.text, word.confidence)
            json.box(word.box, precision)
            if let id = word.id { json.integer("id", id) }
            if !word.characters.isEmpty {
                json.array("characters") { json in
                    for character in word.characters { json.character(character, precision) }
                }
            }
        }
    }

    private mutating func character(_ character: TextCharacter, _ precision: Precision) {
        self.object { json in
            json.reading(character.text, character.confidence)
            json.box(character.box, precision)
        }
    }

    private mutating func matches(_ found: TextMatches, _ precision: Precision) {
        self.array("matches") { json in
            for match in found.matches { json.match(match, precision) }
        }
        if !found.isComplete { self.bool("matches_complete", false) }
    }

    private mutating func match(_ match: TextMatch, _ precision: Precision) {
        self.object { json in
            json.integer("pattern", match.pattern)
            json.string("text", match.text)
            json.integer("line", match.line)
            json.array("words") { json in
                for word in match.words { json.integer(word) }
            }
            json.box(match.box, precision)
            if let region = match.region { json.string("region", region) }
        }
    }

    /// Writes the members that lines, words, characters and candidates share.
    @inline(__always)
    private mutating func reading(_ text: String, _ confidence: Float) {
        self.string("text", text)
        self.number("confidence", confidence, precision: .confidence)
    }

    /// Writes a box: the four corners as eight numbers, in reading order.
    mutating func box(_ box: Quad, _ precision: Precision) {
        self.array("box") { json in
            json.point(box.topLeft, precision)
            json.point(box.topRight, precision)
            json.point(box.bottomRight, precision)
            json.point(box.bottomLeft, precision)
        }
    }

    @inline(__always)
    private mutating func point(_ point: Point, _ precision: Precision) {
        self.number(point.x, precision: precision)
        self.number(point.y, precision: precision)
    }
}
