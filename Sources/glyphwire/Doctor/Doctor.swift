internal import ArgumentParser
internal import FramePipeline
internal import Foundation
internal import GlyphwireServer
internal import TextModel
internal import TextRecognitionOpenVINO

/// Command `glyphwire doctor`: examines whether a server can run on this machine, and how fast.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Examines this machine: whether a server can run on it, and how fast.",
        discussion: """
            Prints a line for each thing that a server depends on: ok, warning or failed. The exit code is 1 if one failed, or \
            the lines cannot be written. \
            Takes the flags of `glyphwire serve`, its environment and its file, and checks them as that does: of a service, \
            name its file, and stop it before, since the check of its ports fails while it uses them.

            EXAMPLES
              glyphwire doctor
              glyphwire doctor --config /etc/glyphwire/glyphwire.yaml --token-file /etc/glyphwire/token
            """
    )

    @OptionGroup var server: ServeOptions

    func run() throws {
        var hasFailed = false
        func report(_ findings: [Finding]) throws(Failure) {
            for finding in findings {
                try StandardOutput.writeLine(finding.line)
                if finding.verdict == .failed { hasFailed = true }
            }
        }
        let checked = Result { try self.settings() }
        let settings = (try? checked.get()) ?? ServeSettings()
        try report([Self.finding(of: checked)] + settings.credentials.map { Finding($0) })
        try report(Machine.findings(for: settings))
        // Where they are invalid, the addresses are not known.
        if case .success = checked { try report(Machine.ports(of: settings)) }
        try report(self.engine(for: settings))
        // The process ends before its networks are freed one by one.
        _exit(hasFailed ? EXIT_FAILURE : EXIT_SUCCESS)
    }

    private func settings() throws -> ServeSettings {
        try self.server.useEnvironmentAndFile()
        return try self.server.checkSettings()
    }

    private static func finding(of settings: Result<ServeSettings, any Error>) -> Finding {
        if case .failure(let error) = settings { return Finding(.failed, on: "settings", "\(error)") }
        let names = EnvironmentCheck.names(in: ProcessInfo.processInfo.environment)
        let list = names.isEmpty ? "no variable is set" : names.joined(separator: ", ")
        let file = Setting.settingsFile.map { "; from \($0.path): \($0.values.count) settings" } ?? "; from no file"
        return Finding(.ok, on: "settings", "from the environment: \(list)\(file)")
    }

    /// Loads the models, and has them read.
    private func engine(for settings: ServeSettings) -> [Finding] {
        do {
            let folder = try ModelFolder.path(flag: self.server.models)
            let cache = try NetworkCacheFolder.path(flag: self.server.networkCache)
            let engine = try OpenVINOTextEngine.load(
                settings.levels,
                models: self.server.models,
                cache: self.server.networkCache,
                memory: settings.networkMemory ?? SystemMemory.forNetworks(workers: settings.server.workers)
            )
            let languages = engine.levels.map { "\($0.rawValue) reads \(engine.languages(of: $0).count)" }
                .joined(separator: ", ")
            let counted = engine.furtherLanguages.isEmpty ? "" : ", those of Tesseract among them"
            return [
                Finding(.ok, on: "models", folder), Self.cache(cache),
                Finding(.ok, on: "languages", "\(languages)\(counted); Protocol.md lists those of the models"),
                Self.further(engine.furtherLanguages),
            ] + (try engine.levels.map { try SpeedTest(engine: engine).finding(of: $0) })
        } catch {
            return [Finding(.failed, on: "models", "\(error)")]
        }
    }

    private static func further(_ languages: [String]) -> Finding {
        Finding(
            .ok,
            on: "more languages",
            languages.isEmpty
                ? "none by Tesseract; docs/languages.md in share/doc/glyphwire says how to add them"
                : "Tesseract reads \(languages.joined(separator: ", "))"
        )
    }

    private static func cache(_ folder: String?) -> Finding {
        guard let folder else {
            return Finding(.warning, on: "cache", "no folder for compiled networks: each start compiles them again")
        }
        // The first start makes the folders that are missing.
        var nearest = URL(fileURLWithPath: folder)
        while !FileManager.default.fileExists(atPath: nearest.path), nearest.path != "/" {
            nearest.deleteLastPathComponent()
        }
        return FileManager.default.isWritableFile(atPath: nearest.path)
            ? Finding(.ok, on: "cache", folder)
            : Finding(.warning, on: "cache", "\(folder) cannot be written: each start compiles the networks again")
    }
}
