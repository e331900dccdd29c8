internal import GlyphwireProtocol
internal import NIOCore

/// Options that the server last accepted, to be sent first on each connection, and the last token, which they may lack.
struct OpeningOptions {
    private var options: StreamConfiguration?
    private var token: String?

    /// Creates the options of the first connection; `nil` for none.
    init(_ options: StreamConfiguration?) {
        self.options = options
        self.token = options?.token
    }

    /// Records options that the server has accepted.
    mutating func accepted(_ options: StreamConfiguration) {
        self.options = options
        self.token = options.token ?? self.token
    }

    /// Makes the messages to send first to the server of `hello`, in this order.
    ///
    /// The token goes alone before options that lack it (Protocol.md's rule A1), or that are longer than a message
    /// before it may be (rule N1).
    func messages(for hello: Hello) -> [Message] {
        guard let options = self.options else { return [] }
        let configure = Message.configure(options)
        guard hello.authentication == .token, let token = self.token else { return [configure] }
        let length = MessageHeader.length(ofPayload: configure.payload.readableBytes)
        let isTooLong = length > hello.maxUnauthenticatedBytes ?? .max
        guard options.token == nil || isTooLong else { return [configure] }
        return [.configure(token: token), configure]
    }
}
