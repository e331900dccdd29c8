internal import Foundation

/// The machine's processor, by what `/proc/cpuinfo` says.
package struct Processor: Sendable {
    /// This machine's.
    package static let current = Processor((try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? "")

    /// The form of a network that the processor runs fastest.
    package let variant: ModelVariant
    /// The name that its maker gives it, if it has one.
    package let name: String?
    /// Model and instruction sets, as a text that differs where another processor may need another compiled network.
    let description: String

    /// The fields that say what a processor is; others say what it does at the moment.
    private static let identifying: Set<Substring> = [
        "vendor_id", "cpu family", "model", "model name", "stepping", "flags", "CPU implementer", "CPU architecture",
        "CPU variant", "CPU part", "CPU revision", "Features",
    ]

    /// The processor that `facts`, the contents of `/proc/cpuinfo`, describe first.
    init(_ facts: String) {
        let lines = facts.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
        let fields = lines.compactMap { line -> (name: Substring, value: Substring)? in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let end = parts[0].lastIndex(where: { !$0.isWhitespace }) else { return nil }
            return (parts[0][...end], parts[1])
        }
        self.description = fields.filter { Self.identifying.contains($0.name) }.map { "\($0.name):\($0.value)" }
            .joined(separator: "\n")
        self.name = fields.first { $0.name == "model name" }?.value.trimmingCharacters(in: .whitespaces)
        let flags = Set((fields.first { $0.name == "flags" }?.value ?? "").split(separator: " "))
        if !flags.isDisjoint(with: ["avx512_vnni", "avx_vnni"]) {
            self.variant = .int8VNNI
        } else {
            self.variant = flags.contains("avx2") ? .int8AVX2 : .float32
        }
    }
}
