/// Bloom filter of words in Latin script, which `models/training/words.py` makes.
///
/// Words are in small letters without diacritics. One in 800 of other strings counts as a word too. Bloom, Space/Time Trade-offs
/// in Hash Coding with Allowable Errors (Communications of the ACM 13, 1970).
public struct WordFilter: Sendable {
    private enum Tuning {
        /// Bits of a word, as in `words.py`.
        static let hashCount: UInt64 = 10
    }

    /// Hash of a word, letter by letter: FNV-1a with 64 bits, by Fowler, Noll and Vo.
    struct Hash {
        fileprivate var value: UInt64 = 0xcbf2_9ce4_8422_2325

        /// Appends a byte of the word in UTF-8.
        mutating func append(_ byte: UInt8) { self.value = (self.value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    private let bytes: [UInt8]

    /// Creates a filter from the contents of its file, which are not empty.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether a word is in the filter.
    func contains(_ word: Hash) -> Bool {
        Self.bits(of: word, count: 8 * self.bytes.count).allSatisfy { self.bytes[$0 >> 3] >> UInt8($0 & 7) & 1 == 1 }
    }

    /// Returns the bits of a word in a filter with `count` bits, of which there is one at least.
    ///
    /// They are those of two hashes combined: Kirsch and Mitzenmacher, Less Hashing, Same Performance (2006).
    static func bits(of word: Hash, count: Int) -> some Sequence<Int> {
        let (first, step) = (word.value & 0xffff_ffff, word.value >> 32 | 1)
        return (0..<Tuning.hashCount).lazy.map { Int((first + $0 * step) % UInt64(count)) }
    }
}
