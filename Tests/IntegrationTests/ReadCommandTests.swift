import Foundation
import Glibc
import GlyphwireProtocol
import ImageCodecs
import NIOCore
import TestSupport
import Testing
import TextModel

/// `glyphwire read` with several pictures, from where they come, and what becomes of those that cannot be read.
@Suite(.timeLimit(.minutes(3))) struct ReadCommandTests {
    private let environment = ["GLYPHWIRE_MODELS": Engine.models]
    private let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")

    private func read(_ arguments: [String], standardInput: String = "/dev/null") async throws -> Program.Outcome {
        let program = try Program(
            "glyphwire",
            ["read"] + arguments,
            environment: self.environment,
            standardInput: standardInput
        )
        return await program.wait()
    }

    /// Runs `body` with a folder of its own.
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: self.folder) }
        try await body(self.folder.path())
    }

    /// The `picture` of each result line.
    private func pictures(_ outcome: Program.Outcome) throws -> [String] {
        try self.lines(outcome).map { try #require($0["picture"] as? String) }
    }

    private func lines(_ outcome: Program.Outcome) throws -> [[String: Any]] {
        try outcome.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    /// A picture that is read in no time.
    private static func blank(side: Int = 32) throws -> Data {
        try Data(PixelBuffer(width: side, height: side, format: .gray).withPixels { try PNGEncoder().encode($0) })
    }

    @Test func standardInputIsAPicture() async throws {
        let outcome = try await self.read(["-"], standardInput: Page.path)
        #expect(outcome.exitCode == 0 && outcome.output.contains("Platform 4"))
        let twice = try await self.read(["-", "-"], standardInput: Page.path)
        #expect(twice.exitCode > 0 && twice.errors.contains("only once"))
    }

    @Test func foldersAndListsStandForTheirPicturesInOrder() async throws {
        try await self.withFolder { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/more", withIntermediateDirectories: true)
            for name in ["page10.png", "page2.PNG", "more/a.png", ".hidden.png"] {
                try Self.blank().write(to: URL(filePath: "\(folder)/\(name)"))
            }
            try Data("notes".utf8).write(to: URL(filePath: "\(folder)/notes.txt"))
            let list = "\(folder)/list.txt"
            try Data("\(folder)/page10.png\n\n\(folder)/more\n".utf8).write(to: URL(filePath: list))
            let options = ["--format", "json"]
            let whole = try await self.read([folder] + options)
            #expect(whole.exitCode == 0 && whole.errors == "")
            #expect(try self.pictures(whole) == ["more/a.png", "page2.PNG", "page10.png"].map { "\(folder)/\($0)" })
            let listed = try await self.read(["@\(list)", "\(folder)/page2.PNG"] + options)
            let expected = ["page10.png", "more/a.png", "page2.PNG"].map { "\(folder)/\($0)" }
            #expect(try self.pictures(listed) == expected)
            let piped = try await self.read(["@-"] + options, standardInput: list)
            #expect(try self.pictures(piped) == Array(expected.dropLast()))
        }
    }

    @Test func aFolderOrListWithoutPicturesIsAnError() async throws {
        try await self.withFolder { folder in
            let empty = try await self.read([folder])
            #expect(empty.exitCode > 0 && empty.errors.contains("holds no picture"))
            let gone = try await self.read(["@\(folder)/gone.txt"])
            #expect(gone.exitCode > 0 && gone.errors.contains("@\(folder)/gone.txt cannot be read"))
        }
    }

    @Test(arguments: ["1", "3"])
    func manyPicturesAreReadByAllWorkersAndPrintedInOrder(workers: String) async throws {
        try await self.withFolder { folder in
            for number in 1...40 {
                let data =
                    try number % 7 == 0 ? Data(contentsOf: URL(filePath: Page.path)) : Self.blank(side: 16 + number)
                try data.write(to: URL(filePath: "\(folder)/\(number).png"))
            }
            let outcome = try await self.read([folder, "--format", "json", "--workers", workers])
            #expect(outcome.exitCode == 0)
            let lines = try self.lines(outcome)
            #expect(lines.compactMap { $0["picture"] as? String } == (1...40).map { "\(folder)/\($0).png" })
            #expect(lines.compactMap { $0["sequence"] as? Int } == Array(0..<40))
            #expect(lines.enumerated().allSatisfy { ($1["text"] as? String == "") == (($0 + 1) % 7 != 0) })
        }
    }

    @Test func everyPictureThatCannotBeReadHasALineWithItsError() async throws {
        try await self.withFolder { folder in
            let files: [(name: String, bytes: [UInt8], code: String)] = [
                ("cut.png", Array(try Self.blank().dropLast(30)), "file_corrupt"),
                ("cut.jpg", [0xFF, 0xD8, 0xFF, 0xD9], "jpeg_corrupt"), ("empty.png", [], "file_unsupported"),
                ("scan.heic", Array("\0\0\0\u{18}ftypheic....".utf8), "file_unsupported"),
                ("text.gif", Array("hello".utf8), "file_unsupported"),
                ("half.tif", Array("II*\0\u{8}\0\0\0".utf8), "file_corrupt"),
                ("large.png", Array(try Self.blank(side: 200)), "too_many_pixels"),
            ]
            for file in files { try Data(file.bytes).write(to: URL(filePath: "\(folder)/\(file.name)")) }
            let paths = files.map { "\(folder)/\($0.name)" } + ["\(folder)/gone.jpg", "\(folder)/z.webp"]
            try Self.blank().write(to: URL(filePath: "\(folder)/z.webp"))
            let outcome = try await self.read(paths + ["--format", "json", "--max-pixels", "30000"])
            #expect(outcome.exitCode == 1)
            let lines = try self.lines(outcome)
            let codes = files.map(\.code) + ["file_unreadable"]
            #expect(lines.map { $0["code"] as? String } == codes + [nil])
            #expect(
                lines.dropLast().allSatisfy { $0["status"] as? String == "error" && $0["type"] as? String == "result" }
            )
            #expect(outcome.errors.split(separator: "\n").count == codes.count)
        }
    }

    @Test func aSearchThatFindsNothingEndsWithOne() async throws {
        let found = try await self.read([Page.path, "--find", "platform"])
        #expect(found.exitCode == 0 && found.output == "Platform\n")
        let missed = try await self.read([Page.path, "--find", "zeppelin"])
        #expect(missed.exitCode == 1 && missed.output == "" && missed.errors == "")
        let either = try await self.read([Page.path, "--find", "zeppelin", "--find", "/[0-9]{2}:[0-9]{2}/"])
        #expect(either.exitCode == 0 && either.output == "12:45\n")
    }

    @Test(arguments: [
        ("tsv", #"\t[0-9.]+\tPlatform\t(\S*page\.png)\n"#), ("hocr", #"title="image &quot;(\S*page\.png)&quot;"#),
        ("alto", #"<fileName>(\S*page\.png)</fileName>"#), ("google", #""context":\{"uri":"(\S*page\.png)"\}"#),
        ("vision", #"\{"picture":"(\S*?page\.png)","width""#),
        ("json", #""sequence":0,"picture":"(\S*?page\.png)","captured_us""#),
    ])
    func eachFormatNamesThePicture(format: String, pattern: String) async throws {
        let outcome = try await self.read([Page.path, "--format", format])
        let match = try #require(try outcome.output.firstMatch(of: Regex(pattern, as: (Substring, Substring).self)))
        #expect(match.1 == Page.path)
    }

    @Test func oneOverlayForTwoPicturesIsAnError() async throws {
        try await self.withFolder { folder in
            let outcome = try await self.read([Page.path, Page.path, "--overlay", "\(folder)/boxes.png"])
            #expect(outcome.exitCode > 0 && outcome.output == "" && outcome.errors.contains("one file for 2 pictures"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test func anOverlayDoesNotReplaceThePicture() async throws {
        try await self.withFolder { folder in
            let page = try Data(contentsOf: URL(filePath: Page.path))
            let picture = "\(folder)/sign.png"
            try page.write(to: URL(filePath: picture))
            let links = (symbolic: "\(folder)/symbolic.png", hard: "\(folder)/hard.png")
            #expect(symlink(picture, links.symbolic) == 0 && link(picture, links.hard) == 0)
            for overlay in [picture, "\(folder)/./sign.png", links.symbolic, links.hard] {
                for (argument, input) in [(picture, "/dev/null"), ("-", picture)] {
                    let outcome = try await self.read([argument, "--overlay", overlay], standardInput: input)
                    #expect(outcome.exitCode > 0 && outcome.output == "")
                    #expect(outcome.errors.contains("is the picture that is read"), "\(outcome.errors)")
                    #expect(try Data(contentsOf: URL(filePath: picture)) == page)
                }
            }
        }
    }

    @Test func overlaysInTheFolderOfThePicturesReplaceNoneOfThem() async throws {
        try await self.withFolder { folder in
            let names = ["a-2.png", "a.png", "b.jpg"]
            let page = try PictureFile(path: Page.path).picture().pixels
            for name in names { try page.write(to: "\(folder)/\(name)") }
            let before = try names.map { try Data(contentsOf: URL(filePath: "\(folder)/\($0)")) }
            // The second time, the overlays are there.
            for arguments in [["\(folder)/a-2.png"], [folder], [folder]] {
                let outcome = try await self.read(arguments + ["--overlay", folder, "--format", "json"])
                #expect(outcome.exitCode == 0, "\(outcome.errors)")
                #expect(try self.pictures(outcome).count == (arguments == [folder] ? names.count : 1))
                #expect(try names.map { try Data(contentsOf: URL(filePath: "\(folder)/\($0)")) } == before)
            }
            let overlays = ["a-2.boxes.png", "a.boxes.png", "b.boxes.png"]
            #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder)) == Set(names + overlays))
        }
    }

    @Test func anOverlayDoesNotReplaceAPictureThatIsNotRead() async throws {
        try await self.withFolder { folder in
            let page = try PictureFile(path: Page.path).picture().pixels
            try page.write(to: "\(folder)/a.jpg")
            try Self.blank().write(to: URL(filePath: "\(folder)/a.png"))
            let outcome = try await self.read(["\(folder)/a.jpg", "--overlay", folder])
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            #expect(try Data(contentsOf: URL(filePath: "\(folder)/a.png")) == Self.blank())
        }
    }

    @Test func standardOutputIsNotAppendedToThePicture() async throws {
        try await self.withFolder { folder in
            let page = try Data(contentsOf: URL(filePath: Page.path))
            let picture = "\(folder)/sign.png"
            try page.write(to: URL(filePath: picture))
            let shell = try #require(Program.system("sh"))
            let command = "'\(try Program.path(of: "glyphwire"))' read '\(picture)' >> '\(picture)'"
            let outcome = await (try Program(shell, ["-c", command], environment: self.environment)).wait()
            #expect(outcome.exitCode > 0 && outcome.errors.contains("Standard output is one of the pictures"))
            #expect(try Data(contentsOf: URL(filePath: picture)) == page)
        }
    }

    @Test func onlyRegularFilesOfAFolderAreRead() async throws {
        try await self.withFolder { folder in
            try Self.blank().write(to: URL(filePath: "\(folder)/b.png"))
            #expect(symlink("b.png", "\(folder)/c.png") == 0 && symlink(".", "\(folder)/d.png") == 0)
            // A pipe without a writer blocks its reader.
            #expect(mkfifo("\(folder)/a.png", 0o600) == 0)
            let outcome = try await self.read([folder, "--format", "json"])
            #expect(outcome.exitCode == 0 && outcome.errors == "")
            #expect(try self.pictures(outcome) == ["b.png", "c.png"].map { "\(folder)/\($0)" })
        }
    }

    @Test func aPipeThatIsNamedIsRead() async throws {
        let shell = try #require(Program.system("bash"))
        let command = "'\(try Program.path(of: "glyphwire"))' read <(cat '\(Page.path)')"
        let outcome = await (try Program(shell, ["-c", command], environment: self.environment)).wait()
        #expect(outcome.exitCode == 0 && outcome.output.contains("Platform 4"), "\(outcome.errors)")
    }

    @Test func aNameThatIsNotUTF8IsReportedAndTheOthersAreRead() async throws {
        try await self.withFolder { folder in
            try Self.blank().write(to: URL(filePath: "\(folder)/b.png"))
            // The names "aß.png" and "ü" in Latin-1.
            let file = Array("\(folder)/a".utf8) + [0xDF] + Array(".png\0".utf8)
            let inner = Array("\(folder)/".utf8) + [0xFC, 0]
            let isMade = file.withUnsafeBytes { bytes in
                let name = bytes.assumingMemoryBound(to: CChar.self).baseAddress
                return name.map { close(open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) == 0 } ?? false
            }
            let isFolderMade = inner.withUnsafeBytes { bytes in
                bytes.assumingMemoryBound(to: CChar.self).baseAddress.map { mkdir($0, 0o700) == 0 } ?? false
            }
            #expect(isMade && isFolderMade)
            let outcome = try await self.read([folder, "--format", "json"])
            #expect(outcome.exitCode == 1)
            let names = ["a\u{FFFD}.png", "b.png", "\u{FFFD}"]
            #expect(try self.pictures(outcome) == names.map { "\(folder)/\($0)" })
            #expect(outcome.errors.split(separator: "\n").count { $0.contains("its name is not UTF-8") } == 2)
            let list = "\(folder)/list.txt"
            try Data(file.dropLast() + Array("\n\(folder)/b.png\n".utf8)).write(to: URL(filePath: list))
            let listed = try await self.read(["@\(list)", "--format", "json"])
            #expect(listed.exitCode == 1)
            #expect(try self.pictures(listed) == names.prefix(2).map { "\(folder)/\($0)" })
            #expect(listed.errors.contains("its name is not UTF-8"))
        }
    }

    @Test func anAddressWithAPortThatIsNoneIsReportedAndTheOthersAreRead() async throws {
        let outcome = try await self.read(["http://me:secret@127.0.0.1:99999/x.jpg", Page.path])
        #expect(outcome.exitCode == 1 && outcome.output.contains("Platform 4"))
        #expect(outcome.errors.contains("http://127.0.0.1:99999/x.jpg cannot be read: the port cannot be 99999"))
        #expect(!outcome.output.contains("secret") && !outcome.errors.contains("secret"))
    }

    @Test func aSearchThatIsNotCompleteIsReported() async throws {
        // Each takes some 700 steps for a character, and a picture may take four millions.
        let patterns = Array(repeating: ["--find", "/.{0,99}.{0,99}.{0,99}.{0,50}Q/"], count: 80).flatMap(\.self)
        let outcome = try await self.read([Page.path] + patterns)
        #expect(outcome.errors.split(separator: "\n").count { $0.contains("not searched completely") } == 1)
        let whole = try await self.read([Page.path, "--find", "EXIT"])
        #expect(whole.exitCode == 0 && whole.errors == "")
    }

    @Test func aRecordedSessionIsNamedWithTheCommandThatPlaysIt() async throws {
        let session = Engine.root.appending(path: "demo/session.gws").path()
        let outcome = try await self.read([session])
        #expect(outcome.exitCode == 1)
        #expect(
            outcome.errors.contains("is a recorded session. Play it to a server with: nc 127.0.0.1 7411 < \(session)")
        )
    }

    @Test func aFileWhereACommandBelongsIsToBeReadByRead() async throws {
        let picture = await (try Program("glyphwire", [Page.path])).wait()
        #expect(picture.exitCode == 64 && picture.errors.contains("Read it with: glyphwire read \(Page.path)"))
        let session = Engine.root.appending(path: "demo/session.gws").path()
        let recorded = await (try Program("glyphwire", [session])).wait()
        #expect(recorded.exitCode == 64 && recorded.errors.contains("nc 127.0.0.1 7411 < \(session)"))
        let other = await (try Program("glyphwire", ["raed"])).wait()
        #expect(other.exitCode == 64 && !other.errors.contains("glyphwire read"))
    }

    @Test func aPictureOfSeveralPagesSaysThatOneWasRead() async throws {
        let pages = Engine.root.appending(path: "Tests/ImageCodecsTests/Fixtures/two-pages.tif").path()
        let text = try await self.read([pages])
        #expect(text.exitCode == 0 && text.errors.contains("the file has 2 pages, and the first one was read"))
        let json = try await self.read([pages, "--format", "json"])
        #expect(json.exitCode == 0 && json.errors == "")
        #expect(json.output.contains(#""warnings":[{"code":"first_page_only","pages":2}]"#))
    }

    @Test func aReportStaysOnItsLine() async throws {
        let outcome = try await self.read(["/no\nwhere\u{1B}[31m.png"])
        #expect(outcome.exitCode == 1 && outcome.errors.hasPrefix("glyphwire: /no where [31m.png cannot be read"))
    }

    @Test(arguments: ["alto", "pdf"]) func nothingIsPrintedInAFormatOfPagesIfThereIsNone(format: String) async throws {
        let outcome = try await self.read(["/nowhere.png", "--format", format])
        #expect(outcome.exitCode == 1 && outcome.output == "")
    }

    @Test func standardOutputThatIsClosedIsAnErrorAndNoOtherFile() async throws {
        let shell = try #require(Program.system("sh"))
        let command = "'\(try Program.path(of: "glyphwire"))' read '\(Page.path)' >&-"
        let outcome = await (try Program(shell, ["-c", command], environment: self.environment)).wait()
        #expect(outcome.exitCode == 1 && outcome.errors.contains("Bad file descriptor"), "\(outcome.errors)")
    }

    @Test func progressIsShownOnATerminalOnly() async throws {
        try await self.withFolder { folder in
            for number in 1...6 { try Self.blank().write(to: URL(filePath: "\(folder)/\(number).png")) }
            #expect(try await self.read([folder]).errors == "")
            let script = try #require(Program.system("script"))
            let command = "\(try Program.path(of: "glyphwire")) read \(folder) > \(folder)/out.txt"
            let typescript = "\(folder)/typescript"
            let outcome = await (try Program(script, ["-qec", command, typescript], environment: self.environment))
                .wait()
            #expect(outcome.exitCode == 0)
            let shown = try String(contentsOfFile: typescript, encoding: .utf8)
            #expect(shown.contains("5 of 6 pictures, ") && shown.contains(" left"))
            let text = try String(contentsOfFile: "\(folder)/out.txt", encoding: .utf8)
            #expect(text.hasPrefix("==> ") && !text.contains("pictures"))
        }
    }
}
