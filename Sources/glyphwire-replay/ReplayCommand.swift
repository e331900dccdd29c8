internal import ArgumentParser
internal import GlyphwireReplay

/// Subcommand, which fails if its output cannot be written.
protocol ReplayCommand: AsyncParsableCommand {
    /// Performs the command.
    ///
    /// - Parameter console: Its output.
    /// - Throws: What is reported as an error, or an `ExitCode`.
    func run(_ console: Console) async throws
}

extension ReplayCommand {
    func run() async throws {
        let console = Console()
        try await self.run(console)
        try console.finish()
    }
}
