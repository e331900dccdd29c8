/// QR code of a short text, by ISO/IEC 18004: byte mode, level L, versions 1 to 5, which have a single block.
struct QRCode {
    /// Capacities of a version in codewords.
    private struct Version {
        let number: Int
        let dataCount: Int
        let checkCount: Int

        /// ISO/IEC 18004, table 9, level L.
        static let all = [
            Version(number: 1, dataCount: 19, checkCount: 7), Version(number: 2, dataCount: 34, checkCount: 10),
            Version(number: 3, dataCount: 55, checkCount: 15), Version(number: 4, dataCount: 80, checkCount: 20),
            Version(number: 5, dataCount: 108, checkCount: 26),
        ]

        var side: Int { 17 + 4 * self.number }
    }

    /// Number of modules of a side.
    private(set) var side: Int
    /// Whether each module is dark, row by row.
    private var modules: [Bool]
    /// Whether each module belongs to a pattern that no mask changes.
    private var isFixed: [Bool]

    /// Encodes a text; `nil` for one of more than 106 bytes.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        // Four bits of mode and eight of length precede the bytes.
        guard let version = Version.all.first(where: { $0.dataCount >= bytes.count + 2 }) else { return nil }
        self.side = version.side
        self.modules = Array(repeating: false, count: version.side * version.side)
        self.isFixed = self.modules
        self.drawPatterns(version)
        self.place(Self.codewords(bytes, version))
        let masked = (0..<8).map { mask in
            var code = self
            code.apply(mask: mask)
            return code
        }
        guard let best = masked.min(by: { $0.penalty < $1.penalty }) else { return nil }
        self = best
    }

    /// Whether a module is dark; those outside are light.
    subscript(x: Int, y: Int) -> Bool {
        guard (0..<self.side).contains(x), (0..<self.side).contains(y) else { return false }
        return self.modules[y * self.side + x]
    }

    /// The code as lines of a terminal, two rows of modules in each, black on white with the margin that scanners need.
    var terminalLines: [String] {
        let margin = 4
        let span = -margin..<self.side + margin
        return stride(from: span.lowerBound, to: span.upperBound, by: 2).map { y in
            let row = span.map { x in
                switch (self[x, y], self[x, y + 1]) {
                case (false, false): " "
                case (true, false): "▀"
                case (false, true): "▄"
                case (true, true): "█"
                }
            }
            return "\u{1B}[38;5;16m\u{1B}[48;5;231m\(row.joined())\u{1B}[0m"
        }
    }
}

// MARK: Codewords

extension QRCode {
    /// Data and check codewords of a text in byte mode.
    private static func codewords(_ bytes: [UInt8], _ version: Version) -> [UInt8] {
        // The nibble 0100 is the mode, then come a length of 8 bits, the bytes and a terminator of four zeros.
        var nibbles: [UInt8] = [4, UInt8(bytes.count) >> 4, UInt8(bytes.count) & 15]
        nibbles += bytes.flatMap { [$0 >> 4, $0 & 15] } + [0]
        var data = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
        let padding: [UInt8] = [0xEC, 0x11]
        while data.count < version.dataCount { data.append(padding[(data.count - bytes.count) % 2]) }
        return data + self.remainder(of: data, count: version.checkCount)
    }

    /// Reed-Solomon check codewords over GF(256) with the polynomial x^8 + x^4 + x^3 + x^2 + 1.
    private static func remainder(of data: [UInt8], count: Int) -> [UInt8] {
        var generator: [UInt8] = Array(repeating: 0, count: count - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in 0..<count {
                generator[index] = self.product(generator[index], root)
                if index + 1 < count { generator[index] ^= generator[index + 1] }
            }
            root = self.product(root, 2)
        }
        return data.reduce(into: Array(repeating: 0, count: count)) { remainder, byte in
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in 0..<count { remainder[index] ^= self.product(generator[index], factor) }
        }
    }

    private static func product(_ first: UInt8, _ second: UInt8) -> UInt8 {
        (0..<8).reversed().reduce(0 as UInt8) { product, bit in
            let doubled = product << 1 ^ (product & 0x80 != 0 ? 0x1D : 0)
            return second >> UInt8(bit) & 1 == 1 ? doubled ^ first : doubled
        }
    }
}

// MARK: Modules

extension QRCode {
    private mutating func fix(_ x: Int, _ y: Int, isDark: Bool) {
        guard (0..<self.side).contains(x), (0..<self.side).contains(y) else { return }
        self.modules[y * self.side + x] = isDark
        self.isFixed[y * self.side + x] = true
    }

    /// Draws finders, timing and alignment patterns, and reserves the place of the format.
    private mutating func drawPatterns(_ version: Version) {
        for index in 0..<self.side {
            self.fix(6, index, isDark: index.isMultiple(of: 2))
            self.fix(index, 6, isDark: index.isMultiple(of: 2))
        }
        for (x, y) in [(3, 3), (self.side - 4, 3), (3, self.side - 4)] {
            self.drawSquares(x, y, radius: 4) { $0 != 2 && $0 != 4 }
        }
        if version.number > 1 { self.drawSquares(self.side - 7, self.side - 7, radius: 2) { $0 != 1 } }
        self.drawFormat(mask: 0)
    }

    /// Draws squares around a centre, each dark or light by its distance.
    private mutating func drawSquares(_ x: Int, _ y: Int, radius: Int, isDark: (Int) -> Bool) {
        for dy in -radius...radius {
            for dx in -radius...radius { self.fix(x + dx, y + dy, isDark: isDark(max(abs(dx), abs(dy)))) }
        }
    }

    /// Draws both copies of the level and the mask, with their BCH code.
    private mutating func drawFormat(mask: Int) {
        // Level L is 01.
        let data = 1 << 3 | mask
        let check = (0..<10).reduce(data) { remainder, _ in remainder << 1 ^ (remainder >> 9) * 0x537 }
        let bits = (data << 10 | check) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0..<6 { self.fix(8, index, isDark: bit(index)) }
        self.fix(8, 7, isDark: bit(6))
        self.fix(8, 8, isDark: bit(7))
        self.fix(7, 8, isDark: bit(8))
        for index in 9..<15 { self.fix(14 - index, 8, isDark: bit(index)) }
        for index in 0..<8 { self.fix(self.side - 1 - index, 8, isDark: bit(index)) }
        for index in 8..<15 { self.fix(8, self.side - 15 + index, isDark: bit(index)) }
        self.fix(8, self.side - 8, isDark: true)
    }

    /// Places codewords in columns of two modules, up and down in turn, from the right.
    private mutating func place(_ codewords: [UInt8]) {
        var index = 0
        // The column of the timing pattern is left out.
        let columns = stride(from: self.side - 1, to: 6, by: -2).map { $0 } + [5, 3, 1]
        for (number, right) in columns.enumerated() {
            for step in 0..<self.side {
                let y = number.isMultiple(of: 2) ? self.side - 1 - step : step
                for x in [right, right - 1] where !self.isFixed[y * self.side + x] {
                    if index < codewords.count * 8 {
                        self.modules[y * self.side + x] = codewords[index / 8] >> UInt8(7 - index % 8) & 1 == 1
                    }
                    index += 1
                }
            }
        }
    }

    /// Inverts the data by a mask, and notes it in the format.
    private mutating func apply(mask: Int) {
        for y in 0..<self.side {
            for x in 0..<self.side where !self.isFixed[y * self.side + x] && Self.isInverted(x, y, by: mask) {
                self.modules[y * self.side + x].toggle()
            }
        }
        self.drawFormat(mask: mask)
    }

    /// ISO/IEC 18004, table 10.
    private static func isInverted(_ x: Int, _ y: Int, by mask: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    /// How hard the code is to read: runs, blocks, what looks like a finder, and an uneven share of dark modules
    /// (ISO/IEC 18004, table 11).
    private var penalty: Int {
        let lines = (0..<self.side).flatMap { line in
            [(0..<self.side).map { self[$0, line] }, (0..<self.side).map { self[line, $0] }]
        }
        var sum = lines.reduce(0) { $0 + Self.penalty(ofLine: $1) }
        for y in 0..<self.side - 1 {
            for x in 0..<self.side - 1 {
                let count = [self[x, y], self[x + 1, y], self[x, y + 1], self[x + 1, y + 1]].count { $0 }
                if count == 0 || count == 4 { sum += 3 }
            }
        }
        let share = 100 * self.modules.count { $0 } / self.modules.count
        return sum + abs(share - 50) / 5 * 10
    }

    private static func penalty(ofLine line: [Bool]) -> Int {
        var (sum, run) = (0, 0)
        for index in line.indices {
            run = index > 0 && line[index] == line[index - 1] ? run + 1 : 1
            if run == 5 { sum += 3 } else if run > 5 { sum += 1 }
        }
        let finder = [true, false, true, true, true, false, true]
        let light = [Bool](repeating: false, count: 4)
        for start in 0..<max(0, line.count - 10) {
            let part = Array(line[start..<start + 11])
            if part == finder + light || part == light + finder { sum += 40 }
        }
        return sum
    }
}
