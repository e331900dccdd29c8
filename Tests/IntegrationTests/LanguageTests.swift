import TextModel
import Foundation
import GlyphwireProtocol
import TextRecognition
import TextRecognitionOpenVINO
import Testing

/// Compares the languages in Protocol.md with those of the models.
@Suite struct LanguageTests {
    /// Codes in the table row that begins with `level`.
    private static func codes(in level: String) throws -> Set<String> {
        let document = try String(contentsOf: Engine.root.appending(path: "Protocol.md"), encoding: .utf8)
        let section = try #require(document.split(separator: "### Languages\n").last)
        let row = try #require(section.split(separator: "\n").first { $0.hasPrefix("| \(level) |") })
        return Set(row.matches(of: /`([a-z]{2})`/).map { String($0.1) })
    }

    @Test func theDocumentNamesTheLanguagesThatAreRead() throws {
        let engine = try Engine.shared.get()
        let (each, accurate) = (try Self.codes(in: "each"), try Self.codes(in: "`accurate`"))
        #expect(!each.isEmpty && !accurate.isEmpty)
        #expect(Set(engine.languages(of: .fast)) == each)
        #expect(Set(engine.languages(of: .accurate)) == each.union(accurate))
    }
}
