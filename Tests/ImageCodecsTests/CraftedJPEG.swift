/// JPEG that is gray all over, of any form, with codes of one bit.
struct CraftedJPEG {
    var width: Int
    var height: Int
    /// Marker of the frame: baseline by default.
    var frame: UInt8 = 0xC0
    /// Sampling factors of each component.
    var sampling: [UInt8] = [0x11, 0x11, 0x11]
    /// Whether one scan has all components, and not each its own.
    var isInterleaved = true
    /// Segments in front of the frame.
    var segments: [[UInt8]] = []

    var file: [UInt8] {
        let all = Array(self.sampling.indices)
        let scans = self.isInterleaved ? [all] : all.map { [$0] }
        var parts: [[UInt8]] = [[0xFF, 0xD8]]
        parts += self.segments
        parts += self.header
        parts += scans.map { self.scan(of: $0) }
        parts.append([0xFF, 0xD9])
        return parts.flatMap(\.self)
    }

    /// The quantization table, the frame, and Huffman tables whose only code is that of no coefficient.
    private var header: [[UInt8]] {
        let sizes = [self.height >> 8, self.height & 0xFF, self.width >> 8, self.width & 0xFF].map { UInt8($0) }
        let components = self.sampling.enumerated().flatMap { index, factors -> [UInt8] in
            [UInt8(index + 1), factors, 0]
        }
        let code: [UInt8] = [1] + [UInt8](repeating: 0, count: 16)
        return [
            JPEGFile.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64)),
            JPEGFile.segment(self.frame, [8] + sizes + [UInt8(self.sampling.count)] + components),
            JPEGFile.segment(0xC4, [0x00] + code),
            JPEGFile.segment(0xC4, [0x10] + code),
        ]
    }

    private func scan(of components: [Int]) -> [UInt8] {
        let ids = components.flatMap { index -> [UInt8] in [UInt8(index + 1), 0] }
        // Two bits for each block, and ones up to the end of the byte.
        let bits = 2 * self.blockCount(of: components)
        var data = [UInt8](repeating: 0, count: bits / 8)
        if bits % 8 > 0 { data.append(0xFF >> UInt8(bits % 8)) }
        return JPEGFile.segment(0xDA, [UInt8(components.count)] + ids + [0, 63, 0]) + data
    }

    /// Blocks in a scan: whole rows and columns of the largest unit if it is interleaved, else those of the component.
    private func blockCount(of components: [Int]) -> Int {
        let widest = self.sampling.map { Int($0 >> 4) }.max() ?? 1
        let tallest = self.sampling.map { Int($0 & 0xF) }.max() ?? 1
        func units(_ horizontal: Int, _ vertical: Int) -> Int {
            let columns = (self.width * horizontal + 8 * widest - 1) / (8 * widest)
            return columns * ((self.height * vertical + 8 * tallest - 1) / (8 * tallest))
        }
        guard components.count > 1 else {
            let factors = self.sampling[components[0]]
            return units(Int(factors >> 4), Int(factors & 0xF))
        }
        return units(1, 1) * components.reduce(0) { $0 + Int(self.sampling[$1] >> 4) * Int(self.sampling[$1] & 0xF) }
    }
}
