internal import CMosquitto
internal import Foundation
internal import GlyphwireClient
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import SystemSupport

/// Client of Eclipse Mosquitto's library, with a thread of its own that connects again whenever the connection is lost.
///
/// The library is loaded when a client is created: only who publishes to a broker installs it. Its own thread gives up where
/// TLS or the name of the broker fails, and it repeats old messages after a new connection; so each connection has a client
/// of the library to itself.
final class MQTTClient: Sendable {
    /// Closures that the client's thread calls.
    struct Handlers: Sendable {
        /// Called at each connection, before anything else is published.
        var connected: @Sendable () -> Void
        /// Called with a reason when there is no connection, or no longer.
        var disconnected: @Sendable (_ reason: String) -> Void
        /// Called when the broker has a message.
        var acknowledged: @Sendable (_ message: Int32) -> Void
        /// Called with a message of a topic subscribed to; it is retained if the broker had it before the subscription.
        var received: @Sendable (MQTTPublication) -> Void
    }

    /// Interval in seconds at which the broker learns that the program lives; without it, the last will follows.
    private static let keepAlive: Int32 = 15
    /// Maximum time in milliseconds for which the thread waits for the socket.
    private static let pollMilliseconds: Int32 = 1000
    /// `MOSQ_ERR_ERRNO`: the reason is in `errno`.
    private static let systemError: Int32 = 14
    /// `MOSQ_ERR_TLS`: the library does not say what is wrong.
    private static let securityError: Int32 = 8
    /// Functions of the library; `nil` if it is not installed.
    private static let library: glyphwire_mosquitto? = {
        var functions = glyphwire_mosquitto()
        guard glyphwire_mosquitto_load(&functions) else { return nil }
        _ = functions.lib_init()
        return functions
    }()

    private struct State {
        /// Address of the library's client while it is connected.
        var client: UInt?
        /// Why the broker refused the connection.
        var refusal: String?
        var isStopped = false
    }

    private let configuration: MQTTConfiguration
    private let will: String
    private let handlers: Handlers
    private let state = NIOLockedValueBox(State())
    /// Wakes the thread from its wait for the next attempt.
    private let stopped = DispatchSemaphore(value: 0)

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - configuration: The broker.
    ///   - will: The topic to which the broker publishes `offline` if the client is gone.
    ///   - handlers: What the client's thread calls.
    /// - Throws: ``EventError`` if the library is not installed, or rejects the configuration.
    init(_ configuration: MQTTConfiguration, will: String, handlers: Handlers) throws(EventError) {
        (self.configuration, self.will, self.handlers) = (configuration, will, handlers)
        guard let library = Self.library else {
            throw EventError(
                "libmosquitto is not installed, which MQTT needs; install it: apt-get install libmosquitto1"
            )
        }
        library.destroy(try self.makeClient(library))
    }

    /// Starts the thread, which runs until ``stop()``.
    ///
    /// - Throws: ``EventError`` if the system cannot start it.
    func start() throws(EventError) {
        guard let library = Self.library else { return }
        do throws(ThreadError) {
            try NamedThread.start(name: "mqtt") { self.run(library) }
        } catch {
            throw EventError("MQTT cannot be used, since \(error)")
        }
    }

    /// Publishes a message of quality of service 1, unless there is no connection.
    ///
    /// - Returns: The number with which it will be acknowledged; `nil` if it is not published.
    func publish(_ publication: MQTTPublication) -> Int32? {
        self.state.withLockedValue { state in
            guard let library = Self.library, let client = state.client.flatMap(OpaquePointer.init(bitPattern:)) else {
                return nil
            }
            var message: Int32 = 0
            let status = publication.payload.withUnsafeReadableBytes { bytes in
                library.publish(
                    client,
                    &message,
                    publication.topic,
                    Int32(clamping: bytes.count),
                    bytes.baseAddress,
                    1,
                    publication.isRetained
                )
            }
            return status == 0 ? message : nil
        }
    }

    /// Subscribes to topics, unless there is no connection.
    func subscribe(to topics: [String]) {
        self.state.withLockedValue { state in
            guard let library = Self.library, let client = state.client.flatMap(OpaquePointer.init(bitPattern:)) else {
                return
            }
            for topic in topics { _ = library.subscribe(client, nil, topic, 0) }
        }
    }

    /// Disconnects, without waiting for it.
    func stop() {
        self.state.withLockedValue { state in
            state.isStopped = true
            if let client = state.client { _ = Self.library?.disconnect(OpaquePointer(bitPattern: client)) }
        }
        self.stopped.signal()
    }

    /// Connects until the client is stopped.
    private func run(_ library: glyphwire_mosquitto) {
        var backOff = BackOff()
        while !self.state.withLockedValue(\.isStopped) {
            let (hasConnected, reason) = self.connect(library)
            if self.state.withLockedValue(\.isStopped) { return }
            if hasConnected { backOff.succeeded() }
            self.handlers.disconnected(reason)
            _ = self.stopped.wait(timeout: .now() + backOff.failed() / .seconds(1))
        }
    }

    /// Connects once, and returns when the connection is lost.
    private func connect(_ library: glyphwire_mosquitto) -> (hasConnected: Bool, reason: String) {
        guard let client = try? self.makeClient(library) else { return (false, "libmosquitto has no memory") }
        defer { library.destroy(client) }
        var status = library.connect(client, self.configuration.host, Int32(self.configuration.port), Self.keepAlive)
        while status == 0 { status = library.loop(client, Self.pollMilliseconds, 1) }
        let systemReason = String(cString: strerror(errno))
        let (hasConnected, refusal) = self.state.withLockedValue { state in
            defer { (state.client, state.refusal) = (nil, nil) }
            return (state.client != nil, state.refusal)
        }
        if let refusal { return (false, "the broker refuses: \(refusal)") }
        return (hasConnected, status == Self.systemError ? systemReason : Self.reason(status))
    }

    /// Handles the broker's answer to a connection.
    private func answered(_ client: UInt?, refusal: String?) {
        self.state.withLockedValue { state in
            state.refusal = refusal
            state.client = refusal == nil ? client : nil
        }
        if refusal == nil { self.handlers.connected() }
    }

    /// A client of the library with the configuration.
    private func makeClient(_ library: glyphwire_mosquitto) throws(EventError) -> OpaquePointer {
        guard let client = library.new_client(nil, true, Unmanaged.passUnretained(self).toOpaque()) else {
            throw EventError("libmosquitto has no memory for a client")
        }
        do throws(EventError) {
            try self.configure(client, library)
        } catch {
            library.destroy(client)
            throw error
        }
        // The object outlives the library's client, whose thread holds a reference to it.
        library.connect_callback_set(client) { client, object, code in
            guard let object else { return }
            let refusal = code == 0 ? nil : MQTTClient.library?.connack_string(code).map { String(cString: $0) } ?? ""
            let address = client.map { UInt(bitPattern: $0) }
            Unmanaged<MQTTClient>.fromOpaque(object).takeUnretainedValue().answered(address, refusal: refusal)
        }
        library.publish_callback_set(client) { _, object, message in
            guard let object else { return }
            Unmanaged<MQTTClient>.fromOpaque(object).takeUnretainedValue().handlers.acknowledged(message)
        }
        library.message_callback_set(client) { _, object, message in
            guard let object, let message else { return }
            let publication = MQTTPublication(message.pointee)
            Unmanaged<MQTTClient>.fromOpaque(object).takeUnretainedValue().handlers.received(publication)
        }
        return client
    }

    private func configure(_ client: OpaquePointer, _ library: glyphwire_mosquitto) throws(EventError) {
        // Other threads publish while this one waits for the socket.
        _ = library.threaded_set(client, true)
        if let user = self.configuration.user {
            let status = library.username_pw_set(client, user, self.configuration.password)
            try Self.check(status, "rejects the name and password")
        }
        if self.configuration.usesTLS {
            let (file, folder) = (self.configuration.authorities, "/etc/ssl/certs")
            if let file { try Self.requireCertificate(in: file) }
            let status = library.tls_set(client, file, file == nil ? folder : nil, nil, nil, nil)
            try Self.check(status, "cannot use \(file ?? folder)")
        }
        let offline = "offline"
        let status = library.will_set(client, self.will, Int32(offline.utf8.count), offline, 1, true)
        try Self.check(status, "rejects the topic \(self.will)")
    }

    /// Checks a file of authorities, of which the library says only that it is wrong.
    private static func requireCertificate(in file: String) throws(EventError) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try SmallFile.bytes(file)
        } catch {
            throw EventError("the file \(error)")
        }
        guard String(decoding: bytes, as: UTF8.self).contains("CERTIFICATE-----") else {
            throw EventError("the file \(file) has no certificate in PEM")
        }
    }

    private static func check(_ status: Int32, _ problem: String) throws(EventError) {
        guard status != 0 else { return }
        throw EventError("libmosquitto \(problem): \(self.reason(status))")
    }

    private static func reason(_ status: Int32) -> String {
        guard status != self.securityError else {
            return "TLS failed; trust the broker's certificate or its authority, and check that the host name is in it"
        }
        return Self.library?.strerror(status).map { String(cString: $0) } ?? ""
    }
}

extension MQTTPublication {
    /// Copies a message of the library.
    fileprivate init(_ message: mosquitto_message) {
        let start: UnsafeMutableRawPointer? = message.payload
        let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(message.payloadlen))
        self.init(
            topic: message.topic.map { String(cString: $0) } ?? "",
            payload: ByteBuffer(bytes: bytes),
            isRetained: message.retain
        )
    }
}
