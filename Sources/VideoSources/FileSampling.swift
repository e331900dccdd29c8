/// Sampling of a video file by `ffmpeg`, at a constant rate from its first picture on.
package enum FileSampling {
    /// Time by which a picture may be late and still count: containers round timestamps, Matroska's to a millisecond.
    ///
    /// Without it, a third of the pictures of such a file miss their moment at the file's own rate.
    private static let toleranceMicroseconds = 1000

    /// Filters that give for each moment the picture that is shown then.
    ///
    /// By default, the filter `fps` would give the nearest one, which may appear up to half an interval later.
    ///
    /// - Parameter rate: Pictures per second, as `ffmpeg` takes it.
    /// - Returns: The filters, separated by commas.
    package static func filters(rate: String) -> String {
        "settb=AVTB,setpts=PTS-STARTPTS-\(self.toleranceMicroseconds),fps=\(rate):round=up"
    }
}
