import Foundation

/// Processor of the machine that runs the tests.
package enum Processor {
    /// Whether networks run on vector neural network instructions.
    ///
    /// Without them the networks have other integers (`ModelVariant`), and a few faint readings differ.
    package static let hasVNNI =
        (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.contains("vnni") ?? false
}
