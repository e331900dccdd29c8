internal import Foundation

/// Processor of the machine, from `/proc/cpuinfo`.
package struct Processor: Sendable {
    /// Processor of this machine.
    package static let current = Processor((try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? "")

    /// Fastest variant of networks on the processor.
    package let variant: ModelVariant
    /// Model name; `nil` if unknown.
    package let name: String?
    /// Model and instruction sets, as a key for compiled networks.
    let description: String

    /// Fields that identify a processor, unlike those of its current state.
    private static let identifying: Set<Substring> = [
        "vendor_id", "cpu family", "model", "model name", "stepping", "flags", "CPU implementer", "CPU architecture",
        "CPU variant", "CPU part", "CPU revision", "Features",
    ]

    /// Parses the first processor in `facts`, the contents of `/proc/cpuinfo`.
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
