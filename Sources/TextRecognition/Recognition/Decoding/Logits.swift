internal import Glibc

/// Logits of a line: one unnormalised log-probability for each time step and class.
///
/// The decoder works on logits because a softmax over thousands of classes costs more than finding each step's maximum, and
/// most steps emit the blank, whose probability nothing needs.
struct Logits {
    /// Time steps of the whole input.
    let stepCount: Int
    /// Classes, the blank (0) among them; later classes of the alphabet have probability 0.
    let classCount: Int
    /// Logits in row-major order: step, then class.
    private let values: UnsafePointer<BFloat16>

    private enum Tuning {
        /// Logit difference beyond which a term of the softmax is skipped: exp(-16) is 1e-7.
        static let negligible: Float = 16
        /// Classes whose maximum is compared before any exponential is computed; not measured alone.
        static let blockLength = 64
    }

    /// Creates a view of `stepCount` times `classCount` logits.
    init(_ values: UnsafePointer<BFloat16>, stepCount: Int, classCount: Int) {
        self.values = values
        self.stepCount = stepCount
        self.classCount = classCount
    }

    /// Emission of one time step.
    enum Emission: Equatable {
        /// A character is the most probable class.
        case character(Int)
        /// The blank is, followed by a near-miss character where one is nearly as probable.
        case blank(nearMiss: Int?)
    }

    /// Returns the most probable class of a step among those allowed; the blank always is.
    ///
    /// - Parameters:
    ///   - step: The time step.
    ///   - allowed: The classes that may be emitted; `nil` for all.
    ///   - nearMiss: Log-ratio to the blank from which a character is a near miss; `nil` to report none.
    /// - Returns: The character, or the blank with its near miss.
    func emission(at step: Int, allowed: ClassMask?, nearMiss: Float? = nil) -> Emission {
        let row = self.row(step)
        let key = self.largestCharacterKey(row, allowed)
        let blank = row[Alphabet.blank]
        guard key <= Self.key(blank) else { return .character(self.character(withKey: key, in: row, allowed: allowed)) }
        guard let nearMiss, key >= Self.key(blank.float + nearMiss) else { return .blank(nearMiss: nil) }
        return .blank(nearMiss: self.character(withKey: key, in: row, allowed: allowed))
    }

    /// Returns the logit of a class in a step.
    func logit(of label: Int, in step: Int) -> Float { self.row(step)[label].float }

    /// Returns the softmax probability of a class in a step.
    func probability(of label: Int, in step: Int) -> Float {
        let row = self.row(step)
        return 1 / Self.exponentialSum(row, count: self.classCount, relativeTo: row[label].float)
    }

    /// Returns the log-ratio of two classes' probabilities in a step.
    func logRatio(of label: Int, to other: Int, in step: Int) -> Float {
        self.row(step)[label].float - self.row(step)[other].float
    }

    /// Returns the softmax of all steps, row by row.
    ///
    /// Negligible classes all have the largest such probability: those that may be decoded can be among them in a step.
    func probabilities() -> [Float] {
        let least = expf(-Tuning.negligible)
        return [Float](unsafeUninitializedCapacity: self.stepCount * self.classCount) { probabilities, count in
            count = self.stepCount * self.classCount
            for step in 0..<self.stepCount {
                let (row, start) = (self.row(step), step * self.classCount)
                let largest = Self.number(Self.largestKey(row, count: self.classCount)).float
                let scale = 1 / Self.exponentialSum(row, count: self.classCount, relativeTo: largest)
                UnsafeMutableBufferPointer(rebasing: probabilities[start..<start + self.classCount])
                    .initialize(repeating: least * scale)
                Self.forEachExponential(of: row, count: self.classCount, relativeTo: largest) { label, exponential in
                    probabilities[start + label] = exponential * scale
                }
            }
        }
    }

    private func row(_ step: Int) -> UnsafePointer<BFloat16> { self.values + step * self.classCount }

    /// Returns the key of the most probable allowed character.
    private func largestCharacterKey(_ row: UnsafePointer<BFloat16>, _ allowed: ClassMask?) -> Int16 {
        guard let allowed else { return Self.largestKey(row + 1, count: self.classCount - 1) }
        return allowed.decodable(below: self.classCount).reduce(.min) { max($0, Self.key(row[$1])) }
    }

    /// Returns the first allowed character with a key.
    private func character(withKey key: Int16, in row: UnsafePointer<BFloat16>, allowed: ClassMask?) -> Int {
        guard let allowed else { return 1 + Self.firstIndex(of: key, in: row + 1, count: self.classCount - 1) }
        return allowed.decodable(below: self.classCount).first { Self.key(row[$0]) == key } ?? Alphabet.blank
    }
}

/// Ordered integer keys: comparing integers vectorises, and needs no conversion from bfloat16.
extension Logits {
    /// Returns an integer that orders as the number does.
    @inline(__always)
    private static func key(_ number: BFloat16) -> Int16 { Self.flipped(Int16(bitPattern: number.bitPattern)) }

    /// Returns the key of a number truncated to bfloat16.
    private static func key(_ number: Float) -> Int16 {
        Self.key(BFloat16(bitPattern: UInt16(number.bitPattern >> 16)))
    }

    /// Returns the number of a key.
    private static func number(_ key: Int16) -> BFloat16 { BFloat16(bitPattern: UInt16(bitPattern: Self.flipped(key))) }

    /// Inverts all bits but the sign where the sign is set; its own inverse.
    @inline(__always)
    private static func flipped(_ bits: Int16) -> Int16 { bits ^ (bits &>> 15 & .max) }

    /// Returns the largest key of a row.
    @inline(__always)
    private static func largestKey(_ row: UnsafePointer<BFloat16>, count: Int) -> Int16 {
        // The compiler vectorises this plain loop to eight numbers at a time.
        var largest = Int16.min
        for label in 0..<count {
            let key = Self.key(row[label])
            largest = key > largest ? key : largest
        }
        return largest
    }

    /// Returns the first class with a key; the last class where none has it.
    private static func firstIndex(of key: Int16, in row: UnsafePointer<BFloat16>, count: Int) -> Int {
        var label = 0
        while label < count - 1, Self.key(row[label]) != key { label += 1 }
        return label
    }

    /// Returns the sum of the exponentials of a row's logits less `number`.
    private static func exponentialSum(
        _ row: UnsafePointer<BFloat16>,
        count: Int,
        relativeTo number: Float
    ) -> Float {
        var sum: Float = 0
        Self.forEachExponential(of: row, count: count, relativeTo: number) { _, exponential in sum += exponential }
        return sum
    }

    /// Calls `body` with the exponential of each logit of a row less `number`, without those that are negligible.
    @inline(__always)
    private static func forEachExponential(
        of row: UnsafePointer<BFloat16>,
        count: Int,
        relativeTo number: Float,
        _ body: (_ label: Int, _ exponential: Float) -> Void
    ) {
        let least = Self.key(number - Tuning.negligible)
        // Most blocks hold negligible classes alone, and need a maximum but no exponential.
        for start in stride(from: 0, to: count, by: Tuning.blockLength) {
            let length = min(Tuning.blockLength, count - start)
            guard Self.largestKey(row + start, count: length) >= least else { continue }
            for label in start..<start + length where Self.key(row[label]) >= least {
                body(label, expf(row[label].float - number))
            }
        }
    }
}
