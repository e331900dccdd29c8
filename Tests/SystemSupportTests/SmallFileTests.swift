import FoundationEssentials
import SystemSupport
import Testing

@Suite struct SmallFileTests {
    @Test(arguments: [
        ("/", "Is a directory", false), ("/nowhere/file", "No such file or directory", true),
        ("/dev/zero", "it has more than 1048576 bytes", false),
    ])
    func theReasonIsNamed(path: String, reason: String, isMissing: Bool) {
        #expect(throws: FileError(path: path, reason: reason, isMissing: isMissing)) { try SmallFile.bytes(path) }
    }

    @Test func aFileIsReadUpToItsLimit() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let bytes = [UInt8](repeating: 0xFF, count: 100_000)
        try Data(bytes).write(to: file)
        #expect(try SmallFile.bytes(file.path, atMost: bytes.count) == bytes)
        let tooLong = FileError(path: file.path, reason: "it has more than 99999 bytes")
        #expect(throws: tooLong) { try SmallFile.bytes(file.path, atMost: bytes.count - 1) }
        #expect(throws: FileError(path: file.path, reason: "it is not UTF-8")) { try SmallFile.text(file.path) }
    }
}
