internal import TextModel

extension Orientation {
    /// Parses the orientation in a JPEG's EXIF block; `nil` if `segment` has no valid one.
    ///
    /// - Parameter segment: The payload of an APP1 segment, without its marker and length.
    init?(exif segment: PeerBytes) {
        guard segment.has("Exif\0"), let tiff = segment[min(6, segment.count)..<segment.count] else { return nil }
        self.init(tiff: tiff)
    }

    /// Parses the orientation in the first directory of a TIFF structure; `nil` if there is no valid one.
    ///
    /// Its offsets are untrusted. Only the one to the first directory is followed, and every read is checked. The cost
    /// is therefore at most one pass over the block: a directory that points at itself is not entered again.
    init?(tiff: PeerBytes) {
        let isLittleEndian: Bool
        if tiff.has("II*\0") {
            isLittleEndian = true
        } else if tiff.has("MM\0*") {
            isLittleEndian = false
        } else {
            return nil
        }
        func short(_ offset: Int) -> Int? {
            tiff.number(UInt16.self, at: offset, littleEndian: isLittleEndian).map(Int.init)
        }
        func long(_ offset: Int) -> Int? {
            tiff.number(UInt32.self, at: offset, littleEndian: isLittleEndian).map(Int.init)
        }
        guard let directory = long(4), let entryCount = short(directory) else { return nil }
        for index in 0..<entryCount {
            let entry = directory + 2 + index * EXIF.entryByteCount
            guard let tag = short(entry), let type = short(entry + 2), let count = long(entry + 4) else { return nil }
            guard tag == EXIF.orientationTag else { continue }
            let value =
                switch type {
                case EXIF.shortType: short(entry + 8)
                case EXIF.longType: long(entry + 8)
                default: Int?.none
                }
            guard count == 1, let value, let number = UInt8(exactly: value) else { return nil }
            self.init(rawValue: number)
            return
        }
        return nil
    }
}

/// Constants of the EXIF standard for finding the orientation tag.
private enum EXIF {
    static let orientationTag = 0x0112
    static let shortType = 3
    static let longType = 4
    static let entryByteCount = 12
}
