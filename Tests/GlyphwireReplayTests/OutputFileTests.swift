import Glibc
import NIOCore
import Testing

@testable import GlyphwireReplay

@Suite struct OutputFileTests {
    private let folder: TemporaryFolder

    init() throws {
        self.folder = try TemporaryFolder()
    }

    private var names: [String] {
        get throws { try TemporaryFolder.names(in: self.folder.path) }
    }

    private static func mode(_ path: String) -> mode_t {
        var status = stat()
        lstat(path, &status)
        return status.st_mode
    }

    @Test func whatWasThereStaysUntilTheFileIsFinished() throws {
        let path = try self.folder.file("out", Array("old".utf8))
        let file = try OutputFile(path: path, apartFrom: [])
        try file.append(ByteBuffer(string: "new"))
        #expect(try TemporaryFolder.text(of: path) == "old")
        #expect(try self.names == ["out", "out.part"])
        try file.finish()
        #expect(try TemporaryFolder.text(of: path) == "new")
        #expect(try self.names == ["out"])
    }

    @Test func aFileThatIsNotFinishedLeavesNothing() throws {
        let path = try self.folder.file("out", Array("old".utf8))
        let other = try self.folder.file("other")
        for path in [path, other] { try OutputFile(path: path, apartFrom: []).append(ByteBuffer(string: "new")) }
        #expect(try TemporaryFolder.text(of: path) == "old")
        #expect(try self.names == ["out"])
    }

    @Test func whatAKilledProcessHasLeftStays() throws {
        _ = try self.folder.file("out.part", Array("left".utf8))
        let path = try self.folder.file("out")
        try OutputFile.save(ByteBuffer(string: "new"), to: path, apartFrom: [])
        #expect(try TemporaryFolder.text(of: path) == "new")
        #expect(try TemporaryFolder.text(of: "\(path).part") == "left")
    }

    @Test func theTargetOfALinkIsReplacedAndKeepsItsPermissions() throws {
        let target = try self.folder.file("target", Array("old".utf8))
        let link = try self.folder.file("link")
        #expect(chmod(target, 0o600) == 0 && symlink(target, link) == 0)
        try OutputFile.save(ByteBuffer(string: "new"), to: link, apartFrom: [])
        #expect(try TemporaryFolder.text(of: target) == "new")
        #expect(Self.mode(target) & 0o777 == 0o600)
        #expect(Self.mode(link) & S_IFMT == S_IFLNK)
    }

    @Test(arguments: ["target", "./links/../target", "absolute"])
    func theTargetOfALinkIsCreated(name: String) throws {
        let (target, link) = (try self.folder.file("target"), try self.folder.file("link"))
        let links = try self.folder.file("links")
        #expect(mkdir(links, 0o700) == 0 && symlink(name == "absolute" ? target : name, link) == 0)
        try OutputFile.save(ByteBuffer(string: "new"), to: link, apartFrom: [])
        #expect(try TemporaryFolder.text(of: target) == "new")
        #expect(Self.mode(link) & S_IFMT == S_IFLNK)
        #expect(try self.names == ["link", "links", "target"])
    }

    @Test func whatCannotReplaceAnythingIsKept() throws {
        let path = try self.folder.file("out")
        do {
            let file = try OutputFile(path: path, apartFrom: [])
            try file.append(ByteBuffer(string: "new"))
            #expect(mkdir(path, 0o700) == 0)
            let error = #expect(throws: ReplayError.self) { try file.finish() }
            #expect(error?.message.contains("what was written is in \(path).part") == true)
        }
        #expect(try TemporaryFolder.text(of: "\(path).part") == "new")
    }

    @Test(.enabled(if: geteuid() != 0, "root writes into any folder"))
    func aFileInAFolderThatTakesNoOtherIsWrittenInPlace() throws {
        let path = try self.folder.file("out", Array("what was there".utf8))
        #expect(chmod(self.folder.path, 0o500) == 0)
        defer { chmod(self.folder.path, 0o700) }
        try OutputFile.save(ByteBuffer(string: "new"), to: path, apartFrom: [])
        #expect(try TemporaryFolder.text(of: path) == "new")
        #expect(throws: ReplayError(.unwritable, "")) { try OutputFile(path: "\(path).other", apartFrom: []) }
    }

    @Test func resultsOfABrokenConnectionReplaceOthersOnlyIfThereAreAny() async throws {
        let path = try self.folder.file("out", Array("old".utf8))
        for line in [nil, "new"] {
            var results = try ResultsWriter(path: path, apartFrom: [])
            if let line { try await results.write(ByteBuffer(string: line)) }
            await results.keep()
            #expect(try TemporaryFolder.text(of: path) == line.map { "\($0)\n" } ?? "old")
        }
    }

    @Test func anInputIsNotReplacedUnderAnyName() throws {
        let input = try self.folder.file("in", Array("old".utf8))
        let (link, other) = (try self.folder.file("link"), try self.folder.file("other"))
        #expect(symlink(input, link) == 0 && Glibc.link(input, other) == 0)
        for path in [input, "\(self.folder.path)/./in", link, other] {
            #expect(throws: ReplayError(.unwritable, "")) {
                try OutputFile(path: path, apartFrom: ["/nowhere", input])
            }
        }
        #expect(try TemporaryFolder.text(of: input) == "old")
        #expect(try self.names == ["in", "link", "other"])
    }

    @Test func whatCannotBeWrittenIsKnownBefore() throws {
        let old = try self.folder.file("old", Array("old".utf8))
        for path in [old, try self.folder.file("new"), "/dev/null"] { try OutputFile.probe(path, apartFrom: []) }
        for path in ["\(self.folder.path)/none/new", self.folder.path] {
            #expect(throws: ReplayError(.unwritable, "")) { try OutputFile.probe(path, apartFrom: []) }
        }
        #expect(throws: ReplayError(.unwritable, "")) { try OutputFile.probe(old, apartFrom: [old]) }
        #expect(try TemporaryFolder.text(of: old) == "old")
        #expect(try self.names == ["old"])
    }

    @Test func whatIsNotARegularFileIsWrittenInPlace() throws {
        try OutputFile.save(ByteBuffer(string: "new"), to: "/dev/null", apartFrom: ["/dev/null"])
        #expect(throws: ReplayError(.unwritable, "")) { try OutputFile(path: self.folder.path, apartFrom: []) }
    }
}
