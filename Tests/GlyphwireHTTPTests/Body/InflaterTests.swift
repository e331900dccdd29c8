import ImageCodecs
import Testing

/// Compressed data.
@Suite struct InflaterTests {
    /// Typical data for compression: letters with and without repetitions.
    private static let bytes = (0..<200_000).map {
        UInt8(truncatingIfNeeded: $0 % 7 == 0 ? $0 &* $0 >> 3 : 65 + $0 % 9)
    }

    @Test(arguments: [
        (ZlibPacker.Wrapping.gzip, Inflater.Wrapping.gzip), (.zlib, .zlib), (.bare, .zlib),
    ])
    func whatOthersPackIsUnpacked(packing: ZlibPacker.Wrapping, wrapping: Inflater.Wrapping) throws {
        for bytes in [Self.bytes, [], [7]] {
            let packed = ZlibPacker.pack(bytes, packing)
            #expect(try Inflater.unpack(packed, wrapping: wrapping, limit: bytes.count) == bytes)
            // A last block of zeros, as tapes have.
            #expect(try Inflater.unpack(packed + [0, 0, 0], wrapping: wrapping, limit: bytes.count) == bytes)
        }
    }

    @Test func severalFilesInARowAreOne() throws {
        let packed = ZlibPacker.pack([1, 2], .gzip) + ZlibPacker.pack([], .gzip) + ZlibPacker.pack([3], .gzip)
        #expect(try Inflater.unpack(packed, wrapping: .gzip, limit: 3) == [1, 2, 3])
        let two = ZlibPacker.pack([1, 2], .zlib) + ZlibPacker.pack([3], .zlib)
        #expect(throws: Inflater.Failure.damaged("something else follows its end")) {
            try Inflater.unpack(two, wrapping: .zlib, limit: 3)
        }
    }

    @Test func whatIsCutOffOrDamagedIsRefused() {
        let packed = ZlibPacker.pack(Array(Self.bytes.prefix(500)), .gzip)
        for end in packed.indices {
            #expect(throws: Inflater.Failure.cutOff) {
                try Inflater.unpack(Array(packed[..<end]), wrapping: .gzip, limit: 500)
            }
        }
        for index in packed.indices.suffix(8) {
            // The checksum and the length at the end.
            var damaged = packed
            damaged[index] ^= 1
            #expect(throws: Inflater.Failure.self) { try Inflater.unpack(damaged, wrapping: .gzip, limit: 500) }
        }
        #expect(throws: Inflater.Failure.damaged("incorrect header check")) {
            try Inflater.unpack(Array("{\"requests\":[]}".utf8), wrapping: .gzip, limit: 500)
        }
    }

    @Test func memoryIsAskedForInStepsAndNeverPastTheLimit() {
        // A thousandth of its decompressed size.
        let bomb = ZlibPacker.pack([UInt8](repeating: 0, count: 50 << 20), .gzip)
        #expect(bomb.count < 60_000)
        var held = 0
        #expect(throws: Inflater.Failure.tooLarge) {
            try Inflater.unpack(bomb, wrapping: .gzip, limit: 1 << 20) { byteCount in
                held += byteCount
                return true
            }
        }
        #expect(held <= 1 << 20)
        held = 0
        #expect(throws: Inflater.Failure.noMemory) {
            try Inflater.unpack(bomb, wrapping: .gzip, limit: 50 << 20) { byteCount in
                held += byteCount
                return held < 100_000
            }
        }
        #expect(held < 200_000)
    }
}
