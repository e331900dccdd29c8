import Foundation
import GlyphwireProtocol
import TextModel
import NIOCore
import TestSupport
import Testing

/// Runs the vectors of Tests/Vectors as far as possible without a decoder and an engine.
///
/// That is framing, types, frame headers, `configure`, and the lines of messages other than frames.
@Suite struct VectorTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Vectors")
    static let names: [String] =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.standardizedFileURL.path()))?
        .filter { $0.hasSuffix(".bin") }.map { String($0.dropLast(4)) }.sorted() ?? []

    /// Codes that need a decoder, an engine or a server with its own rules.
    static let beyond = [
        "size_mismatch", "jpeg_corrupt", "jpeg_unsupported", "lz4_corrupt", "too_many_pixels", "unsupported_language",
        "level_unavailable", "auth_required", "auth_failed",
    ]

    private static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: Self.folder.appending(path: "\(name).bin")))
    }

    /// The expected lines of a vector, without the server's description.
    private static func expected(_ name: String) throws -> [[String: Any]] {
        let text = try String(contentsOf: Self.folder.appending(path: "\(name).jsonl"), encoding: .utf8)
        let lines = try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(name)")
        }
        return lines.filter { $0["server"] == nil || $0["type"] != nil }
    }

    /// Codes that no client bytes cause by themselves.
    private static let unprovoked = [
        "internal_error", "overloaded", "slow_reader", "timeout", "too_many_connections", "too_many_guesses",
        "wrong_protocol",
    ]

    @Test func thereAreVectorsForEveryCode() throws {
        #expect(Self.names.count > 80)
        let codes = try Self.names.flatMap { try Self.expected($0).compactMap { $0["code"] as? String } }
        #expect(Set(codes) == Set(WireError.Code.allCases.map(\.rawValue)).subtracting(Self.unprovoked))
    }

    @Test func thereAreVectorsForEveryMessage() throws {
        let types = try Self.names.flatMap { assemble([try Self.bytes($0)]).messages.map(\.header.type) }
        #expect(Set(types).isSuperset(of: MessageType.allCases.map(\.rawValue)))
    }

    @Test(arguments: names)
    func aSplitAnywhereGivesTheSameMessages(name: String) throws {
        let bytes = try Self.bytes(name)
        let whole = assemble([bytes])
        let single = assemble(bytes.map { [$0] })
        #expect(single.messages == whole.messages)
        #expect(single.failure == whole.failure)
        let stream = ByteBuffer(bytes)
        // At every byte, unless a vector is long; bytes that come one by one are above.
        for split in stride(from: 0, to: bytes.count, by: 1 + bytes.count / 256) {
            var assembler = MessageAssembler()
            var messages: [Message] = []
            var failure: WireError?
            for range in [0..<split, split..<bytes.count] where failure == nil {
                var chunk = try #require(stream.getSlice(at: range.lowerBound, length: range.count))
                assembler.append(&chunk)
                do throws(WireError) {
                    while let message = try assembler.next() { messages.append(message) }
                } catch { failure = error }
            }
            try #require(messages == whole.messages && failure == whole.failure, "split at \(split)")
        }
    }

    @Test(arguments: names)
    func theExpectedLinesAreWhatTheProtocolAnswers(name: String) throws {
        let stream = assemble([try Self.bytes(name)])
        var expected = try Self.expected(name)[...]
        for message in stream.messages {
            // After `end` and after a fatal error nothing is answered.
            guard let line = expected.popFirst() else { break }
            let answer = try Self.answer(to: message, expecting: line)
            if let answer {
                let json = try JSONSerialization.jsonObject(with: Data(written(answer).utf8))
                let mismatch = VectorMatcher.mismatch(line, json)
                #expect(mismatch == nil, "\(name): \(mismatch ?? "")")
            }
        }
        if let failure = stream.failure, let line = expected.popFirst() {
            let answer = written(.error(ErrorLine(error: failure, sequence: nil)))
            let json = try JSONSerialization.jsonObject(with: Data(answer.utf8))
            #expect(VectorMatcher.mismatch(line, json) == nil)
        }
        #expect(expected.isEmpty)
    }

    /// The protocol's own answer; `nil` if it needs more.
    private static func answer(to message: Message, expecting line: [String: Any]) throws -> ServerLine? {
        let header = message.header
        if let code = line["code"] as? String, Self.beyond.contains(code) {
            let error = WireError(WireError.Code(rawValue: code), "")
            #expect(line["fatal"] as? Bool ?? false == error.code.isFatal)
            return nil
        }
        do throws(WireError) {
            switch try header.checkedType() {
            case .frame:
                _ = try FrameDescription(header: header, limits: WireLimits())
                #expect(line["type"] as? String == "result")
                // Only a server can decide whether it has expired.
                #expect(["ok", "expired"].contains(line["status"] as? String))
                #expect(line["sequence"] as? UInt64 == header.sequence)
                return nil
            case .configure:
                let options = try StreamConfiguration(json: message.payload)
                let window = options.delivery == .every ? 1 : nil
                return .configured(Configured(sequence: header.sequence, options: options, window: window))
            case .ping:
                return .pong(
                    Pong(
                        sequence: header.sequence,
                        capturedMicroseconds: header.capturedMicroseconds,
                        receivedMicroseconds: 1,
                        sentMicroseconds: 2
                    )
                )
            case .stats:
                // Only a server counts frames.
                let frames = (line["connection"] as? [String: Any])?["frames"] as? [String: Int]
                let scope = Stats.Scope(
                    frames: FramesByStatus(
                        ok: frames?["ok"] ?? 0,
                        error: frames?["error"] ?? 0,
                        dropped: frames?["dropped"] ?? 0,
                        expired: frames?["expired"] ?? 0
                    )
                )
                return .stats(Stats(sequence: header.sequence, connection: scope, server: scope))
            case .end:
                let frames = line["frames"] as? UInt64
                return .end(EndLine(sequence: header.sequence, frames: frames ?? 0))
            }
        } catch {
            guard header.type == MessageType.frame.rawValue else {
                return .error(ErrorLine(error: error, sequence: header.sequence))
            }
            return .result(
                FrameResult(
                    sequence: header.sequence,
                    capturedMicroseconds: header.capturedMicroseconds,
                    outcome: .error(error),
                    ageMilliseconds: (line["age_ms"] as? [String: String])?["$type"] == nil ? nil : 1,
                    timings: FrameTimings()
                )
            )
        }
    }
}
