internal import ArgumentParser
internal import Foundation

/// Command `glyphwire config`: the settings of a server.
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks the settings of a server.",
        subcommands: [Check.self]
    )

    /// Command `glyphwire config check`: checks settings as `glyphwire serve` would, without a start.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks the flags and environment variables of a server, and the files that they name.",
            discussion: """
                Takes the flags of `glyphwire serve`, opens no port and loads no model. Prints the variables that are set \
                and what the server would do; the exit code is not 0 where it would not start.

                EXAMPLES
                  glyphwire config check --host 0.0.0.0 --token-file /etc/glyphwire/token
                  systemd-run --pipe -p EnvironmentFile=/etc/glyphwire/environment glyphwire config check
                """
        )

        @OptionGroup var server: Serve

        func run() throws {
            let summary = try self.server.checkSettings()
            let names = ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("GLYPHWIRE_") }.sorted()
            print("from the environment: \(names.isEmpty ? "nothing" : names.joined(separator: ", "))")
            print("would listen on \(summary)")
        }
    }
}
