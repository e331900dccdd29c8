/// JPEG split into parts, to be put together differently than by encoders.
struct JPEGFile {
    /// Bytes before the start marker.
    var lead: [UInt8] = []
    /// Bytes between the start marker and the first segment.
    var afterStart: [UInt8] = []
    /// Segments with their markers, from the first to the one that begins the first scan.
    var segments: [[UInt8]] = []
    /// The rest, up to the end marker.
    var scan: [UInt8] = []
    var end: [UInt8] = [0xFF, 0xD9]

    /// Splits a whole, regular file.
    init(_ file: [UInt8]) {
        var offset = 2
        while self.segments.last?[1] != 0xDA {
            let length = 2 + Int(file[offset + 2]) << 8 + Int(file[offset + 3])
            self.segments.append([UInt8](file[offset..<offset + length]))
            offset += length
        }
        self.scan = [UInt8](file[offset..<file.count - 2])
    }

    var bytes: [UInt8] {
        self.lead + [0xFF, 0xD8] + self.afterStart + self.segments.flatMap(\.self) + self.scan + self.end
    }

    /// Creates a segment.
    static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
    }

    /// Offsets of restart markers in the scan.
    var restarts: [Int] {
        self.scan.indices.dropLast().filter { self.scan[$0] == 0xFF && (0xD0...0xD7).contains(self.scan[$0 + 1]) }
    }

    /// The same with `bytes` before each segment.
    func with(beforeEachSegment bytes: [UInt8]) -> JPEGFile {
        var file = self
        file.segments = self.segments.map { bytes + $0 }
        return file
    }

    /// The same with `bytes` before each restart marker.
    func with(beforeEachRestart bytes: [UInt8]) -> JPEGFile {
        var file = self
        for place in self.restarts.reversed() { file.scan.insert(contentsOf: bytes, at: place) }
        return file
    }

    /// The same with `segment` before the first one.
    func with(firstSegment segment: [UInt8]) -> JPEGFile {
        var file = self
        file.segments.insert(segment, at: 0)
        return file
    }

    /// The same with `end` instead of the end marker.
    func with(end: [UInt8]) -> JPEGFile {
        var file = self
        file.end = end
        return file
    }

    /// The same without the segments of a kind.
    func without(_ marker: UInt8) -> JPEGFile {
        var file = self
        file.segments.removeAll { $0[1] == marker }
        return file
    }

    /// The same with the scan cut off after `count` of its bytes.
    func cut(after count: Int) -> JPEGFile {
        var file = self
        file.scan.removeSubrange(count...)
        return file
    }
}
