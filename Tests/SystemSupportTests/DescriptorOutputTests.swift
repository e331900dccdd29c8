import Dispatch
import Glibc
import NIOCore
import SystemSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct DescriptorOutputTests {
    /// More than a pipe holds.
    private static let bytes = ByteBuffer(repeating: 7, count: 1 << 20)

    private static func offThePool<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: work()) }
        }
    }

    /// Number of bytes that come until the other end is closed.
    private static func drain(_ descriptor: Int32) -> Int {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var total = 0
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return total }
            total += count
        }
    }

    @Test(arguments: [0, O_NONBLOCK]) func aPipeGetsAllBytesWhetherItBlocksOrNot(flags: Int32) async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        defer { close(input) }
        try #require(fcntl(output, F_SETFL, flags) == 0)
        async let result = Self.offThePool {
            defer { close(output) }
            return DescriptorOutput.writeAll(Self.bytes, to: output)
        }
        #expect(await Self.offThePool { Self.drain(input) } == Self.bytes.readableBytes)
        let (byteCount, error) = await result
        #expect(byteCount == Self.bytes.readableBytes && error == nil)
    }

    @Test func anOutputThatIsFullReportsIt() throws {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let (byteCount, error) = DescriptorOutput.writeAll(Self.bytes, to: descriptor)
        #expect(byteCount == 0 && error == ENOSPC)
        #expect(DescriptorOutput.writeAll("", to: descriptor) == nil)
    }
}
