internal import Foundation

/// What the machine's processor can do.
enum Processor {
    /// Whether it sums up products of bytes in one instruction, so that networks run faster in bytes than otherwise.
    ///
    /// On x86-64 these are the vector neural network instructions, which have had 512 bits since 2019 and 256 since 2021.
    /// Those before them lose what does not fit into 16 bits on the way. On arm64 it has not been measured.
    static let isFasterInBytes = Self.isFasterInBytes(
        (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    )

    /// The same by what `/proc/cpuinfo` says.
    static func isFasterInBytes(_ facts: String) -> Bool {
        let flags = facts.split(separator: "\n").first { $0.hasPrefix("flags") } ?? ""
        return flags.split(separator: " ").contains { ["avx512_vnni", "avx_vnni"].contains($0) }
    }
}
