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

    @Test(.enabled(if: exists("python3")), .timeLimit(.minutes(1)))
    func thePythonClientPrintsItsWords() async throws {
        let client = try #require(try ProtocolDocument().blocks(of: "python").first)
        #expect(client.split(separator: "\n", omittingEmptySubsequences: false).count <= 40)
        let output = try await Self.withServer { port, folder in
            try client.write(toFile: "\(folder)/client.py", atomically: false, encoding: .utf8)
            return try await Self.run("cd \(folder) && python3 client.py 127.0.0.1 \(port) photo.jpg photo.jpg")
        }
        let words = ["EXIT [10, 20, 50, 20, 50, 40, 10, 40]", "42 [55, 20, 80, 20, 80, 40, 55, 40]"]
        let lines = output.split(separator: "\n")
        #expect(lines.count == 4)
        for (index, line) in lines.enumerated() {
            #expect(line == "photo.jpg \(words[index % 2])")
        }
    }

    @Test(.enabled(if: exists("nc")), .timeLimit(.minutes(1)))
    func theShellClientPrintsThreeLines() async throws {
        let recipe = try #require(try ProtocolDocument().blocks(of: "sh").first)
        let output = try await Self.withServer { port, folder in
            let script = recipe.replacing("localhost 7411", with: "127.0.0.1 \(port)")
            try script.write(toFile: "\(folder)/send.sh", atomically: false, encoding: .utf8)
            return try await Self.run("cd \(folder) && sh send.sh")
        }
        let lines = try output.split(separator: "\n").map { try ServerLine(json: ByteBuffer(string: String($0))) }
        #expect(lines.count == 3)
        guard case .hello = lines.first, case .end(let end) = lines.last else {
            Issue.record("\(output)")
            return
        }
        #expect(end.frames == 1)
    }

    /// Output of the shell command `command`.
    private static func run(_ command: String) async throws -> String {
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
        #expect(result.status == 0)
        return result.output
    }

    /// Calls `body` with the port of a server and a folder with a picture.
    private static func withServer(
        _ body: (_ port: Int, _ folder: String) async throws -> String
    ) async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(repeating: 7, count: 1000).write(to: folder.appending(path: "photo.jpg"))
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Answering()) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let output: String
        do {
            output = try await body(try #require(channel.localAddress?.port), folder.path())
        } catch {
            try? await channel.close().get()
            throw error
        }
        try await channel.close().get()
        return output
    }
}

/// A server that reads EXIT 42 in every frame.
private final class Answering: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var assembler = MessageAssembler()
    private var frames: UInt64 = 0

    func channelActive(context: ChannelHandlerContext) {
        self.write(.hello(Hello(version: "1.0.0", limits: WireLimits(), levels: [.fast])), context)
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
        case .configure:
            let options = try StreamConfiguration(json: message.payload)
            #expect(options.delivery == .every, "the pictures come all at once")
            self.write(.configured(Configured(sequence: sequence, options: options)), context)
        case .end:
            self.write(.end(EndLine(sequence: sequence, frames: self.frames)), context)
            context.close(promise: nil)
        case .ping, .stats:
            Issue.record("the documented clients send no \(message.header.type)")
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
