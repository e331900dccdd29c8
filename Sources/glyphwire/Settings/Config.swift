internal import ArgumentParser
internal import Foundation
internal import GlyphwireProtocol
internal import GlyphwireServer
internal import SystemSupport

/// Command `glyphwire config`: the settings of a server.
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks the settings of a server.",
        subcommands: [Check.self]
    )

    /// Command `glyphwire config check`: checks settings as `glyphwire serve` would, without a start.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks the settings of a server, and the files that they name.",
            discussion: """
                Takes the flags of `glyphwire serve`, opens no port and loads no model. Prints the settings of the \
                environment and of the file, what the server would do, and until when its certificates and tokens are valid; the \
                exit code is not 0 where it would not start, or would refuse all clients because one of them has expired.

                EXAMPLES
                  glyphwire config check --host 0.0.0.0 --token-file /etc/glyphwire/token
                  glyphwire config check --config /etc/glyphwire/glyphwire.yaml
                """
        )

        @OptionGroup var server: ServeOptions

        func validate() throws { try self.server.useEnvironmentAndFile() }

        func run() throws {
            let settings = try self.server.checkSettings()
            _ = try ModelFolder.path(flag: self.server.models)
            let names = EnvironmentCheck.names(in: ProcessInfo.processInfo.environment)
            var lines = ["from the environment: \(names.isEmpty ? "nothing" : names.joined(separator: ", "))"]
            if let file = Setting.settingsFile {
                let settings = file.values.keys.map(SettingsFile.key).sorted()
                lines.append("from \(file.path): \(settings.isEmpty ? "nothing" : settings.joined(separator: ", "))")
            }
            lines.append("would listen on \(settings.summary)")
            lines += settings.credentials.map(\.description)
            try StandardOutput.writeLine(lines.joined(separator: "\n"))
            let ended = settings.credentials.filter { $0.refusesAll(at: WallClock.seconds) }
            guard ended.isEmpty else {
                throw Failure("This has expired, replace it: \(ended.map(\.description).joined(separator: ", ")).")
            }
        }
    }
}
