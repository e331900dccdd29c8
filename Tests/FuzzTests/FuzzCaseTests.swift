import Foundation
import FuzzTargets
import Testing

/// Kept fuzz cases, run as by libFuzzer: the corpus, and the cases of earlier failures.
@Suite("Fuzz cases")
struct FuzzCaseTests {
    @Test(arguments: FuzzTarget.allCases)
    func whatFuzzingKeptBreaksNothing(target: FuzzTarget) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fuzz/Corpus/\(target.rawValue)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(!names.isEmpty)
        for name in names {
            let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
            #expect(throws: Never.self, "\(target.rawValue)/\(name)") { try target.run(bytes) }
        }
    }

    @Test(arguments: FuzzTarget.allCases)
    func nothingAtAllBreaksNothing(target: FuzzTarget) throws {
        try target.run([])
    }
}
