internal import ImageCodecs
internal import TextModel

/// A reader of the rows of an ``UprightPart`` from top to bottom, each contiguous in memory.
///
/// Rows that are not contiguous are copied a strip at a time: a row of a frame that lies on its side takes a pixel from each
/// row of memory, and their neighbours, fetched into the cache with them, make up the next rows of the strip.
struct UprightRows: ~Copyable {
    /// Minimum height of a strip: the BGRA pixels of a cache line of 64 bytes.
    private static let stripHeight = 16

    /// Pooled buffer of the strip.
    private var strip = ScratchBuffer<UInt8>()
    /// The rows that the strip holds.
    private var heldRows = 0..<0

    /// Restarts with another part.
    mutating func rewind() { self.heldRows = 0..<0 }

    /// Makes `rows` ready for reading; they begin no higher than those that were held before.
    mutating func hold(_ rows: Range<Int>, of part: UprightPart) {
        guard part.contiguousRow(rows.lowerBound) == nil, rows.upperBound > self.heldRows.upperBound else { return }
        let end = min(rows.lowerBound + max(Self.stripHeight, 2 * rows.count), part.height)
        self.heldRows = rows.lowerBound..<end
        self.strip.reserve(self.heldRows.count * part.width * part.format.bytesPerPixel)
        part.copy(self.heldRows, to: self.strip.base)
    }

    /// Returns the pixels of a row that is held, valid until other rows are.
    func row(_ y: Int, of part: UprightPart) -> UnsafePointer<UInt8> {
        if let row = part.contiguousRow(y) { return row.assumingMemoryBound(to: UInt8.self) }
        let bytesPerRow = part.width * part.format.bytesPerPixel
        return UnsafePointer(self.strip.base + (y - self.heldRows.lowerBound) * bytesPerRow)
    }
}
