internal import ArgumentParser
internal import GlyphwireReplay

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the frames of a session as pictures.",
        discussion: """
            JPEG frames are written as they are, all others as PNG. Pictures lie as they were sent; an orientation that \
            only the frame's header has is not in the file (info tells it).

            EXAMPLE
              glyphwire-replay export walk.gws --frames 10-20 --output pictures/
            """
    )

    @Argument(help: "The session, a .gws file.", completion: .file(extensions: ["gws"]))
    var session: String

    @OptionGroup var part: SessionPart

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder to write to; it is made if it is not there.", valueName: "folder"),
        completion: .directory
    )
    var output: String

    func run() throws {
        let console = Console()
        let folder = self.output.count > 1 && self.output.hasSuffix("/") ? String(self.output.dropLast()) : self.output
        let summary = try SessionEditor.export(self.session, window: self.part.window, to: folder) { count in
            if count % 100 == 0 { console.progress("exporting: \(count) frames") }
        }
        console.tell(summary, in: self.output)
        if summary.frames == 0 { throw ExitCode.failure }
    }
}
