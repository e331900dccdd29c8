internal import FoundationEssentials
internal import GlyphwireServer

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Process information from the system; unavailable values are 0.
struct ProcessFacts {
    let residentBytes: Int
    let virtualBytes: Int
    let processorSeconds: Double
    let openFiles: Int
    let maxFiles: Int
    /// Start of the process, in seconds since 1970.
    let startSeconds: Double

    /// Reads the current values.
    init() {
        // The program's name may contain spaces: after its closing parenthesis comes the third field of proc(5).
        let fields = Self.text(of: "/proc/self/stat").split(separator: ")").last?.split(separator: " ") ?? []
        func field(_ number: Int) -> Int { fields.dropFirst(number - 3).first.flatMap { Int($0) } ?? 0 }
        let ticks = Double(max(sysconf(Int32(_SC_CLK_TCK)), 1))
        self.processorSeconds = Double(field(14) + field(15)) / ticks
        self.startSeconds = Double(Self.number(after: "btime", in: "/proc/stat")) + Double(field(22)) / ticks
        self.virtualBytes = field(23)
        self.residentBytes = field(24) * sysconf(Int32(_SC_PAGESIZE))
        self.openFiles = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        self.maxFiles = Self.number(after: "Max open files", in: "/proc/self/limits")
    }

    /// Writes the values under the conventional metric names.
    func write(into text: inout PrometheusText) {
        text.write(.residentMemory) { $0.add(self.residentBytes) }
        text.write(.virtualMemory) { $0.add(self.virtualBytes) }
        text.write(.processorTime) { $0.add(self.processorSeconds) }
        text.write(.openFiles) { $0.add(self.openFiles) }
        text.write(.maxFiles) { $0.add(self.maxFiles) }
        text.write(.startTime) { $0.add(self.startSeconds) }
    }

    /// The number after the words at the start of a line.
    private static func number(after words: String, in path: String) -> Int {
        let line = Self.text(of: path).split(separator: "\n").first { $0.hasPrefix(words) }
        return line?.dropFirst(words.count).split(separator: " ").first.flatMap { Int($0) } ?? 0
    }

    private static func text(of path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
