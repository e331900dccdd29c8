internal import Glibc

/// What a recogniser says of a line: for each time step and class a number, whose exponential is to those of the step's other
/// classes as their probabilities are.
///
/// Networks hand out such numbers before they make probabilities of them. The latter takes them longer than it takes to find
/// the largest of a step, and most steps show the blank, whose probability nobody asks for.
struct Logits {
    /// Time steps of the whole input.
    let stepCount: Int
    /// Classes, the blank (0) among them; those of the alphabet behind them are as good as impossible.
    let classCount: Int
    /// The numbers, step by step.
    private let values: UnsafePointer<BFloat16>

    /// A class is as good as impossible beside one whose number is so much larger.
    private static let impossible: Float = 16

    /// The scores in `values`, of which there must be `stepCount` times `classCount`.
    init(_ values: UnsafePointer<BFloat16>, stepCount: Int, classCount: Int) {
        self.values = values
        self.stepCount = stepCount
        self.classCount = classCount
    }

    /// What a step shows.
    enum Shown: Equatable {
        /// A character.
        case character(Int)
        /// The blank, and the likeliest character where it is nearly as likely.
        case blank(nearMiss: Int?)
    }

    /// What a step shows, of the classes that are allowed; the blank always is.
    ///
    /// - Parameters:
    ///   - step: Which one.
    ///   - allowed: The classes; `nil` for all.
    ///   - nearMiss: The logarithm of the share of the blank's probability from which on a character is nearly as likely;
    ///     `nil` where none is.
    /// - Returns: The likeliest class, and with the blank the character that is nearly as likely.
    func shown(in step: Int, allowed: ClassMask?, nearMiss: Float? = nil) -> Shown {
        let row = self.row(step)
        let key = self.largestCharacterKey(row, allowed)
        let blank = row[Alphabet.blank]
        guard key <= Self.key(blank) else { return .character(self.character(key, row, allowed)) }
        guard let nearMiss, key >= Self.key(blank.float + nearMiss) else { return .blank(nearMiss: nil) }
        return .blank(nearMiss: self.character(key, row, allowed))
    }

    /// The probability of a class in a step.
    func probability(of label: Int, in step: Int) -> Float {
        let row = self.row(step)
        return 1 / Self.sum(row, count: self.classCount, beside: row[label].float)
    }

    /// The logarithm of a class's probability in a step as a share of another's.
    func logRatio(of label: Int, to other: Int, in step: Int) -> Float {
        self.row(step)[label].float - self.row(step)[other].float
    }

    /// The probabilities of these classes, step by step.
    func probabilities() -> [Float] {
        [Float](unsafeUninitializedCapacity: self.stepCount * self.classCount) { probabilities, count in
            for step in 0..<self.stepCount {
                let row = self.row(step)
                let largest = Self.number(Self.largestKey(row, count: self.classCount)).float
                let scale = 1 / Self.sum(row, count: self.classCount, beside: largest)
                for label in 0..<self.classCount {
                    probabilities[step * self.classCount + label] = expf(row[label].float - largest) * scale
                }
            }
            count = self.stepCount * self.classCount
        }
    }

    private func row(_ step: Int) -> UnsafePointer<BFloat16> { self.values + step * self.classCount }

    /// The key of the likeliest character of those that are allowed.
    private func largestCharacterKey(_ row: UnsafePointer<BFloat16>, _ allowed: ClassMask?) -> Int16 {
        guard let allowed else { return Self.largestKey(row + 1, count: self.classCount - 1) }
        return allowed.labels(below: self.classCount).reduce(.min) { max($0, Self.key(row[$1])) }
    }

    /// The first character with this key of those that are allowed.
    private func character(_ key: Int16, _ row: UnsafePointer<BFloat16>, _ allowed: ClassMask?) -> Int {
        guard let allowed else { return 1 + Self.first(key, row + 1, count: self.classCount - 1) }
        return allowed.labels(below: self.classCount).first { Self.key(row[$0]) == key } ?? Alphabet.blank
    }
}

extension Logits {
    /// Numbers that are looked at together before any of them is added.
    private static let block = 64

    /// A whole number that is larger for a larger number.
    @inline(__always)
    private static func key(_ number: BFloat16) -> Int16 { Self.flipped(Int16(bitPattern: number.bitPattern)) }

    /// The key of a number's first sixteen bits.
    private static func key(_ number: Float) -> Int16 {
        Self.key(BFloat16(bitPattern: UInt16(number.bitPattern >> 16)))
    }

    /// The number that has this key.
    private static func number(_ key: Int16) -> BFloat16 { BFloat16(bitPattern: UInt16(bitPattern: Self.flipped(key))) }

    /// The other bits turned round where the sign is set; twice, they are as before.
    @inline(__always)
    private static func flipped(_ bits: Int16) -> Int16 { bits ^ (bits &>> 15 & .max) }

    /// The key of the largest number.
    @inline(__always)
    private static func largestKey(_ row: UnsafePointer<BFloat16>, count: Int) -> Int16 {
        // Plain as it is, the compiler makes this eight numbers at a time.
        var largest = Int16.min
        for label in 0..<count {
            let key = Self.key(row[label])
            largest = key > largest ? key : largest
        }
        return largest
    }

    /// The first class whose number has this key.
    private static func first(_ key: Int16, _ row: UnsafePointer<BFloat16>, count: Int) -> Int {
        var label = 0
        while label < count - 1, Self.key(row[label]) != key { label += 1 }
        return label
    }

    /// The exponentials of all numbers less `number`, added up.
    private static func sum(_ row: UnsafePointer<BFloat16>, count: Int, beside number: Float) -> Float {
        let least = Self.key(number - Self.impossible)
        var sum: Float = 0
        for start in stride(from: 0, to: count, by: Self.block) {
            let length = min(Self.block, count - start)
            guard Self.largestKey(row + start, count: length) >= least else { continue }
            for label in start..<start + length where Self.key(row[label]) >= least {
                sum += expf(row[label].float - number)
            }
        }
        return sum
    }
}
