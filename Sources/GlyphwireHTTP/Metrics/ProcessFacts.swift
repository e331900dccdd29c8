internal import FoundationEssentials

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Facts of the system about this process; those that it does not report are 0.
struct ProcessFacts {
    let residentBytes: Int
    let virtualBytes: Int
    let processorSeconds: Double
    let openFiles: Int
    let maxFiles: Int
    /// The start of the process, in seconds since 1970.
    let startSeconds: Double

    /// The facts as they are now.
    init() {
        // The program's name may hold spaces: what follows its closing parenthesis begins with the third field of proc(5).
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

    /// Writes the facts, under the names that programs of all kinds use.
    func write(into text: inout PrometheusText) {
        text.write("process_resident_memory_bytes", kind: .gauge, help: "Memory of this process that is in RAM.") {
            $0.add(self.residentBytes)
        }
        text.write("process_virtual_memory_bytes", kind: .gauge, help: "Memory that this process has addresses for.") {
            $0.add(self.virtualBytes)
        }
        text.write("process_cpu_seconds_total", kind: .counter, help: "Processor time that this process has used.") {
            $0.add(self.processorSeconds)
        }
        text.write("process_open_fds", kind: .gauge, help: "File descriptors that are open.") { $0.add(self.openFiles) }
        text.write("process_max_fds", kind: .gauge, help: "File descriptors that may be open.") {
            $0.add(self.maxFiles)
        }
        text.write("process_start_time_seconds", kind: .gauge, help: "When this process was started, since 1970.") {
            $0.add(self.startSeconds)
        }
    }

    /// The number behind the words that begin a line.
    private static func number(after words: String, in path: String) -> Int {
        let line = Self.text(of: path).split(separator: "\n").first { $0.hasPrefix(words) }
        return line?.dropFirst(words.count).split(separator: " ").first.flatMap { Int($0) } ?? 0
    }

    private static func text(of path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
