#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Bytes that somebody else wrote, read with every access checked: what lies outside is `nil`, never a trap.
@safe
struct PeerBytes {
    private let bytes: UnsafeRawBufferPointer

    /// A look at `bytes`, which must outlive it.
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

    /// The unsigned number of `Number`'s size at `offset`, in network byte order unless another is given.
    func number<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ type: Number.Type,
        at offset: Int,
        littleEndian: Bool = false
    ) -> Number? {
        guard offset >= 0, offset <= self.count - MemoryLayout<Number>.size else { return nil }
        let stored = unsafe self.bytes.loadUnaligned(fromByteOffset: offset, as: Number.self)
        return littleEndian ? Number(littleEndian: stored) : Number(bigEndian: stored)
    }

    /// Where `byte` stands first, from `offset` on.
    func firstIndex(of byte: UInt8, from offset: Int) -> Int? {
        guard offset >= 0, offset < self.count, let base = unsafe self.bytes.baseAddress else { return nil }
        guard let place = unsafe memchr(base + offset, Int32(byte), self.count - offset) else { return nil }
        return unsafe UnsafeRawPointer(place) - base
    }

    /// Whether the characters of `text` stand at `offset`.
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
    /// How far from the beginning a JPEG's start marker is looked for: the header of a part of an HTTP answer fits.
    private static let mostLeadingBytes = 1024

    /// Where the start marker of a JPEG stands, `nil` if the bytes begin as no JPEG does.
    ///
    /// Behind bytes that belong to nothing it counts if another marker follows it at once, and the file is of no other kind.
    var jpegStart: Int? {
        if self.number(UInt16.self, at: 0) == 0xFFD8 { return 0 }
        guard PictureFormat(of: self) == nil else { return nil }
        var offset = 0
        while let place = self.firstIndex(of: 0xFF, from: offset), place <= Self.mostLeadingBytes {
            if self[place + 1] == JPEGMarker.startOfImage, self[place + 2] == 0xFF { return place }
            offset = place + 1
        }
        return nil
    }
}
