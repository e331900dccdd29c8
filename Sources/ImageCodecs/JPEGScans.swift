/// Where the scans of a JPEG end, and how many there are.
struct JPEGScans {
    /// How many begin before the end.
    private(set) var count = 1
    /// Where the picture ends: behind its end marker, in front of another picture, or where no more data is.
    private(set) var end = 0

    /// Follows the markers of `bytes`, in which the data of the first scan begins at `start`.
    init(of bytes: PeerBytes, from start: Int) {
        var offset = start
        while let place = bytes.firstIndex(of: 0xFF, from: offset), let marker = bytes[place + 1] {
            switch marker {
            case JPEGMarker.endOfImage:
                self.end = place + 2
                return
            case JPEGMarker.startOfImage:
                self.end = place
                return
            case 0xFF:
                offset = place + 1
            case JPEGMarker.stuffing, JPEGMarker.temporary, JPEGMarker.restarts:
                offset = place + 2
            default:
                self.count += marker == JPEGMarker.startOfScan ? 1 : 0
                offset = place + 2 + Int(bytes.number(UInt16.self, at: place + 2) ?? 0)
            }
        }
        self.end = max(start, Self.endOfData(in: bytes))
    }

    /// Where a file without an end marker ends, without the filling behind it.
    ///
    /// A camera hands out its whole buffer, of which the picture takes a part. Zeros are codes of coefficients, too: the
    /// rest of a picture that is cut off would be made of them, and nobody would know. The last byte of a scan is filled up
    /// with ones, so zeros end it only by a chance of one in many.
    private static func endOfData(in bytes: PeerBytes) -> Int {
        guard let last = bytes[bytes.count - 1] else { return bytes.count }
        var end = bytes.count
        while end > 0, bytes[end - 1] == last { end -= 1 }
        if bytes.count - end < Self.leastFilling { return bytes.count }
        // What follows an FF makes it a byte of data.
        return bytes[end - 1] == 0xFF && last == JPEGMarker.stuffing ? end + 1 : end
    }

    /// How many equal bytes are taken for filling.
    private static let leastFilling = 8
}
