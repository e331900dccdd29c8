internal import ArgumentParser
internal import TextEvents

/// What `watch` prints.
enum WatchFormat: String, ExpressibleByArgument, CaseIterable {
    /// Events, one line of JSON for each.
    case events
    /// SubRip subtitles.
    case srt
    /// WebVTT subtitles.
    case vtt
    /// A table of texts with their times and boxes.
    case csv

    /// Format of cues; `nil` for events.
    var subtitles: SubtitleFormat? { SubtitleFormat(rawValue: self.rawValue) }
}
