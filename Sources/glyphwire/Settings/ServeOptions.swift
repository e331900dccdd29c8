internal import ArgumentParser
internal import CommandInput
internal import Foundation
internal import GlyphwireHTTP
internal import GlyphwireServer
internal import TextModel

/// Options of a server; `glyphwire config check` takes those of `glyphwire serve`.
struct ServeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "File with settings, in YAML: the names and values of these options. (default: none)",
            valueName: "file"
        )
    )
    var config: String?

    @Option(help: ArgumentHelp("Address to listen on. (default: 127.0.0.1)", valueName: "address"))
    var host: String?

    @Option(help: ArgumentHelp("TCP port to listen on; 0 takes any free one. (default: 7411)"))
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "Number of threads that read frames, 1 to 1024. (default: one for each core)",
            valueName: "count"
        )
    )
    var workers: Int?

    @Option(
        help: ArgumentHelp(
            "Maximum number of bytes of compiled networks that are kept. "
                + "(default: 512M and 256M for each worker, at most half of the memory)",
            valueName: "bytes"
        )
    )
    var networkMemory: ByteCount?

    @Option(help: NetworkCacheFolder.help)
    var networkCache: String?

    @Option(help: "Level of streams that do not configure one. (default: the first of --levels)")
    var level: RecognitionLevel?

    @Option(help: "Levels to offer, separated by commas; the models of others are not loaded. (default: fast,accurate)")
    var levels: LevelList?

    @Option(help: ModelFolder.help)
    var models: String?

    @Option(
        help: ArgumentHelp(
            "File with the token that clients must show, or with several as JSON; SIGHUP reloads it. "
                + "(default: none)",
            valueName: "file"
        )
    )
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "File with the certificate chain in PEM; the server then speaks TLS. (default: none)",
            valueName: "file"
        )
    )
    var tlsCertificate: String?

    @Option(
        help: ArgumentHelp(
            "File with the certificate's private key in PEM; SIGHUP reloads both. (default: none)",
            valueName: "file"
        )
    )
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "File with authorities in PEM; clients need a certificate of one of them. (default: none)",
            valueName: "file"
        )
    )
    var tlsClientCA: String?

    @Flag(
        help: ArgumentHelp(
            "TLS with a certificate that the server makes for this machine's addresses, and keeps; browsers ask once whether "
                + "to accept it."
        )
    )
    var tlsSelfSigned = false

    @Flag(help: "PROXY header with the client's address, as HAProxy sends it, is expected on each connection.")
    var proxyProtocol = false

    @Flag(help: "Other machines need no token: anyone who can reach the address can use the server.")
    var insecure = false

    @Option(.grace) var grace: ServerLimit.Setting?

    @Option(
        help: ArgumentHelp(
            "Address and port of the HTTP service, for browsers and monitoring, such as 127.0.0.1:7412; port 0 takes any "
                + "free one. (default: none)",
            valueName: "address:port"
        )
    )
    var http: ListenAddress?

    @Option(
        name: .customLong("http-cors"),
        help: ArgumentHelp(
            "Origins of web pages that may use --http, separated by commas, or * for all. (default: none)",
            valueName: "origin"
        )
    )
    var allowedOrigins: [AllowedOrigins] = []

    @OptionGroup var log: LogOptions

    @OptionGroup var limits: LimitOptions

    /// Checks the names of variables, and takes the settings of the configuration file from now on.
    ///
    /// - Throws: `ValidationError` or ``Failure`` that names what is wrong.
    func useEnvironmentAndFile() throws {
        try EnvironmentCheck.validate(ProcessInfo.processInfo.environment)
        try Setting.useFile(flag: self.config)
    }
}
