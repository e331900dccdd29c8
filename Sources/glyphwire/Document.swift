internal import GlyphwireProtocol
internal import TextFormats
internal import TextModel

/// Document of `read` on its way to standard output, with the progress and the reports on standard error.
struct Document {
    private var output: Output
    private let progress: Progress
    private let showsWarnings: Bool
    private var pageCount = 0
    /// Whether all pictures were read, and their boxes drawn.
    private(set) var isComplete = true
    /// The number of matches of the searched patterns.
    private(set) var matchCount = 0

    /// A document without pages.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - progress: The progress of the pictures.
    ///   - showsWarnings: Whether warnings about pictures that were read are reported.
    init(output: Output, progress: Progress, showsWarnings: Bool) {
        self.output = output
        self.progress = progress
        self.showsWarnings = showsWarnings
    }

    /// Prints what stands before the first page.
    mutating func begin() throws(Failure) { try self.output.begin() }

    /// Prints a page.
    mutating func show(_ reading: PictureReader.Reading) throws(Failure) {
        self.progress.clear()
        try self.output.show(reading.page)
        for report in (self.showsWarnings ? reading.warnings : []) + reading.reports { self.output.report(report) }
        self.isComplete = self.isComplete && reading.isComplete
        self.matchCount += reading.page.readText?.found?.matches.count ?? 0
        self.pageCount += 1
        self.progress.show(self.pageCount)
    }

    /// Prints what stands after the last page.
    mutating func end() throws(Failure) {
        self.progress.clear()
        try self.output.end()
    }
}
