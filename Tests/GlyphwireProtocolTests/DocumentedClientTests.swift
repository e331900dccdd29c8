import Foundation
import Glibc
import GlyphwireProtocol
import TextModel
import NIOCore
import NIOPosix
import Testing

/// Runs the two clients in Protocol.md against a server that finds the same text in every picture.
@Suite struct DocumentedClientTests {
    private static func exists(_ command: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains { folder in
            FileManager.default.isExecutableFile(atPath: "\(folder)/\(command)")
        }
    }

    /// The result of the Python client, which sends two pictures to `server`.
    private static func runPythonClient(with server: DocumentedServer) async throws -> CommandResult {
        let client = try #require(try ProtocolDocument().blocks(of: "python").first)
        #expect(client.split(separator: "\n", omittingEmptySubsequences: false).count <= 45)
        return try await Self.with(server) { port, folder in
            try client.write(toFile: "\(folder)/client.py", atomically: false, encoding: .utf8)
            return try await Self.run("cd \(folder) && python3 client.py 127.0.0.1 \(port) photo.jpg photo.jpg 2>&1")
        }
    }

    @Test(.enabled(if: exists("python3")), .timeLimit(.minutes(1)))
    func thePythonClientPrintsItsWords() async throws {
        let (status, output) = try await Self.runPythonClient(with: .whole)
        #expect(status == 0)
        let words = ["EXIT [10, 20, 50, 20, 50, 40, 10, 40]", "42 [55, 20, 80, 20, 80, 40, 55, 40]"]
        let lines = output.split(separator: "\n")
        #expect(lines.count == 4)
        for (index, line) in lines.enumerated() {
            #expect(line == "photo.jpg \(words[index % 2])")
        }
    }

    @Test(.enabled(if: exists("python3")), .timeLimit(.minutes(1)))
    func thePythonClientFailsWithoutAnEnd() async throws {
        let (status, output) = try await Self.runPythonClient(with: .stopping)
        #expect(status != 0)
        #expect(output.contains("photo.jpg EXIT") && output.contains("were not read"), "\(output)")
        #expect(!output.contains("Traceback"), "\(output)")
    }

    @Test(.enabled(if: exists("python3")), .timeLimit(.minutes(1)))
    func thePythonClientKnowsNoOtherProtocol() async throws {
        let (status, output) = try await Self.runPythonClient(with: .newer)
        #expect(status != 0 && output == "protocol 2 is not known\n")
    }

    @Test(.enabled(if: exists("nc")), .timeLimit(.minutes(1)))
    func theShellClientPrintsThreeLines() async throws {
        let recipe = try #require(try ProtocolDocument().blocks(of: "sh").first)
        let (status, output) = try await Self.with(.whole) { port, folder in
            let script = recipe.replacing("localhost 7411", with: "127.0.0.1 \(port)")
                .replacing("jpeg=photo.jpg", with: "jpeg='a photo.jpg'")
            try script.write(toFile: "\(folder)/send.sh", atomically: false, encoding: .utf8)
            return try await Self.run("cd \(folder) && mv photo.jpg 'a photo.jpg' && sh send.sh")
        }
        #expect(status == 0)
        let lines = try output.split(separator: "\n").map { try ServerLine(json: ByteBuffer(string: String($0))) }
        #expect(lines.count == 3)
        guard case .hello = lines.first, case .end(let end) = lines.last else {
            Issue.record("\(output)")
            return
        }
        #expect(end.frames == 1)
    }

    private typealias CommandResult = (status: Int32, output: String)

    /// Runs the shell command `command`.
    private static func run(_ command: String) async throws -> CommandResult {
        // Not Foundation's Process, nor NIO's own pool: both leave memory that the address sanitizer reports as a leak.
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        let result = try await pool.runIfActive {
            let pipe = try #require(popen(command, "r"))
            var bytes: [UInt8] = []
            while case let byte = fgetc(pipe), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
            return (status: pclose(pipe), output: String(decoding: bytes, as: UTF8.self))
        }
        try await pool.shutdownGracefully()
        return result
    }

    /// Calls `body` with the port of a server and a folder with a picture.
    private static func with(
        _ server: DocumentedServer,
        _ body: (_ port: Int, _ folder: String) async throws -> CommandResult
    ) async throws -> CommandResult {
        let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(repeating: 7, count: 1000).write(to: folder.appending(path: "photo.jpg"))
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Answering(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let result: CommandResult
        do {
            result = try await body(try #require(channel.localAddress?.port), folder.path())
        } catch {
            try? await channel.close().get()
            throw error
        }
        try await channel.close().get()
        return result
    }
}

/// What a documented client meets.
private enum DocumentedServer: Sendable {
    /// A server that answers everything.
    case whole
    /// One that stops after the first frame.
    case stopping
    /// One of another protocol.
    case newer
}

/// A server that reads EXIT 42 in every frame.
private final class Answering: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: DocumentedServer
    private var assembler = MessageAssembler()
    private var frames: UInt64 = 0

    init(_ server: DocumentedServer) { self.server = server }

    func channelActive(context: ChannelHandlerContext) {
        let hello = written(.hello(Hello(version: "1.0.0", limits: WireLimits(), levels: [.fast])))
        let line = self.server == .newer ? hello.replacing("\"protocol\":1", with: "\"protocol\":2") : hello
        context.writeAndFlush(self.wrapOutboundOut(ByteBuffer(string: line)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var chunk = self.unwrapInboundIn(data)
        self.assembler.append(&chunk)
        do {
            while let message = try self.assembler.next() { try self.answer(message, context) }
        } catch {
            context.close(promise: nil)
        }
    }

    private func answer(_ message: Message, _ context: ChannelHandlerContext) throws {
        let sequence = message.header.sequence
        switch try message.header.checkedType() {
        case .frame:
            let frame = try FrameDescription(header: message.header, limits: WireLimits())
            #expect(frame.format == .jpeg)
            #expect(message.payload.readableBytes == 1000)
            self.frames += 1
            let text = FrameText(width: 100, height: 50, orientation: .up, level: .fast, lines: Self.lines)
            self.write(
                .result(
                    FrameResult(
                        sequence: sequence,
                        capturedMicroseconds: 0,
                        outcome: .ok(text),
                        timings: FrameTimings()
                    )
                ),
                context
            )
            if self.server == .stopping { context.close(mode: .output, promise: nil) }
        case .configure:
            let options = try StreamConfiguration(json: message.payload)
            #expect(options.delivery == .every, "the pictures come all at once")
            self.write(.configured(Configured(sequence: sequence, options: options)), context)
        case .end:
            self.write(.end(EndLine(sequence: sequence, frames: self.frames)), context)
            context.close(promise: nil)
        case let other:
            Issue.record("the documented clients send no \(other)")
        }
    }

    private func write(_ line: ServerLine, _ context: ChannelHandlerContext) {
        var buffer = ByteBuffer()
        LineWriter().write(line, into: &buffer)
        context.writeAndFlush(self.wrapOutboundOut(buffer), promise: nil)
    }

    private static let lines = [
        TextLine(
            text: "EXIT 42",
            confidence: 1,
            box: Quad(x: 10, y: 20, width: 70, height: 20),
            words: [
                TextWord(text: "EXIT", confidence: 1, box: Quad(x: 10, y: 20, width: 40, height: 20), characters: []),
                TextWord(text: "42", confidence: 1, box: Quad(x: 55, y: 20, width: 25, height: 20), characters: []),
            ]
        )
    ]
}
