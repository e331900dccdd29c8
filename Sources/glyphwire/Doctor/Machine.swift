internal import GlyphwireProtocol
internal import FramePipeline
internal import Foundation
internal import GlyphwireHTTP
internal import GlyphwireServer
internal import NIOCore
internal import NIOPosix
internal import TextModel
internal import TextRecognitionOpenVINO

/// Machine that `glyphwire doctor` examines.
enum Machine {
    /// Memory below which lines of all widths share one network; see docs/deploying.md.
    private static let usualMemory = 1 << 30

    /// The findings about processor, memory, open files and clock, for a server with `settings`.
    static func findings(for settings: ServeSettings) -> [Finding] {
        [
            Self.processor(), Self.memory(for: settings.levels),
            Self.files(for: settings.server.limits, hasHTTP: settings.http != nil), Self.clock(),
        ]
    }

    private static func processor() -> Finding {
        let processor = Processor.current
        let cores = SystemCores.count == 1 ? "1 core" : "\(SystemCores.count) cores"
        let text = "\(processor.name ?? "of an unknown kind"), \(cores) for this process"
        switch processor.variant {
        case .float32:
            return Finding(
                .warning,
                on: "processor",
                "\(text); it has no AVX2, so networks run in floating point, slowly"
            )
        case .int8AVX2:
            return Finding(.ok, on: "processor", "\(text); networks run in int8 by AVX2, VNNI would be faster")
        case .int8VNNI:
            return Finding(.ok, on: "processor", "\(text); networks run in int8 by VNNI, the fastest way")
        }
    }

    private static func memory(for levels: [RecognitionLevel]) -> Finding {
        let limit = SystemMemory.limit
        let text = String(format: "%.1f GiB for this process", Double(limit) / Double(1 << 30))
        return limit < Self.usualMemory && levels != [.fast]
            ? Finding(.warning, on: "memory", "\(text): serve --levels fast, which reads long lines more slowly here")
            : Finding(.ok, on: "memory", text)
    }

    private static func files(for limits: ServerLimits, hasHTTP: Bool) -> Finding {
        var fitting = limits
        return DescriptorLimit.raise().fit(&fitting, hasHTTP: hasHTTP)
            ? Finding(
                .warning,
                on: "files",
                "room for \(fitting.maxConnections) connections\(hasHTTP ? " beside HTTP" : ""), not "
                    + "\(limits.maxConnections): raise ulimit -n"
            )
            : Finding(.ok, on: "files", "room for \(limits.maxConnections) connections")
    }

    /// Who keeps the clock, by the files that services leave.
    private static func clock() -> Finding {
        let keepers = [
            "/run/systemd/timesync/synchronized": "systemd-timesyncd", "/run/chrony/chronyd.pid": "chrony",
            "/run/ntpd.pid": "ntpd",
        ]
        guard let keeper = keepers.first(where: { FileManager.default.fileExists(atPath: $0.key) })?.value else {
            return Finding(
                .warning,
                on: "clock",
                "no service is known to set it; ages of frames and expiry of tokens need a clock that is right"
            )
        }
        return Finding(.ok, on: "clock", "kept by \(keeper)")
    }

    /// Whether a server could listen on the addresses of `settings`.
    static func ports(of settings: ServeSettings) -> [Finding] {
        let frames = Self.port(settings.server.port, of: settings.server.host)
        guard let http = settings.http else { return [frames] }
        return [frames, Self.port(http.port, of: http.host)]
    }

    private static func port(_ port: Int, of host: String) -> Finding {
        do {
            let listener = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port).wait()
            try listener.close().wait()
            return Finding(
                .ok,
                on: "port",
                port == 0 ? "any free port of \(host)" : "\(String(host: host, port: port)) is free"
            )
        } catch {
            let reason = GlyphwireServerError.cannotListen(host: host, port: port, underlying: error)
            return Finding(.failed, on: "port", "\(reason)")
        }
    }
}
