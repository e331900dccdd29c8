internal import GlyphwireReplay

extension Console {
    /// Reports the files and frames written.
    func report(_ summary: SessionEditor.Summary, in output: String) {
        for notice in summary.notices { self.notice("note: \(notice)") }
        self.output("\(summary.frames.counted("frame")), \(summary.bytes) bytes in \(output)")
    }
}
