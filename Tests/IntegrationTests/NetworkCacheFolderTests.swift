import Foundation
import Glibc
import TestSupport
import Testing

/// Compiled networks are cached between starts, and the same words are read, whatever happens to the cache.
@Suite(.timeLimit(.minutes(3))) struct NetworkCacheFolderTests {
    private static let sign = Engine.root.appending(path: "demo/sign.jpg").path()

    /// Output of `glyphwire read` for a sign, with an environment.
    private static func read(_ environment: [String: String]) async throws -> String {
        let models = ["GLYPHWIRE_MODELS": Engine.models]
        let program = try Program("glyphwire", ["read", Self.sign], environment: models.merging(environment) { $1 })
        let outcome = await program.wait()
        #expect(outcome.exitCode == 0 && outcome.errors == "", "\(outcome.errors)")
        return outcome.output
    }

    private static func temporaryFolder() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
    }

    private static func entries(of folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    }

    @Test func damagedNetworksAreCompiledAgainAndTheSameWordsAreRead() async throws {
        let folder = Self.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = ["GLYPHWIRE_NETWORK_CACHE": folder.path()]
        let expected = try await Self.read(["GLYPHWIRE_NETWORK_CACHE": "none"])
        #expect(expected.contains("WUTONGLI STREET"))
        #expect(try await Self.read(environment) == expected)
        let entries = try Self.entries(of: folder)
        // The detector and the recognizer of one level.
        #expect(entries.count == 3)
        #expect(try await Self.read(environment) == expected)

        let whole = try entries.map { try Data(contentsOf: $0) }
        try Data().write(to: entries[0])
        try whole[1].prefix(whole[1].count / 2).write(to: entries[1])
        #expect(try await Self.read(environment) == expected)
        #expect(try Self.entries(of: folder).count == 3)
        for (entry, contents) in zip(entries, whole) { #expect(try Data(contentsOf: entry).count == contents.count) }
    }

    @Test func aFolderThatCannotBeWrittenChangesNothing() async throws {
        let expected = try await Self.read(["GLYPHWIRE_NETWORK_CACHE": "none"])
        // Neither can be created by any user.
        for folder in ["/proc/glyphwire", "\(Self.sign)/below"] {
            #expect(try await Self.read(["GLYPHWIRE_NETWORK_CACHE": folder]) == expected)
        }
    }

    @Test func aServerWarnsOnceOfAFolderThatCannotBeWritten() async throws {
        let folder = "\(Self.sign)/below"
        let server = try Program(
            "glyphwire",
            ["serve", "--port", "0", "--workers", "1", "--levels", "fast"],
            environment: ["GLYPHWIRE_MODELS": Engine.models, "GLYPHWIRE_NETWORK_CACHE": folder],
            sharesPipe: true
        )
        #expect(await server.nextLine(with: "networks cannot be cached")?.contains(folder) == true)
        #expect(await server.nextLine(with: " listening on ") != nil)
        server.signal(SIGTERM)
        let outcome = await server.wait()
        #expect(outcome.exitCode == 0)
        #expect(!outcome.output.contains("networks cannot be cached"), "\(outcome.output)")
    }

    @Test func processesThatStartTogetherShareAFolder() async throws {
        let folder = Self.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = ["XDG_CACHE_HOME": folder.path()]
        async let first = Self.read(environment)
        async let second = Self.read(environment)
        let texts = try await [first, second]
        #expect(texts[0].contains("WUTONGLI STREET") && texts[0] == texts[1])
        #expect(try Self.entries(of: folder.appending(path: "glyphwire")).count == 3)
        #expect(try await Self.read(environment) == texts[0])
    }
}
