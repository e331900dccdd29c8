import Foundation
import GlyphwireProtocol
import Testing

@testable import GlyphwireServer

struct ServerMetricsTests {
    private static let vectors = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Vectors")
        .standardizedFileURL

    /// Codes in the vectors' lines of a type; the vectors have every code that the bytes of a client cause.
    private static func codes(in type: LineType) throws -> Set<String> {
        var codes: Set<String> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.vectors.path())
        where name.hasSuffix(".jsonl") {
            let text = try String(contentsOf: Self.vectors.appending(path: name), encoding: .utf8)
            for line in text.split(separator: "\n") {
                let members = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                guard members?["type"] as? String == type.rawValue, let code = members?["code"] as? String
                else { continue }
                codes.insert(code)
            }
        }
        return codes
    }

    @Test func eachErrorOfTheVectorsHasACounterOfItsKind() throws {
        let (lines, frames) = (try Self.codes(in: .error), try Self.codes(in: .result))
        #expect(lines.contains("bad_option") && frames.contains("bad_orientation"))
        #expect(lines.subtracting(ServerMetrics.lineCodes.map(\.rawValue)) == [])
        #expect(frames.subtracting(ServerMetrics.frameCodes.map(\.rawValue)) == [])
    }
}
