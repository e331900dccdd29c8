import Foundation
import GlyphwireServer
import TestSupport
import Testing

/// TLS of the HTTP service alone.
@Suite(.timeLimit(.minutes(2))) final class OwnCertificateTests {
    private let folder: URL
    private let openssl: String

    init() throws {
        self.folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        self.openssl = try #require(Program.system("openssl"), "openssl is needed: apt-get install openssl")
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: self.folder) }

    private func path(_ name: String) -> String { self.folder.appending(path: name).path() }

    private func makeCertificate() async throws {
        let outcome = await
            (try Program(
                self.openssl,
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-keyout", self.path("key"), "-out", self.path("certificate"),
                ]
            )).wait()
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
    }

    /// Whether a client that trusts only the certificate of the file connects.
    private func isCurrent(at port: Int) async throws -> Bool {
        let arguments = [
            "s_client", "-connect", "127.0.0.1:\(port)", "-verify_return_error", "-CAfile", self.path("certificate"),
        ]
        return await (try Program(self.openssl, arguments)).wait().exitCode == 0
    }

    @Test func aNewOneIsTakenWithoutARestart() async throws {
        try await self.makeCertificate()
        let files = TLSFiles(certificate: self.path("certificate"), key: self.path("key"))
        try await TestHTTPServer.run(tls: files) { server in
            #expect(try await self.isCurrent(at: server.httpPort))
            try await self.makeCertificate()
            #expect(try await !self.isCurrent(at: server.httpPort), "the old one is shown still")
            try server.readTLSFiles()
            #expect(try await self.isCurrent(at: server.httpPort))
            try Data("nonsense".utf8).write(to: URL(filePath: self.path("key")))
            #expect(throws: GlyphwireServerError.self) { try server.readTLSFiles() }
            #expect(try await self.isCurrent(at: server.httpPort))
        }
    }
}
