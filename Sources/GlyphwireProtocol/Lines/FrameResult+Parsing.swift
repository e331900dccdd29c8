internal import TextModel

extension FrameResult: LineContent {
    static let lineType = LineType.result

    init(from reader: inout JSONReader) throws(JSONError) {
        self.init(sequence: 0, capturedMicroseconds: 0, outcome: .other(status: ""), timings: FrameTimings())
        var members = ResultMembers()
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "sequence": self.sequence = try reader.unsignedInteger()
            case "captured_us": self.capturedMicroseconds = try reader.unsignedInteger()
            case "age_ms": self.ageMilliseconds = try reader.integer()
            case "timings_us": try self.timings.read(from: &reader)
            default: try members.read(name, from: &reader)
            }
        }
        self.outcome = members.outcome
    }
}

/// Members of a `result` line whose meaning depends on its `status`, in any order.
private struct ResultMembers {
    var status = ""
    var reason = ""
    var newer: UInt64 = 0
    var error = WireError(WireError.Code(rawValue: ""), "")
    var width = 0
    var height = 0
    var orientation = Orientation.up
    var level: RecognitionLevel?
    var coordinates = CoordinateSpace.sent
    var lines: [TextLine] = []
    var reused = false
    var lost: [UInt64] = []
    var truncated = false
    var matches: [TextMatch]?
    var isComplete = true
    var warnings: [FrameWarning] = []
    var changes: [TextChange]?

    var outcome: FrameResult.Outcome {
        switch self.status {
        case "ok":
            .ok(
                FrameText(
                    width: self.width,
                    height: self.height,
                    orientation: self.orientation,
                    level: self.level,
                    coordinates: self.coordinates,
                    convertedLines: self.lines,
                    reused: self.reused,
                    lost: self.lost,
                    truncated: self.truncated,
                    convertedFound: self.matches.map { TextMatches($0, isComplete: self.isComplete) },
                    warnings: self.warnings,
                    changes: self.changes
                )
            )
        case "error": .error(self.error)
        // Any other reason comes from a newer server.
        case "dropped" where self.reason == "superseded": .dropped(by: self.newer)
        case "expired": .expired
        default: .other(status: self.status)
        }
    }

    mutating func read(_ name: String, from reader: inout JSONReader) throws(JSONError) {
        switch name {
        case "status": self.status = try reader.string()
        case "reason": self.reason = try reader.string()
        case "by": self.newer = try reader.unsignedInteger()
        case "code": self.error.code = WireError.Code(rawValue: try reader.string())
        case "message": self.error.message = try reader.string()
        case "width": self.width = try reader.integer()
        case "height": self.height = try reader.integer()
        case "orientation":
            guard let orientation = UInt8(exactly: try reader.integer()).flatMap(Orientation.init(rawValue:)) else {
                throw reader.error("expected an orientation 1...8 before here")
            }
            self.orientation = orientation
        // A newer server may have more levels.
        case "level": self.level = RecognitionLevel(rawValue: try reader.string())
        case "coordinates": self.coordinates = try reader.choice()
        case "lines": self.lines = try reader.array(of: TextLine.init(from:))
        case "reused": self.reused = try reader.bool()
        case "truncated": self.truncated = try reader.bool()
        case "lost": self.lost = try reader.array { reader throws(JSONError) in try reader.unsignedInteger() }
        case "matches": self.matches = try reader.array(of: TextMatch.init(from:))
        case "changes":
            self.changes = try reader.array { reader throws(JSONError) in try TextChange(from: &reader) }
                .compactMap(\.self)
        case "warnings": self.warnings = try reader.array(of: FrameWarning.init(from:))
        case "matches_complete": self.isComplete = try reader.bool()
        default: try reader.skipValue()
        }
    }
}

extension FrameWarning {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        var code = ""
        var row: Int?
        var scale: Double?
        var pages: Int?
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "code": code = try reader.string()
            case "row": row = try reader.integer()
            case "scale": scale = try reader.number()
            case "pages": pages = try reader.integer()
            default: try reader.skipValue()
            }
        }
        self.init(Code(rawValue: code), row: row, scale: scale, pages: pages)
    }
}

extension FrameTimings {
    fileprivate mutating func read(from reader: inout JSONReader) throws(JSONError) {
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "queue": self.queue = try reader.integer()
            case "decode": self.decode = try reader.integer()
            case "detect": self.detect = try reader.integer()
            case "recognize": self.recognize = try reader.integer()
            case "total": self.total = try reader.integer()
            default: try reader.skipValue()
            }
        }
    }
}

extension TextLine {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        self.init(text: "", confidence: 0, box: .zero, words: [])
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "text": self.text = try reader.string()
            case "confidence": self.confidence = Float(try reader.number())
            case "box": self.box = try Quad(from: &reader)
            case "words": self.words = try reader.array(of: TextWord.init(from:))
            case "candidates": self.candidates = try reader.array(of: TextCandidate.init(from:))
            // An unknown state is the same as none.
            case "state": self.state = State(rawValue: try reader.string())
            case "script": self.script = try reader.string()
            // So is an unknown reason.
            case "reason": self.reason = UnreadReason(rawValue: try reader.string())
            case "scores": self.scores = try Scores(from: &reader)
            case "region": self.region = try reader.string()
            default: try reader.skipValue()
            }
        }
    }
}

extension TextLine.Scores {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        self.init(detection: 0)
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "detection": self.detection = Float(try reader.number())
            case "recognition": self.recognition = Float(try reader.number())
            default: try reader.skipValue()
            }
        }
    }
}

extension TextWord {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        self.init(text: "", confidence: 0, box: .zero, characters: [])
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "text": self.text = try reader.string()
            case "confidence": self.confidence = Float(try reader.number())
            case "box": self.box = try Quad(from: &reader)
            case "characters": self.characters = try reader.array(of: TextCharacter.init(from:))
            case "id": self.id = try reader.unsignedInteger()
            default: try reader.skipValue()
            }
        }
    }
}

extension TextCharacter {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        self.init(text: "", confidence: 0, box: .zero)
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "text": self.text = try reader.string()
            case "confidence": self.confidence = Float(try reader.number())
            case "box": self.box = try Quad(from: &reader)
            default: try reader.skipValue()
            }
        }
    }
}

extension TextMatch {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        self.init(pattern: 0, text: "", line: 0, words: 0..<0, box: .zero)
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "pattern": self.pattern = try reader.integer()
            case "text": self.text = try reader.string()
            case "line": self.line = try reader.integer()
            case "words":
                let words = try reader.array { reader throws(JSONError) in try reader.integer() }
                guard let first = words.first, first >= 0, first < .max - words.count else { break }
                self.words = first..<first + words.count
            case "box": self.box = try Quad(from: &reader)
            case "region": self.region = try reader.string()
            default: try reader.skipValue()
            }
        }
    }
}

extension TextCandidate {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        self.init(text: "", confidence: 0)
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "text": self.text = try reader.string()
            case "confidence": self.confidence = Float(try reader.number())
            default: try reader.skipValue()
            }
        }
    }
}

extension Quad {
    static let zero = Quad(
        topLeft: Point(x: 0, y: 0),
        topRight: Point(x: 0, y: 0),
        bottomRight: Point(x: 0, y: 0),
        bottomLeft: Point(x: 0, y: 0)
    )

    init(from reader: inout JSONReader) throws(JSONError) {
        try reader.beginArray()
        self.init(
            topLeft: try Point(from: &reader),
            topRight: try Point(from: &reader),
            bottomRight: try Point(from: &reader),
            bottomLeft: try Point(from: &reader)
        )
        guard try !reader.nextElement() else { throw reader.error("expected no more than eight numbers") }
    }
}

extension Point {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        self.init(x: try Self.coordinate(from: &reader), y: try Self.coordinate(from: &reader))
    }

    private static func coordinate(from reader: inout JSONReader) throws(JSONError) -> Float {
        guard try reader.nextElement() else { throw reader.error("expected eight numbers") }
        return Float(try reader.number())
    }
}
