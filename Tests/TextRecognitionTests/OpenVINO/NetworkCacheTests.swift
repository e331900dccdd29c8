import Crypto
import Foundation
import NIOConcurrencyHelpers
import Testing
import TextModel
import TextRecognition

@testable import TextRecognitionOpenVINO

@Suite struct NetworkCacheTests {
    private static var contents: Data { Data((0..<1000).map { UInt8($0 % 251) }) }

    private static func names(in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    /// The only entry of a folder.
    private static func entry(in folder: TemporaryFolder) throws -> URL {
        let names = try Self.names(in: folder)
        try #require(names.count == 1)
        return URL(filePath: folder.path).appending(path: names[0])
    }

    @Test func whatIsStoredIsFoundByItsKeyAlone() throws {
        let folder = try TemporaryFolder()
        let cache = NetworkCache(folder: "\(folder.path)/not/there/yet")
        #expect(cache.contents(for: "a") == nil)
        cache.store(Self.contents, for: "a")
        #expect(cache.contents(for: "a") == Self.contents)
        #expect(cache.contents(for: "b") == nil)
        cache.store(Data([1]), for: "a")
        #expect(cache.contents(for: "a") == Data([1]))
    }

    @Test func onlyTheUserMayReadAnEntry() throws {
        let folder = try TemporaryFolder()
        NetworkCache(folder: folder.path).store(Self.contents, for: "a")
        let path = try Self.entry(in: folder).path
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
    }

    @Test func anEntryThatIsCutOffOrChangedCountsAsMissing() throws {
        let folder = try TemporaryFolder()
        let cache = NetworkCache(folder: folder.path)
        cache.store(Self.contents, for: "a")
        let entry = try Self.entry(in: folder)
        let whole = try Data(contentsOf: entry)
        var damaged = [Data(), whole.prefix(31), whole.prefix(32), whole.prefix(500), whole.dropLast(), whole + [0]]
        damaged += [0, 31, 32, whole.count - 1].map { index in
            var changed = whole
            changed[index] ^= 1
            return changed
        }
        for contents in damaged {
            try contents.write(to: entry)
            #expect(cache.contents(for: "a") == nil)
        }
        cache.store(Self.contents, for: "a")
        #expect(cache.contents(for: "a") == Self.contents)
    }

    @Test func whatOthersMayHaveWrittenIsNotRead() throws {
        let folder = try TemporaryFolder()
        let cache = NetworkCache(folder: folder.path)
        cache.store(Self.contents, for: "a")
        let path = try Self.entry(in: folder).path
        try FileManager.default.setAttributes([.posixPermissions: 0o622], ofItemAtPath: path)
        #expect(cache.contents(for: "a") == nil)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(cache.contents(for: "a") == Self.contents)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".moved")
        #expect(cache.contents(for: "a") == nil)
    }

    @Test func theEntriesUsedLongestAgoMakeRoom() throws {
        let folder = try TemporaryFolder()
        let cache = NetworkCache(folder: folder.path, capacity: 3 * (Self.contents.count + SHA256.byteCount))
        for (age, key) in ["a", "b", "c"].enumerated() {
            cache.store(Self.contents, for: key)
            for name in try Self.names(in: folder) {
                let path = "\(folder.path)/\(name)"
                let used = try #require(
                    try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
                )
                guard used.timeIntervalSinceNow > -60 else { continue }
                let attributes = [FileAttributeKey.modificationDate: Date.now - TimeInterval(1000 - age * 100)]
                try FileManager.default.setAttributes(attributes, ofItemAtPath: path)
            }
        }
        #expect(cache.contents(for: "a") == Self.contents)
        cache.store(Self.contents, for: "d")
        #expect(["a", "b", "c", "d"].map { cache.contents(for: $0) != nil } == [true, false, true, true])
    }

    @Test func whatWasNeverFinishedIsRemovedInTheEnd() throws {
        let folder = try TemporaryFolder()
        let (old, new) = (try folder.write([1], to: "old.partial"), try folder.write([1], to: "new.partial"))
        try FileManager.default.setAttributes([.modificationDate: Date.now - 7200], ofItemAtPath: old)
        NetworkCache(folder: folder.path).store(Self.contents, for: "a")
        #expect(!FileManager.default.fileExists(atPath: old) && FileManager.default.fileExists(atPath: new))
    }

    @Test func aFolderThatCannotBeWrittenKeepsNothing() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write([1], to: "file")
        for path in [file, "\(file)/below", "/proc/none"] {
            let reasons = NIOLockedValueBox<[String]>([])
            let cache = NetworkCache(folder: path) { reason in reasons.withLockedValue { $0.append(reason) } }
            for key in ["a", "b"] {
                cache.store(Self.contents, for: key)
                #expect(cache.contents(for: key) == nil)
            }
            #expect(reasons.withLockedValue(\.count) == 1)
            #expect(reasons.withLockedValue(\.first)?.isEmpty == false)
        }
    }

    @Test func manyWritersAndReadersSeeWholeEntries() throws {
        let folder = try TemporaryFolder()
        let cache = NetworkCache(folder: folder.path)
        cache.store(Self.contents, for: "a")
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            for _ in 0..<50 {
                if index.isMultiple(of: 2) {
                    cache.store(Self.contents, for: "a")
                } else {
                    #expect(cache.contents(for: "a") == Self.contents)
                }
            }
        }
        #expect(try Self.names(in: folder).count == 1)
    }

    private static let shape = InputShape(height: 64, width: 96)

    /// Output of a detector that uses `folder`, and whether its network was imported.
    private static func answer(_ folder: TemporaryFolder) throws -> (values: [Float], isImported: Bool) {
        let compiler = try ModelCompiler(
            ModelSize.tiny.detector(in: Models.folder),
            strategy: .eachShape,
            runtime: OpenVINORuntime(),
            cache: NetworkCache(folder: folder.path)
        )
        let network = try compiler.network(for: compiler.strategy.input(for: Self.shape), bytes: 1)
        var answers: [[Float]] = []
        try network.infer(Self.shape, 0..<1, on: 1, into: &answers) { _, input in
            for index in input.indices { input[index] = UInt8(index * 37 / 5 % 256) }
        } read: { (_, output: ModelOutput<Float>) in
            Array(output.values)
        }
        return (answers[0], network.weights != nil)
    }

    @Test func aNetworkFromTheCacheAnswersAsOneThatIsCompiled() throws {
        let folder = try TemporaryFolder()
        let (compiled, cached) = (try Self.answer(folder), try Self.answer(folder))
        #expect(!compiled.isImported && cached.isImported)
        #expect(compiled.values == cached.values)
    }

    @Test func anInvalidEntryIsCompiledAgain() throws {
        let folder = try TemporaryFolder()
        let compiled = try Self.answer(folder)
        let entry = try Self.entry(in: folder)
        let network = try Data(contentsOf: entry).dropFirst(SHA256.byteCount)
        // Their hashes are right, as if another program had stored them.
        for contents in [Data("nothing".utf8), network.dropFirst(100), network.prefix(100) + network.suffix(8000)] {
            try (Data(SHA256.hash(data: contents)) + contents).write(to: entry)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: entry.path)
            let other = try Self.answer(folder)
            #expect(!other.isImported && other.values == compiled.values)
            #expect(try Self.answer(folder).isImported)
        }
    }

    @Test func aModelFileThatIsNotTheRightOneIsFoundThoughItsNetworkIsCached() throws {
        let (folder, models) = (try TemporaryFolder(), try TemporaryFolder())
        _ = try Self.answer(folder)
        let name = URL(filePath: ModelSize.tiny.detector(in: "").path).lastPathComponent
        _ = try models.write([1, 2, 3], to: name)
        let loader = ModelLoader(
            folder: models.path,
            runtime: try OpenVINORuntime(),
            pool: NetworkPool(capacity: 1 << 30),
            cache: NetworkCache(folder: folder.path),
            levels: [.fast]
        )
        #expect(throws: OpenVINOError.self) { try loader.detector(.tiny) }
    }
}
