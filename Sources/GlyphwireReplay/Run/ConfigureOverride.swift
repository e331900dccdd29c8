internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Options that replace those of a session; all others stay as they are in the session.
package struct ConfigureOverride: Sendable, Hashable {
    /// Values by the option's name in `configure`.
    package var options: [String: JSONText]

    /// An override of `options`.
    package init(_ options: [String: JSONText] = [:]) {
        self.options = options
    }

    /// The session's `configure` message with these options in it; unchanged if there are none.
    ///
    /// - Parameter message: Of type `configure`.
    /// - Returns: The message to send in its place.
    /// - Throws: ``ReplayError`` if the message's body is no JSON object.
    func applied(to message: Message) throws(ReplayError) -> Message {
        if self.options.isEmpty { return message }
        do {
            let members =
                message.payload.readableBytes == 0 ? [:] : try [String: JSONText](jsonObject: message.payload)
            let merged = members.merging(self.options) { _, new in new }
            return Message(header: message.header, payload: merged.jsonObject)
        } catch {
            throw ReplayError(
                .badConfiguration,
                "message \(message.header.sequence) of the session is a configure message with a body that is no JSON "
                    + "object, so that no option can be set in it; play the session without options"
            )
        }
    }

    /// The message that sets these options where a session sets none; `nil` if there are none here either.
    func message() throws(ReplayError) -> Message? {
        guard !self.options.isEmpty else { return nil }
        return try self.applied(to: Message(header: MessageHeader(type: .configure, payloadByteCount: 0)))
    }
}
