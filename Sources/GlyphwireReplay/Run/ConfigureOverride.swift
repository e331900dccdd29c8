internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Options that override those of a session; the session's other options are kept.
package struct ConfigureOverride: Sendable, Hashable {
    /// Values by the name of the option in `configure`.
    package var options: [String: JSONText]

    /// Creates an override of `options`.
    package init(_ options: [String: JSONText] = [:]) {
        self.options = options
    }

    /// Merges these options into a `configure` message of the session.
    ///
    /// - Parameter message: A message of type `configure`.
    /// - Returns: The message to send in its place.
    /// - Throws: ``ReplayError`` if the message's body is not a JSON object.
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
                "message \(message.header.sequence) of the session is a configure message whose body is not a JSON "
                    + "object, so that no option can be set in it; play the session without options"
            )
        }
    }

    /// Message that sets these options where a session sets none; `nil` if there are none.
    func message() throws(ReplayError) -> Message? {
        guard !self.options.isEmpty else { return nil }
        return try self.applied(to: Message(header: MessageHeader(type: .configure, payloadByteCount: 0)))
    }
}
