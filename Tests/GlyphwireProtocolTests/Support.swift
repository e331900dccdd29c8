import GlyphwireProtocol
import TextModel
import NIOCore
import Testing

extension ByteBuffer {
    /// A buffer of raw bytes.
    init(_ bytes: some Sequence<UInt8>) {
        self.init(bytes: Array(bytes))
    }

    var text: String { String(buffer: self) }
}

extension Message {
    /// The message's bytes.
    var bytes: [UInt8] {
        var buffer = ByteBuffer()
        self.write(into: &buffer)
        return Array(buffer.readableBytesView)
    }
}

/// All messages in `chunks`, and the error that ended them.
func assemble(
    _ chunks: [[UInt8]],
    limits: WireLimits = WireLimits()
) -> (messages: [Message], failure: WireError?, isBetweenMessages: Bool) {
    var assembler = MessageAssembler(limits: limits)
    var messages: [Message] = []
    do throws(WireError) {
        for chunk in chunks {
            var buffer = ByteBuffer(chunk)
            assembler.append(&buffer)
            while let message = try assembler.next() { messages.append(message) }
        }
    } catch {
        return (messages, error, false)
    }
    return (messages, nil, assembler.isBetweenMessages)
}

/// The code and message of what `body` throws.
func wireError<Value>(_ body: () throws(WireError) -> Value) -> WireError? {
    do throws(WireError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}

/// A line as the server writes it.
func written(_ line: ServerLine) -> String {
    var buffer = ByteBuffer()
    LineWriter().write(line, into: &buffer)
    return buffer.text
}
