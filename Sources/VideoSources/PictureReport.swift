/// Report of `ffmpeg` on a decoded picture: a line of its filter `showinfo`.
///
/// ```
/// [showinfo@pictures @ 0x55d0] [info] n:   1 pts:10000000 pts_time:10 fmt:yuv420p sar:1/1 s:640x360 i:P iskey:0 type:B
/// ```
struct PictureReport: Equatable {
    /// Filters that report the pictures, with their times in microseconds.
    static let filters = ["settb=AVTB", "\(Self.name)=checksum=0"]
    /// Name of the filter in the log.
    private static let name = "showinfo@pictures"
    /// Starts of the names of pixel formats with transparency.
    private static let transparentFormats = [
        "argb", "rgba", "abgr", "bgra", "ya", "yuva", "ayuv", "vuya", "uyva", "gbrap", "pal8",
    ]

    /// Time of the picture in microseconds; `nil` if it has none.
    let microseconds: Int?
    /// Width in pixels.
    let width: Int
    /// Number of rows.
    let height: Int
    /// Whether its pixels may be transparent.
    let mayBeTransparent: Bool

    /// Parses a line; `nil` if it is written in another way.
    init?(_ line: String) {
        guard Self.isReport(line), let time = Self.value(of: "pts", in: line),
            let format = Self.value(of: "fmt", in: line), let size = Self.value(of: "s", in: line)
        else { return nil }
        let sides = size.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2, sides[0] > 0, sides[1] > 0 else { return nil }
        self.microseconds = Int(time)
        (self.width, self.height) = (sides[0], sides[1])
        self.mayBeTransparent = Self.transparentFormats.contains { format.hasPrefix($0) }
    }

    /// Whether a line of the log is a report.
    static func isReport(_ line: String) -> Bool { line.hasPrefix("[\(Self.name) @ ") && line.contains(" pts:") }

    /// The value behind a name and a colon, in front of which there may be spaces.
    private static func value(of name: String, in line: String) -> Substring? {
        guard let start = line.firstRange(of: " \(name):")?.upperBound else { return nil }
        return line[start...].drop { $0 == " " }.prefix { $0 != " " }
    }
}
