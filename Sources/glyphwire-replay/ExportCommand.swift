internal import ArgumentParser
internal import GlyphwireReplay

struct ExportCommand: ReplayCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export the frames of a session as pictures.",
        discussion: """
            JPEG frames are written as they are, all others as PNG. A file has the number of its frame in the session, \
            as in frame-000012.jpg. Pictures are stored as they were sent; an orientation \
            that is only in the frame's header is not in the file (info shows it).

            EXAMPLE
              glyphwire-replay export walk.gws --frames 10-20 --output pictures/
            """
    )

    @Argument(help: "The session, a .gws file.", completion: .file(extensions: ["gws"]))
    var session: String

    @OptionGroup var part: SessionPart

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder to write to; it is created if needed.", valueName: "folder"),
        completion: .directory
    )
    var output: String

    func run(_ console: Console) throws {
        let folder = self.output.count > 1 && self.output.hasSuffix("/") ? String(self.output.dropLast()) : self.output
        let summary = try SessionEditor.export(self.session, window: self.part.window, to: folder) { count in
            console.progress("exporting: \(count.counted("frame"))", atMostEvery: .seconds(1))
        }
        console.report(summary, in: self.output)
        if summary.frames == 0 { throw ExitCode.failure }
    }
}
