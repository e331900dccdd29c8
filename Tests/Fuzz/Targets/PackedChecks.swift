internal import ImageCodecs

/// Bytes decompress within the limit, with memory requested for all of them, or are rejected.
func checkPacked(_ bytes: [UInt8]) throws(FuzzFinding) {
    var input = FuzzBytes(bytes)
    let wrapping: Inflater.Wrapping = input.bool() ? .gzip : .zlib
    let packed = input.remaining()
    let limit = 1 << 20
    var held = 0
    let unpacked: [UInt8]?
    do throws(Inflater.Failure) {
        unpacked = try Inflater.unpack(packed, wrapping: wrapping, limit: limit) { byteCount in
            held += byteCount
            return true
        }
    } catch {
        unpacked = nil
    }
    try require(held <= limit, "\(held) bytes were asked for")
    try require(unpacked.map { $0.count == held } ?? true, "\(unpacked?.count ?? 0) of \(held) bytes")
}
