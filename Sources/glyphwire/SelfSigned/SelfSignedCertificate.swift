internal import Crypto
internal import FoundationEssentials
internal import GlyphwireServer
internal import NIOCore
internal import SwiftASN1
internal import SystemSupport
internal import X509

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Certificate that the server signs itself, for its addresses and names.
///
/// It is kept in the user's state folder, so that a browser has to accept it once.
struct SelfSignedCertificate {
    /// Days for which it is valid: the most that Apple's devices accept of a certificate that was added by hand
    /// (https://support.apple.com/en-us/103769).
    private static let validDays = 825
    /// Days before its end in which it is replaced.
    private static let minDays = 30.0

    /// The state folder, which need not exist.
    private let folder: String

    /// Path of the file with the certificate and its key.
    private var path: String { "\(self.folder)/self-signed.pem" }

    /// The files for TLS.
    var files: TLSFiles { TLSFiles(certificate: self.path, key: self.path) }

    /// The certificate of this machine, which is not made before ``renew()``.
    ///
    /// - Throws: ``Failure`` if there is no place for it.
    init() throws {
        guard let folder = UserFolder.path(variable: "XDG_STATE_HOME", inHome: ".local/state") else {
            throw Failure("--tls-self-signed has no place for its certificate: set HOME or XDG_STATE_HOME.")
        }
        self.folder = folder
    }

    /// Whether it is kept, does not end soon, and names all addresses of this machine.
    func isUsable() throws -> Bool { Self.isUsable(at: self.path, for: try HostNames()) }

    /// Makes it, or a new one if it has ended or the machine has other addresses.
    ///
    /// - Throws: ``Failure`` if it cannot be kept.
    func renew() throws {
        let names = try HostNames()
        guard !Self.isUsable(at: self.path, for: names) else { return }
        let pem = try Self.make(for: names)
        do {
            try FileManager.default.createDirectory(
                atPath: self.folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw Failure("The folder \(self.folder) for the certificate cannot be made: \(error).")
        }
        try Self.keep(pem, at: self.path)
    }

    private static func isUsable(at path: String, for names: HostNames) -> Bool {
        guard let bytes = try? SmallFile.bytes(path),
            let documents = try? PEMDocument.parseMultiple(pemString: String(decoding: bytes, as: UTF8.self)),
            let document = documents.first(where: { $0.discriminator == "CERTIFICATE" }),
            let certificate = try? Certificate(pemDocument: document),
            let known = try? certificate.extensions.subjectAlternativeNames,
            documents.count > 1
        else { return false }
        let end = certificate.notValidAfter.timeIntervalSinceNow / 86_400
        return end > Self.minDays && names.alternatives.allSatisfy(known.contains)
    }

    /// A key and a certificate for `names`, in PEM.
    private static func make(for names: HostNames) throws -> String {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("Glyphwire on \(names.host)") }
        let now = Date()
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now - 86_400,
            notValidAfter: now + Double(Self.validDays - 1) * 86_400,
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names.alternatives)
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        return try certificate.serializeAsPEM().pemString + "\n" + key.pemRepresentation + "\n"
    }

    /// Writes a file that only its owner reads, at once.
    private static func keep(_ text: String, at path: String) throws(Failure) {
        let draft = "\(path).new"
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard file >= 0 else {
            throw Failure("The certificate \(draft) cannot be kept: \(String(cString: strerror(errno))).")
        }
        let bytes = Array(text.utf8)
        let isWritten = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == bytes.count
        guard close(file) == 0, isWritten, rename(draft, path) == 0 else {
            throw Failure("The certificate \(path) cannot be kept: \(String(cString: strerror(errno))).")
        }
    }
}

/// Names and addresses of this machine.
struct HostNames {
    /// Name of the machine.
    let host: String
    /// Addresses, those of the loopback interface last.
    let addresses: [SocketAddress]

    init() throws {
        var buffer = [CChar](repeating: 0, count: 256)
        gethostname(&buffer, buffer.count - 1)
        self.host = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let all = try System.enumerateDevices().compactMap(\.address).filter { address in
            guard let text = address.ipAddress else { return false }
            // Addresses that hold on one link only cannot be in a URL.
            return !text.lowercased().hasPrefix("fe80")
        }
        self.addresses = all.filter { !$0.isLoopback } + all.filter(\.isLoopback)
    }

    /// Address at which other machines reach this one.
    var reachable: String? { self.addresses.first { !$0.isLoopback && $0.protocol == .inet }?.ipAddress }

    /// Subject alternative names of the certificate.
    var alternatives: [GeneralName] {
        let names = [self.host, "\(self.host).local", "localhost"].filter { !$0.isEmpty && $0 != ".local" }
        return names.map { .dnsName($0) }
            + self.addresses.map { .ipAddress(ASN1OctetString(contentBytes: $0.ipBytes[...])) }
    }
}
