internal import ArgumentParser
internal import CommandInput
internal import GlyphwireServer
internal import TextModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Command `glyphwire`.
@main
struct Glyphwire: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "glyphwire",
        abstract: "Reads text in live video and in pictures.",
        discussion: """
            A program connects over TCP, sends pictures, and gets one line of JSON for each: the text, and where its \
            lines, words and characters are.

            EXAMPLES
              glyphwire serve                       listen on 127.0.0.1:7411
              nc 127.0.0.1 7411 < session.gws       play a recorded session
              glyphwire watch rtsp://camera/1       print what a camera reads
              glyphwire read photo.jpg              print the text in a picture
              glyphwire doctor                      examine whether this machine can serve
            """,
        version: "glyphwire \(GlyphwireServer.version)",
        subcommands: [Serve.self, Watch.self, Read.self, Doctor.self, Config.self]
    )

    static func main() async {
        var arguments = CommandLine.arguments.dropFirst()
        if [Serve._commandName, Watch._commandName].contains(arguments.first) { HangupSignal.ignore() }
        StandardStreams.openMissing()
        if arguments.first == "help" { arguments = arguments.dropFirst() }
        if let argument = arguments.first, let advice = Self.advice(on: argument) {
            Self.exit(withError: ValidationError(advice))
        }
        if arguments.first == Read._commandName, let advice = Read.advice(on: arguments) {
            Self.exit(withMistake: advice, in: Read.self)
        }
        await self.parseAndRun()
    }

    /// Runs the command that the arguments name.
    ///
    /// A mistake in settings may be found while it runs; its message shows the usage of that command, not of the program.
    @concurrent private static func parseAndRun() async {
        do {
            var command = try await Self.asyncParseAsRoot()
            do {
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch let error as ValidationError {
                Self.exit(withMistake: "\(error)", in: type(of: command))
            }
        } catch {
            Self.exit(withError: error)
        }
    }

    /// Ends the program with a message and the usage of a command.
    private static func exit(withMistake message: String, in command: any ParsableCommand.Type) -> Never {
        StandardError.write("Error: \(message)\nUsage: \(Self.usageString(for: command))\n")
        Self.exit(withError: ExitCode.validationFailure)
    }

    /// What to do instead, where an argument is neither a subcommand nor an option; `nil` if it is one.
    private static func advice(on argument: String) -> String? {
        let commands = self.configuration.subcommands.map { $0._commandName } + ["help"]
        guard !argument.hasPrefix("-"), !commands.contains(argument) else { return nil }
        guard access(argument, F_OK) == 0 else {
            let nearest = Spelling.nearest(to: argument, among: commands).map { " Did you mean '\($0)'?" }
            return "There is no command '\(argument)'.\(nearest ?? "")"
        }
        guard !RecordedSession.isAt(argument) else { return RecordedSession.advice(argument) }
        return "\(argument) is a file or folder, not a command. Read it with: glyphwire read \(argument.quotedForShell)"
    }
}
