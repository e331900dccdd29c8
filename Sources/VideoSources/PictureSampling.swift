/// Choice of the pictures of a video that are taken.
package enum PictureSampling: Sendable, Equatable {
    /// All of them, each at its own time.
    case all
    /// Of a live source, those that come at a pace, as ``FramePace`` takes them.
    case pace(FrameRate)
    /// Of a file, for each moment at a rate, from the first picture on, the one that is shown then.
    case moments(FrameRate)

    /// Time in microseconds by which a picture may be late and still count: containers round times, Matroska to a millisecond.
    ///
    /// Without it, a third of the pictures of such a file miss their moment at about the file's own rate.
    private static let toleranceMicroseconds = 1000

    /// Creates the choice of a live source's pictures at a maximum rate; `nil` takes all.
    package init(pace rate: FrameRate?) { self = rate.map { .pace($0) } ?? .all }

    /// Time between two pictures of a live source, beyond that of the source.
    var interval: Duration { if case .pace(let rate) = self { rate.frameDuration } else { .zero } }

    /// Filters of `ffmpeg` that make the choice.
    var filters: [String] {
        switch self {
        case .all: return []
        case .pace(let rate):
            // The clock of the machine, since a camera's own may jump. Register 0 has the time from which the next one is taken.
            let interval = "\(rate.seconds)/\(rate.frames)"
            let due = "if(ld(0),max(ld(0),time(0)-\(interval)),time(0))"
            return ["select='if(gte(time(0),ld(0)),1+0*st(0,\(due)+\(interval)),0)'"]
        case .moments(let rate):
            // By default, `fps` gives the nearest picture, which may appear up to half an interval later.
            return ["settb=AVTB", "setpts=PTS-STARTPTS-\(Self.toleranceMicroseconds)", "fps=\(rate):round=up"]
        }
    }
}
