internal import Foundation
internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Options are parsed as in RFC 8259 and keep their meaning when written; a rejection is one short sentence.
func checkConfigure(_ bytes: [UInt8]) throws(FuzzFinding) {
    let options: StreamConfiguration
    do throws(WireError) {
        options = try StreamConfiguration(json: ByteBuffer(bytes: bytes))
    } catch {
        try require(!error.code.isFatal, "\(error.code.rawValue) of a configure ends the connection")
        try require(error.message.utf8.count <= 2048, "an error of \(error.message.utf8.count) bytes")
        return
    }
    if !bytes.isEmpty { try requireJSON(Data(bytes), "what is taken as options", ofAnySize: true) }
    let region = options.reading.regionOfInterest
    try require(region.width > 0 && region.height > 0, "a region of \(region.width) x \(region.height)")
    try require(region.x >= 0 && region.y >= 0, "a region that begins at \(region.x), \(region.y)")
    try require(region.x + region.width < 1.000_02, "a region that ends at \(region.x + region.width)")
    try require((1...10).contains(options.reading.candidates), "\(options.reading.candidates) candidates")
    try require((0...1).contains(options.reading.minimumTextHeight), "a height of \(options.reading.minimumTextHeight)")

    let written = options.json()
    try requireJSON(Data(written.readableBytesView), "the echoed options")
    let again: StreamConfiguration
    do throws(WireError) {
        again = try StreamConfiguration(json: written)
    } catch {
        throw FuzzFinding("the echoed options are rejected: \(error.message)")
    }
    try require(
        again.json() == written,
        "\(String(buffer: written)) is echoed as \(String(buffer: again.json()))"
    )
}

/// A valid line from a server is JSON and survives writing and parsing.
func checkLine(_ bytes: [UInt8]) throws(FuzzFinding) {
    guard let line = try? ServerLine(json: ByteBuffer(bytes: bytes)) else { return }
    try requireJSON(Data(bytes), "what is taken as a line", ofAnySize: true)
    try checkWritten(line)
}

/// A result is one line of JSON, whatever the content of the frame.
func checkResult(_ bytes: [UInt8]) throws(FuzzFinding) {
    var input = FuzzBytes(bytes)
    let outcome: FrameResult.Outcome =
        switch input.byte() % 8 {
        case 0: .error(WireError(.jpegCorrupt, input.text()))
        case 1: .dropped(by: input.number())
        case 2: .expired
        case 3: .other(status: input.text())
        default: .ok(FrameText(from: &input))
        }
    let timings = FrameTimings(
        queue: input.number(),
        decode: Int(input.byte()),
        detect: input.number(),
        recognize: Int(input.byte()),
        total: input.number()
    )
    let result = FrameResult(
        sequence: input.number(),
        capturedMicroseconds: input.number(),
        outcome: outcome,
        ageMilliseconds: input.bool() ? input.number() : nil,
        timings: timings
    )
    var written = ByteBuffer()
    LineWriter().write(result: result, into: &written)
    try requireJSON(Data(written.readableBytesView), "the line of a result")
    let bytes = written.readableBytesView
    try require(bytes.firstIndex(of: 10) == bytes.endIndex - 1, "a line that is not one line")
    guard case .ok(let text) = outcome else { return }
    let object = try? JSONSerialization.jsonObject(with: Data(written.readableBytesView)) as? [String: Any]
    let reported = object?["text"] as? String
    try require(reported?.unicodeScalars.elementsEqual(text.text.unicodeScalars) == true, "the text is changed")
}

/// `line` is written as one line of JSON, and is unchanged by parsing and writing again.
private func checkWritten(_ line: ServerLine) throws(FuzzFinding) {
    var first = ByteBuffer()
    LineWriter().write(line, into: &first)
    try requireJSON(Data(first.readableBytesView), "a line")
    guard let again = try? ServerLine(json: first) else {
        throw FuzzFinding("what was written cannot be read: \(String(buffer: first))")
    }
    var second = ByteBuffer()
    LineWriter().write(again, into: &second)
    try require(first == second, "\(String(buffer: first)) is written again as \(String(buffer: second))")
}

/// Checks that an independent parser accepts a text.
///
/// - Parameters:
///   - text: The JSON text.
///   - subject: Its name in errors.
///   - ofAnySize: Whether numbers may exceed the range of that parser, as RFC 8259 allows.
/// - Throws: ``FuzzFinding`` if it is rejected.
private func requireJSON(_ text: Data, _ subject: String, ofAnySize: Bool = false) throws(FuzzFinding) {
    do {
        _ = try JSONSerialization.jsonObject(with: text)
    } catch {
        if ofAnySize, "\(error)".contains("is not representable") { return }
        throw FuzzFinding("\(subject) is no JSON: \(String(decoding: text, as: UTF8.self)) (\(error))")
    }
}

extension FrameText {
    fileprivate init(from input: inout FuzzBytes) {
        self.init(
            width: 1 + Int(input.number(UInt16.self)),
            height: 1 + Int(input.number(UInt16.self)),
            orientation: input.choice(),
            level: input.choice(),
            lines: input.array(atMost: 4, TextLine.init(from:)),
            coordinates: input.choice(),
            reused: input.bool(),
            lost: input.array(atMost: 3) { $0.number() },
            warnings: input.array(atMost: 2) { FrameWarning(FrameWarning.Code(rawValue: $0.text()), row: $0.number()) }
        )
    }
}

extension TextLine {
    fileprivate init(from input: inout FuzzBytes) {
        self.init(
            text: input.text(),
            confidence: input.float(),
            box: Quad(from: &input),
            words: input.array(atMost: 4, TextWord.init(from:)),
            candidates: input.array(atMost: 3) { TextCandidate(text: $0.text(), confidence: $0.float()) },
            state: input.bool() ? input.choice() : nil
        )
    }
}

extension TextWord {
    fileprivate init(from input: inout FuzzBytes) {
        self.init(
            text: input.text(),
            confidence: input.float(),
            box: Quad(from: &input),
            characters: input.array(atMost: 4) {
                TextCharacter(text: $0.text(), confidence: $0.float(), box: Quad(from: &$0))
            },
            id: input.bool() ? input.number() : nil
        )
    }
}

extension Quad {
    fileprivate init(from input: inout FuzzBytes) {
        func point() -> Point { Point(x: input.float(), y: input.float()) }
        self.init(topLeft: point(), topRight: point(), bottomRight: point(), bottomLeft: point())
    }
}
