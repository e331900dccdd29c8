internal import GlyphwireReplay

extension Console {
    /// Says what was written.
    func tell(_ summary: SessionEditor.Summary, in output: String) {
        for notice in summary.notices { self.notice("note: \(notice)") }
        self.output("\(summary.frames) frames, \(summary.bytes) bytes in \(output)")
    }
}
