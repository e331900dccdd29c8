internal import FramePipeline
internal import Foundation
internal import GlyphwireServer
internal import NIOCore
internal import NIOPosix
internal import TextRecognitionOpenVINO

/// Machine that `glyphwire doctor` examines.
enum Machine {
    /// Memory below which lines of all widths share one network; see docs/deploying.md.
    private static let usualMemory = 1 << 30

    /// The findings about processor, memory, open files and clock.
    static func findings() -> [Finding] { [Self.processor(), Self.memory(), Self.files(), Self.clock()] }

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

    private static func memory() -> Finding {
        let limit = SystemMemory.limit
        let text = String(format: "%.1f GiB for this process", Double(limit) / Double(1 << 30))
        return limit < Self.usualMemory
            ? Finding(.warning, on: "memory", "\(text): serve --levels fast, which reads long lines more slowly here")
            : Finding(.ok, on: "memory", text)
    }

    private static func files() -> Finding {
        var limits = ServerLimits()
        let wanted = limits.maxConnections
        return DescriptorLimit.raise().fit(&limits, hasHTTP: true)
            ? Finding(
                .warning,
                on: "files",
                "room for \(limits.maxConnections) connections beside HTTP, not \(wanted): raise ulimit -n"
            )
            : Finding(.ok, on: "files", "room for \(wanted) connections")
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

    /// Whether a server could listen on `port` of this machine.
    static func port(_ port: Int) throws -> Finding {
        do {
            let listener = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: "127.0.0.1", port: port).wait()
            try listener.close().wait()
            return Finding(.ok, on: "port", "\(port) is free")
        } catch let error as IOError {
            let reason = String(cString: strerror(error.errnoCode))
            return Finding(
                .failed,
                on: "port",
                "\(port) cannot be listened on (\(reason)): a server that runs already, or another program, uses it; stop it, or set --port"
            )
        }
    }
}
