import Foundation
import GlyphwireProtocol
import GlyphwireServer
import NIOCore
import TestSupport
import TextRecognition
import Testing

/// Plays every vector of Tests/Vectors to a server with the real engine.
@Suite(.serialized, .timeLimit(.minutes(5))) struct VectorServerTests {
    private struct Vector {
        let name: String
        let bytes: ByteBuffer
        /// Arguments of `glyphwire serve` that it needs.
        var arguments: [String] = []
        /// Expected lines.
        var lines: [[String: Any]] = []
    }

    private static let folder = Engine.root.appending(path: "Tests/Vectors")

    private let vectors: [Vector]

    init() throws {
        self.vectors = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
            .filter { $0.hasSuffix(".bin") }.sorted()
            .map { try Self.load(String($0.dropLast(4))) }
    }

    private static func load(_ name: String) throws -> Vector {
        let bytes = try Data(contentsOf: Self.folder.appending(path: "\(name).bin"))
        var vector = Vector(name: name, bytes: ByteBuffer(bytes: bytes))
        let text = try String(contentsOf: Self.folder.appending(path: "\(name).jsonl"), encoding: .utf8)
        for line in text.split(separator: "\n") {
            let line = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            if line["type"] == nil, let arguments = line["server"] as? [String] {
                vector.arguments = arguments
            } else {
                vector.lines.append(line)
            }
        }
        return vector
    }

    @Test func theUsualServerAnswersAsTheVectorsSay() async throws {
        let vectors = self.vectors.filter(\.arguments.isEmpty)
        #expect(vectors.count > 70)
        try await self.play(vectors, engine: try Engine.shared.get())
    }

    @Test func aServerWithATokenAnswersAsTheVectorsSay() async throws {
        let vectors = self.vectors.filter { $0.arguments.first == "--token-file" }
        #expect(vectors.count >= 4)
        let token = try String(contentsOf: Self.folder.appending(path: "token.txt"), encoding: .utf8)
        try await self.play(vectors, engine: try Engine.shared.get()) {
            $0.tokens = [AccessToken(token.trimmingCharacters(in: .whitespacesAndNewlines))]
        }
    }

    @Test func aServerWithOneLevelAnswersAsTheVectorsSay() async throws {
        let vectors = self.vectors.filter { $0.arguments == ["--levels", "fast"] }
        #expect(!vectors.isEmpty)
        try await self.play(vectors, engine: try Engine.fast())
    }

    @Test func noVectorIsLeftOut() {
        for vector in self.vectors where !vector.arguments.isEmpty {
            #expect(vector.arguments == ["--levels", "fast"] || vector.arguments == ["--token-file", "token.txt"])
        }
    }

    private func play(
        _ vectors: [Vector],
        engine: any ReadingEngine,
        configure: (inout ServerConfiguration) -> Void = { _ in }
    ) async throws {
        try await TestServer.run(engine: engine, configure) { server in
            for vector in vectors {
                let client = try await TestClient.connect(port: server.port)
                #expect(try await client.nextLine()?.summary == "hello")
                // In three chunks, split in the first header and in the middle.
                var rest = vector.bytes
                for length in [min(7, rest.readableBytes), rest.readableBytes / 2, Int.max] {
                    guard let piece = rest.readSlice(length: min(length, rest.readableBytes)) else { continue }
                    // A server that has reported why it closes need not read the rest.
                    try? await client.send(piece)
                }
                var answers: [Any] = []
                while let line = await client.nextText() {
                    answers.append(try JSONSerialization.jsonObject(with: Data(line.utf8)))
                }
                #expect(answers.count == vector.lines.count, "\(vector.name)")
                for (index, (expected, answer)) in zip(vector.lines, answers).enumerated() {
                    let mismatch = VectorMatcher.mismatch(expected, answer, at: "lines[\(index)]")
                    #expect(mismatch == nil, "\(vector.name): \(mismatch ?? "")")
                }
                try? await client.close()
            }
        }
    }
}
