internal import FoundationEssentials
internal import ImageCodecs
internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Summary of a session's content.
package struct SessionInfo: Sendable, Codable, Equatable {
    /// Frames of one format and size.
    package struct Kind: Sendable, Codable, Equatable {
        /// Format as in Protocol.md.
        package var format: String
        /// Width in pixels as sent; 0 where a JPEG does not state it.
        package var width: Int
        /// Height in pixels as sent; 0 where a JPEG does not state it.
        package var height: Int
        /// Orientation in the header: 1...8, or 0 for the JPEG's own.
        package var orientation: Int
        /// Number of frames.
        package var frames: Int
        /// Total size of the payloads in bytes.
        package var payloadBytes: Int
    }

    /// Path of the file.
    package var path: String
    /// Size in bytes up to the end of the last whole message.
    package var bytes = 0
    /// Number of frames.
    package var frames = 0
    /// Number of other messages, by type.
    package var otherMessages: [String: Int] = [:]
    /// Duration of playback, with one gap after the last frame.
    package var durationSeconds = 0.0
    /// Average frames per second.
    package var fps = 0.0
    /// Shortest time between two frames, in milliseconds.
    package var shortestGapMs = 0.0
    /// Longest time between two frames, in milliseconds.
    package var longestGapMs = 0.0
    /// Number of frames with an unknown or implausible capture time, which is estimated.
    package var framesWithoutTime = 0
    /// Frames by format and size, the most frequent first.
    package var kinds: [Kind] = []
    /// Distinct bodies of the `configure` messages, with tokens hidden.
    package var options: [String] = []
    /// Notice about a damaged end; `nil` if there is none.
    package var notice: String?

    /// Text in place of a token.
    static let hidden = "(hidden)"

    /// Scans the session at `path`.
    package init(path: String) throws(ReplayError) {
        self.path = path
        var reader = try SessionReader(path: path)
        var schedule = FrameSchedule(.recorded(speed: 1))
        var last: Duration?
        var gaps: [Double] = []
        var kinds: [KindKey: (frames: Int, bytes: Int)] = [:]
        while let message = try reader.next() {
            self.bytes += MessageHeader.byteCount + message.payload.readableBytes
            guard MessageType(rawValue: message.header.type) == .frame else {
                self.add(other: message)
                continue
            }
            self.frames += 1
            let time = schedule.next(capturedMicroseconds: message.header.capturedMicroseconds)
            if let last { gaps.append((time - last).milliseconds) }
            last = time
            let kind = kinds[KindKey(message), default: (0, 0)]
            kinds[KindKey(message)] = (kind.frames + 1, kind.bytes + message.payload.readableBytes)
        }
        self.notice = reader.ending?.notice
        self.framesWithoutTime = schedule.guessedGaps
        self.setPace(gaps: gaps, last: last)
        self.kinds = kinds.sorted { ($1.value.frames, $0.key) < ($0.value.frames, $1.key) }.map { key, count in
            Kind(
                format: key.format,
                width: key.width,
                height: key.height,
                orientation: key.orientation,
                frames: count.frames,
                payloadBytes: count.bytes
            )
        }
        if self.frames == 0 {
            throw ReplayError(.notASession, "\(path) holds no whole frame and so is no session")
        }
    }

    private mutating func setPace(gaps: [Double], last: Duration?) {
        self.shortestGapMs = gaps.min() ?? 0
        self.longestGapMs = gaps.max() ?? 0
        self.durationSeconds = ((last?.milliseconds ?? 0) + (gaps.last ?? 0)) / 1000
        self.fps = self.durationSeconds > 0 ? Double(self.frames) / self.durationSeconds : 0
    }

    private mutating func add(other message: Message) {
        let type = MessageType(rawValue: message.header.type)
        self.otherMessages[type.map { "\($0)" } ?? "type \(message.header.type)", default: 0] += 1
        guard type == .configure else { return }
        let options = Self.withoutToken(String(buffer: message.payload)).withoutControlCharacters
        if !self.options.contains(options) { self.options.append(options) }
    }

    /// Returns the body of options with its token hidden.
    private static func withoutToken(_ body: String) -> String {
        guard body.contains("token") else { return body.isEmpty ? "{}" : body }
        guard var options = try? [String: JSONText](jsonObject: ByteBuffer(string: body)) else {
            return "(no JSON object)"
        }
        if options["token"] != nil { options["token"] = .string(Self.hidden) }
        return String(buffer: options.jsonObject)
    }
}

/// Properties that frames of one kind share.
private struct KindKey: Hashable, Comparable {
    var format: String
    var width: Int
    var height: Int
    var orientation: Int

    init(_ message: Message) {
        let header = message.header
        let format = FrameFormat(rawValue: header.format)
        self.format =
            switch format {
            case .jpeg: "JPEG"
            case .bgraLZ4Block: "BGRA, LZ4 block"
            case .bgra: "BGRA"
            case .bgraLZ4Frame: "BGRA, LZ4 frame"
            case .gray: "gray"
            case .grayLZ4Block: "gray, LZ4 block"
            case nil: "format \(header.format)"
            }
        let size = format == .jpeg ? JPEGSize.of(message.payload.readableBytesSpan) : nil
        self.width = size?.width ?? Int(header.width)
        self.height = size?.height ?? Int(header.height)
        self.orientation = Int(header.orientation)
    }

    static func < (a: KindKey, b: KindKey) -> Bool {
        (a.format, a.width, a.height, a.orientation) < (b.format, b.width, b.height, b.orientation)
    }
}

extension SessionInfo {
    /// Summary as text for a terminal.
    package var text: String {
        var facts = [
            ("session", self.path),
            ("frames", "\(Decimals.count(self.frames)) in \(Decimals.bytes(self.bytes))"),
            ("pace", self.pace),
        ]
        for (index, kind) in self.kinds.enumerated() {
            facts.append((index == 0 ? "formats" : "", kind.text))
        }
        for (index, options) in self.options.enumerated() {
            facts.append((index == 0 ? "options" : "", options))
        }
        let others = self.otherMessages.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        if !others.isEmpty { facts.append(("messages", "beside frames: " + others.joined(separator: ", "))) }
        if let notice = self.notice { facts.append(("note", notice)) }
        return facts.map { name, fact in
            name + String(repeating: " ", count: 12 - name.count) + fact
        }.joined(separator: "\n")
    }

    private var pace: String {
        let duration = "\(Decimals.short(self.durationSeconds)) s"
        guard self.framesWithoutTime < max(self.frames - 1, 1) else {
            return "no capture times; played at 30 frames/s it takes \(duration)"
        }
        var text = "\(duration), \(Decimals.short(self.fps)) frames/s"
        if self.longestGapMs - self.shortestGapMs > 0.05 * self.longestGapMs {
            text += ", from \(Decimals.short(self.shortestGapMs)) to \(Decimals.short(self.longestGapMs)) ms apart"
        }
        if self.framesWithoutTime > 0 { text += ", \(self.framesWithoutTime.counted("frame")) without a time" }
        return text
    }

    /// Summary as JSON, for programs.
    package func json() throws(ReplayError) -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        } catch {
            throw ReplayError(.unwritable, "the session cannot be written as JSON: \(error)")
        }
    }
}

extension SessionInfo.Kind {
    fileprivate var text: String {
        let size = self.width > 0 ? "\(self.width)x\(self.height)" : "of unknown size"
        let turn = self.orientation > 1 ? ", orientation \(self.orientation)" : ""
        let mean = Decimals.bytes(self.payloadBytes / max(self.frames, 1))
        return "\(Decimals.count(self.frames)) \(self.format) \(size)\(turn), \(mean) each"
    }
}
