/// Number of scans in a JPEG, and where they end.
struct JPEGScans {
    /// Number of scans that begin before the end.
    private(set) var count = 1
    /// End of the picture: after its end marker, before another picture, or at the end of the data.
    private(set) var end = 0

    /// Follows the markers of `bytes` from the first scan's data at `start`.
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

    /// End of a file that has no end marker, without trailing padding.
    ///
    /// Some cameras send their whole buffer, of which the picture fills a part. Zeros are also codes of coefficients,
    /// so the rest of a truncated picture would be decoded from them unnoticed. The last byte of a scan is padded with
    /// ones, so a scan rarely ends with a zero.
    private static func endOfData(in bytes: PeerBytes) -> Int {
        guard let last = bytes[bytes.count - 1] else { return bytes.count }
        var end = bytes.count
        while end > 0, bytes[end - 1] == last { end -= 1 }
        if bytes.count - end < Self.minFilling { return bytes.count }
        // After an FF it is a data byte.
        return bytes[end - 1] == 0xFF && last == JPEGMarker.stuffing ? end + 1 : end
    }

    /// Minimum number of equal bytes that count as padding.
    private static let minFilling = 8
}
