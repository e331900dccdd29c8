import Foundation
import TestSupport
import Testing

/// A server starts with the models that it was built for, or reports in one line which one is missing.
@Suite(.timeLimit(.minutes(3))) struct ModelFileTests {
    /// Fault of one file of the folder.
    enum Fault: String, CaseIterable {
        case missing, cutOff, empty
    }

    @Test(arguments: Fault.allCases)
    func aModelThatIsNotWholeIsNamedAndStopsTheStart(fault: Fault) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = try FileManager.default.contentsOfDirectory(atPath: Engine.models).sorted()
        let name = try #require(names.first { $0 == "recognizer-tiny.characters" })
        for good in names where good != name {
            let target = URL(filePath: Engine.models).appending(path: good).resolvingSymlinksInPath()
            try FileManager.default.createSymbolicLink(at: folder.appending(path: good), withDestinationURL: target)
        }
        let model = try Data(contentsOf: URL(filePath: Engine.models).appending(path: name))
        switch fault {
        case .missing: break
        case .cutOff: try model.prefix(model.count / 2).write(to: folder.appending(path: name))
        case .empty: try Data().write(to: folder.appending(path: name))
        }

        let server = try Program("glyphwire", ["serve", "--port", "0", "--models", folder.path])
        let outcome = await server.wait()
        #expect(outcome.exitCode > 0)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(name), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }
}
