#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Bytes from an untrusted source with bounds-checked access: reads outside return `nil` and never trap.
@safe
struct PeerBytes {
    private let bytes: UnsafeRawBufferPointer

    /// Creates a view of `bytes`, which must outlive it.
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = bytes
    }

    var count: Int { unsafe self.bytes.count }

    /// The byte at `offset`.
    subscript(offset: Int) -> UInt8? {
        guard offset >= 0, offset < self.count else { return nil }
        return unsafe self.bytes[offset]
    }

    /// The bytes of `range`.
    subscript(range: Range<Int>) -> PeerBytes? {
        guard range.lowerBound >= 0, range.upperBound <= self.count else { return nil }
        return unsafe PeerBytes(UnsafeRawBufferPointer(rebasing: self.bytes[range]))
    }

    /// Unsigned number of `Number`'s size at `offset`, in network byte order by default.
    func number<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ type: Number.Type,
        at offset: Int,
        littleEndian: Bool = false
    ) -> Number? {
        guard offset >= 0, offset <= self.count - MemoryLayout<Number>.size else { return nil }
        let stored = unsafe self.bytes.loadUnaligned(fromByteOffset: offset, as: Number.self)
        return littleEndian ? Number(littleEndian: stored) : Number(bigEndian: stored)
    }

    /// Offset of the first `byte` from `offset` on.
    func firstIndex(of byte: UInt8, from offset: Int) -> Int? {
        guard offset >= 0, offset < self.count, let base = unsafe self.bytes.baseAddress else { return nil }
        guard let place = unsafe memchr(base + offset, Int32(byte), self.count - offset) else { return nil }
        return unsafe UnsafeRawPointer(place) - base
    }

    /// Whether the characters of `text` are at `offset`.
    func has(_ text: StaticString, at offset: Int = 0) -> Bool {
        guard offset >= 0, offset <= self.count - text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount
        where unsafe self.bytes[offset + index] != text.utf8Start[index] {
            return false
        }
        return true
    }
}

extension PeerBytes {
    /// Maximum number of bytes before a JPEG's start marker: enough for a header in a multipart HTTP response.
    private static let maxLeadingBytes = 1024

    /// Offset of a JPEG's start marker; `nil` if the bytes do not begin like a JPEG.
    ///
    /// After leading bytes it counts only if another marker follows it directly and the file is of no other format.
    var jpegStart: Int? {
        if self.number(UInt16.self, at: 0) == 0xFFD8 { return 0 }
        guard PictureFormat(of: self) == nil, ForeignFormat(signatureOf: self) == nil else { return nil }
        var offset = 0
        while let place = self.firstIndex(of: 0xFF, from: offset), place <= Self.maxLeadingBytes {
            if self[place + 1] == JPEGMarker.startOfImage, self[place + 2] == 0xFF { return place }
            offset = place + 1
        }
        return nil
    }
}
