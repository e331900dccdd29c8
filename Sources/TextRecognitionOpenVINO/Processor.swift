internal import Foundation

/// What the machine's processor can do.
enum Processor {
    /// How it sums up products of bytes.
    enum ByteSums {
        /// No faster than those of other numbers, as far as is known. On arm64 it has not been tried.
        case slow
        /// In three instructions, the first of which adds two products in 16 bits: AVX2.
        case in16Bits
        /// In one instruction that loses nothing: the vector neural network instructions of x86-64, which have had 512 bits
        /// since 2019 and 256 since 2021.
        case whole
    }

    /// How this machine's does.
    static let byteSums = Self.byteSums((try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? "")

    /// The same by what `/proc/cpuinfo` says.
    static func byteSums(_ facts: String) -> ByteSums {
        let line = facts.split(separator: "\n").first { $0.hasPrefix("flags") } ?? ""
        let flags = Set(line.split(separator: " "))
        if !flags.isDisjoint(with: ["avx512_vnni", "avx_vnni"]) { return .whole }
        return flags.contains("avx2") ? .in16Bits : .slow
    }
}
