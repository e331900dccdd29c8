internal import FoundationEssentials
internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Options that take the place of those a session asks for; all others stay as the session has them.
package struct ConfigureOverride: Sendable, Hashable {
    /// Values by the names that `configure` has for them.
    package var options: [String: JSONValue]

    /// An override of `options`.
    package init(_ options: [String: JSONValue] = [:]) {
        self.options = options
    }

    /// A session's `configure` message with what is set here; as it is if nothing is.
    ///
    /// - Parameter message: Of type `configure`.
    /// - Returns: The message to send in its place.
    /// - Throws: ``ReplayError`` if the message's body is no JSON object, so that nothing can be put in its place.
    func applied(to message: Message) throws(ReplayError) -> Message {
        if self.options.isEmpty { return message }
        do {
            let body = message.payload.readableBytes == 0 ? "{}" : String(buffer: message.payload)
            let members = try JSONDecoder().decode([String: JSONValue].self, from: Data(body.utf8))
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let merged = try encoder.encode(members.merging(self.options) { _, new in new })
            return Message(header: message.header, payload: ByteBuffer(bytes: merged))
        } catch {
            throw ReplayError(
                .badConfiguration,
                "message \(message.header.sequence) of the session is a configure whose body is no JSON object, so no "
                    + "option can be put into it; play the session without options"
            )
        }
    }

    /// The message that sets these options where a session sets none; `nil` if nothing is set here either.
    func message() throws(ReplayError) -> Message? {
        guard !self.options.isEmpty else { return nil }
        return try self.applied(to: Message(header: MessageHeader(type: .configure, payloadByteCount: 0)))
    }
}
