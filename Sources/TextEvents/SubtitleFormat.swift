internal import GlyphwireProtocol
internal import NIOCore
internal import TextModel

/// Format of cues as text.
package enum SubtitleFormat: String, Sendable, CaseIterable {
    /// SubRip: numbered cues.
    case srt
    /// WebVTT.
    case vtt
    /// A table with the box of each text, separated by commas (RFC 4180).
    case csv

    /// Distance of starts, and of ends, within which texts form one cue: a frame at 24 frames a second.
    ///
    /// A detector may find one line of two a frame late.
    private static let toleranceMicroseconds: UInt64 = 50_000

    /// The cues as a document.
    package func document(_ cues: [Cue]) -> String {
        switch self {
        case .srt:
            Self.merged(cues).enumerated().map { index, cue in
                "\(index + 1)\n\(Self.clock(cue.start, ",")) --> \(Self.clock(cue.end, ","))\n\(cue.text)\n\n"
            }.joined()
        case .vtt:
            "WEBVTT\n\n"
                + Self.merged(cues).map { cue in
                    "\(Self.clock(cue.start, ".")) --> \(Self.clock(cue.end, "."))\n\(Self.escaped(cue.text))\n\n"
                }.joined()
        case .csv:
            "start,end,text,left,top,right,bottom\r\n"
                + cues.map { cue in
                    let fields = [Self.seconds(cue.start), Self.seconds(cue.end), cue.text.quotedForCSV]
                    return (fields + Self.edges(of: cue)).joined(separator: ",") + "\r\n"
                }.joined()
        }
    }

    /// Cues in which texts that come and go together are lines of one.
    static func merged(_ cues: [Cue]) -> [Cue] {
        var merged: [Cue] = []
        for cue in cues {
            let partner = merged.lastIndex { earlier in
                Self.isNear(earlier.start, cue.start) && Self.isNear(earlier.end, cue.end)
            }
            if let partner {
                merged[partner].text += "\n\(cue.text)"
            } else {
                merged.append(cue)
            }
        }
        return merged
    }

    /// The left, top, right and bottom edges of a cue's box: whole pixels, or fractions with the precision of results.
    private static func edges(of cue: Cue) -> [String] {
        let box = cue.box.bounds
        guard cue.coordinates == .vision else {
            return [box.left, box.top, box.right, box.bottom].map { "\(Int($0.rounded()))" }
        }
        // There y grows upwards, and bounds are named for one that grows downwards.
        return [box.left, box.bottom, box.right, box.top].map { edge in
            var buffer = ByteBuffer()
            buffer.writeJSON { $0.number(edge, precision: cue.coordinates.precision) }
            return String(buffer: buffer)
        }
    }

    private static func isNear(_ first: UInt64, _ second: UInt64) -> Bool {
        max(first, second) - min(first, second) <= Self.toleranceMicroseconds
    }

    private static func clock(_ microseconds: UInt64, _ separator: String) -> String {
        let milliseconds = (microseconds + 500) / 1000
        let seconds = milliseconds / 1000
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { "\($0)".zeroPadded(to: 2) }
        return parts.joined(separator: ":") + separator + "\(milliseconds % 1000)".zeroPadded(to: 3)
    }

    private static func seconds(_ microseconds: UInt64) -> String {
        let milliseconds = (microseconds + 500) / 1000
        return "\(milliseconds / 1000)." + "\(milliseconds % 1000)".zeroPadded(to: 3)
    }

    /// Text of a cue in WebVTT, in which three characters have a meaning.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
