/// TIFF structure under construction, of any order of bytes and width of offsets.
struct CraftedTIFF {
    /// Entry of one value.
    enum Entry {
        case short(_ tag: Int, _ value: Int)
        case rational(_ tag: Int, _ numerator: Int, _ denominator: Int)
    }

    var isLittleEndian = true
    /// Whether it is a BigTIFF.
    var isBig = false
    var directories: [[Entry]]
    /// Where the directory behind the last one is; 0 says that there is none.
    var end = 0

    private var offsetByteCount: Int { self.isBig ? 8 : 4 }
    private var countByteCount: Int { self.isBig ? 8 : 2 }

    /// Where the first directory begins.
    var start: Int { self.isBig ? 16 : 8 }

    var bytes: [UInt8] {
        var file = [UInt8]((self.isLittleEndian ? "II" : "MM").utf8) + self.number(self.isBig ? 43 : 42, 2)
        if self.isBig { file += self.number(8, 2) + self.number(0, 2) }
        file += self.number(self.start, self.offsetByteCount)
        for (index, entries) in self.directories.enumerated() {
            let isLast = index == self.directories.count - 1
            file += self.directory(entries, at: file.count, end: isLast ? self.end : nil)
        }
        return file
    }

    /// A directory, and behind it the values that have no room in its entries.
    private func directory(_ entries: [Entry], at place: Int, end: Int?) -> [UInt8] {
        let entryByteCount = 4 + 2 * self.offsetByteCount
        let byteCount = self.countByteCount + entries.count * entryByteCount + self.offsetByteCount
        var (directory, values) = (self.number(entries.count, self.countByteCount), [UInt8]())
        for entry in entries {
            let (tag, type, value) = self.parts(of: entry)
            directory += self.number(tag, 2) + self.number(type, 2) + self.number(1, self.offsetByteCount)
            if value.count > self.offsetByteCount {
                directory += self.number(place + byteCount + values.count, self.offsetByteCount)
                values += value
            } else {
                directory += value + [UInt8](repeating: 0, count: self.offsetByteCount - value.count)
            }
        }
        return directory + self.number(end ?? place + byteCount + values.count, self.offsetByteCount) + values
    }

    private func parts(of entry: Entry) -> (tag: Int, type: Int, value: [UInt8]) {
        switch entry {
        case .short(let tag, let value): return (tag, 3, self.number(value, 2))
        case .rational(let tag, let numerator, let denominator):
            return (tag, 5, self.number(numerator, 4) + self.number(denominator, 4))
        }
    }

    private func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return self.isLittleEndian ? bytes : bytes.reversed()
    }
}
