internal import ArgumentParser
internal import CommandInput
internal import Foundation
internal import GlyphwireHTTP
internal import GlyphwireProtocol
internal import GlyphwireServer
internal import NIOCore
internal import TextModel

/// What the options, the environment and the settings file say together.
extension ServeOptions {
    /// Levels that the server offers, the default first.
    func offeredLevels() throws -> [RecognitionLevel] {
        try Setting.value(self.levels, environment: .levels)?.levels ?? RecognitionLevel.allCases
    }

    /// Short summary of the configuration.
    static func summary(_ configuration: ServerConfiguration, levels: [RecognitionLevel]) -> String {
        let workers = configuration.workers == 1 ? "1 worker" : "\(configuration.workers) workers"
        let tls = configuration.tls == nil ? "" : ", TLS"
        return "\(workers), \(levels.map(\.rawValue).joined(separator: " and "))\(tls)"
    }

    /// Checks all settings, and the files that they name but for the models, without a start, and writes nothing.
    ///
    /// - Returns: The settings.
    /// - Throws: The error with which the start would fail.
    func checkSettings() throws -> ServeSettings {
        let levels = try self.offeredLevels()
        let server = try self.serverConfiguration(levels: levels)
        let http = try self.httpConfiguration(for: server)
        try Self.checkAddresses(of: server, http)
        _ = try self.log.settings()
        _ = try NetworkCacheFolder.path(flag: self.networkCache)
        var present = server
        // The start makes one, also in place of one that ends soon; a check, maybe of another user, must not.
        if try self.isSelfSigned, try !SelfSignedCertificate().isUsable() { present.tls = nil }
        try GlyphwireServer.validate(present)
        let memory = try Setting.value(self.networkMemory, environment: .networkMemory)
        return ServeSettings(
            levels: levels,
            server: server,
            http: http,
            networkMemory: memory?.value,
            credentials: try present.credentials()
        )
    }

    /// Configuration of the server, of the options, the environment and the file.
    ///
    /// - Throws: An error that names the first setting that is invalid.
    func serverConfiguration(levels: [RecognitionLevel]) throws -> ServerConfiguration {
        var configuration = ServerConfiguration()
        if let host = try Setting.value(self.host, environment: .host) { configuration.host = host }
        if let port = try Setting.port(self.port) { configuration.port = port }
        if let workers = try Setting.value(self.workers, environment: .workers) {
            guard WorkerCount.allowed.contains(workers) else {
                throw Setting.invalid(.workers, "\(workers)", allowed: "1 to \(WorkerCount.allowed.upperBound)")
            }
            configuration.workers = workers
        }
        let level = try Setting.value(self.level, environment: .level) ?? levels.first ?? .fast
        guard levels.contains(level) else {
            throw Setting.invalid(
                .level,
                level.rawValue,
                allowed: "one of --levels, which are \(levels.map(\.rawValue).joined(separator: " and "))"
            )
        }
        configuration.stream.reading.level = level
        configuration.isBehindProxy =
            try self.proxyProtocol || Setting.value(Bool?.none, environment: .proxyProtocol) ?? false
        configuration.tls = try self.tlsFiles()
        configuration.isInsecure = try self.insecure || Setting.value(Bool?.none, environment: .insecure) ?? false
        if let path = try Setting.value(self.tokenFile, environment: .tokenFile) {
            configuration.tokens = try AccessToken.all(in: path)
        }
        try ServerLimit.all.set(in: &configuration, flags: self.limitSettings)
        return configuration
    }

    /// Checks that a server could listen on its addresses.
    ///
    /// - Parameters:
    ///   - server: The configuration of the port for frames.
    ///   - http: The configuration of the HTTP service; `nil` without one.
    /// - Throws: `ValidationError` if a host is unknown, or both ports are the same.
    static func checkAddresses(of server: ServerConfiguration, _ http: HTTPConfiguration?) throws {
        let frames = try SocketAddress.resolving(server.host, port: server.port, of: .host)
        guard let http else { return }
        guard try !frames.overlaps(SocketAddress.resolving(http.host, port: http.port, of: .http)) else {
            throw ValidationError(
                "--http \(http.host):\(http.port) is where frames arrive (\(server.host):\(server.port)): use another port."
            )
        }
    }

    /// The files that hold a secret.
    func secretFiles() throws -> [String?] {
        [
            try Setting.value(self.tokenFile, environment: .tokenFile),
            try Setting.value(self.tlsKey, environment: .tlsKey),
        ]
    }

    /// Whether the server makes its certificate itself.
    var isSelfSigned: Bool {
        get throws { try self.tlsSelfSigned || Setting.value(Bool?.none, environment: .tlsSelfSigned) ?? false }
    }

    /// Makes the certificate that the server makes itself, or a new one, where that is due.
    func renewSelfSignedCertificate() throws {
        if try self.isSelfSigned { try SelfSignedCertificate().renew() }
    }

    private func tlsFiles() throws -> TLSFiles? {
        let certificate = try Setting.value(self.tlsCertificate, environment: .tlsCertificate)
        let key = try Setting.value(self.tlsKey, environment: .tlsKey)
        let authorities = try Setting.value(self.tlsClientCA, environment: .tlsClientCA)
        if try self.isSelfSigned {
            guard certificate == nil, key == nil, authorities == nil else {
                throw ValidationError("--tls-self-signed makes the certificate: leave out the other options of TLS.")
            }
            return try SelfSignedCertificate().files
        }
        guard let certificate, let key else {
            guard certificate == nil, key == nil, authorities == nil else {
                throw ValidationError(
                    "TLS needs --tls-certificate and --tls-key: set both, or neither of them and no --tls-client-ca."
                )
            }
            return nil
        }
        return TLSFiles(certificate: certificate, key: key, clientAuthorities: authorities)
    }

    /// Configuration of the HTTP service; `nil` without one.
    func httpConfiguration(for server: ServerConfiguration) throws -> HTTPConfiguration? {
        let origins = try Setting.value(self.allowedOrigins.union, environment: .allowedOrigins)
        guard let address = try Setting.value(self.http, environment: .http) else {
            guard origins == nil else {
                throw ValidationError(
                    "--http-cors has no effect without --http: add --http 127.0.0.1:7412, or leave it out."
                )
            }
            return nil
        }
        guard
            !server.tokens.isEmpty || server.tls?.clientAuthorities != nil || server.isInsecure
                || Loopback.contains(address.host)
        else {
            throw ValidationError(
                "--http \(address.host):\(address.port) would show the streams to anyone who can reach that address: add "
                    + "--token-file, or use --http 127.0.0.1:\(address.port)."
            )
        }
        var configuration = HTTPConfiguration(host: address.host, port: address.port)
        configuration.allowedOrigins = origins ?? .none
        return configuration
    }
}
