#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Processor cores that this process may use.
package enum SystemCores {
    /// Number of cores: those that it may run on, at most the quota of each of its control groups.
    ///
    /// Found once: files are read for it, and the help text of each limit needs it.
    package static let count: Int = Self.count(
        online: sysconf(Int32(_SC_NPROCESSORS_ONLN)),
        status: ControlGroups.text(of: "/proc/self/status") ?? "",
        groups: ControlGroups.ofThisProcess,
        text: ControlGroups.text(of:)
    )

    /// Number of cores that a process may use.
    ///
    /// - Parameters:
    ///   - online: The number of cores of the machine.
    ///   - status: The text of `/proc/self/status`, with the cores of its processor affinity, which includes its cpusets.
    ///   - groups: The text of `/proc/self/cgroup`; see ``ControlGroups``.
    ///   - text: Reads a file of the control groups, `nil` where there is none.
    /// - Returns: At least 1.
    static func count(online: Int, status: String, groups: String, text: (String) -> String?) -> Int {
        let quotas = ControlGroups.folders(of: "cpu", groups: groups).compactMap { folder -> Int? in
            if folder.version == .v2 { return text("\(folder.path)/cpu.max").flatMap(Self.cores) }
            let times = ["quota", "period"].compactMap { text("\(folder.path)/cpu.cfs_\($0)_us") }
            return Self.cores(times.joined(separator: " "))
        }
        let limits = quotas + [Self.affinity(in: status)].compactMap(\.self)
        return max(limits.reduce(online, min), 1)
    }

    /// Cores of a quota: the microseconds of processor time, and of the period in which they may be used.
    ///
    /// "max", and in the older interface -1, is no quota. A part of a core counts as a whole one.
    private static func cores(_ quota: String) -> Int? {
        let times = quota.split(whereSeparator: \.isWhitespace).map { Int($0) ?? 0 }
        guard times.count == 2, times[0] > 0, times[1] > 0 else { return nil }
        return (times[0] - 1) / times[1] + 1
    }

    /// Number of cores in the list of those on which a process may run, such as `0-3,8`.
    private static func affinity(in status: String) -> Int? {
        let name = "Cpus_allowed_list:"
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return nil }
        let ranges = line.dropFirst(name.count).split(separator: ",").map { range in
            range.split(separator: "-").map { Int($0.filter { !$0.isWhitespace }) ?? -1 }
        }
        let counts = ranges.compactMap { ends -> Int? in
            guard let first = ends.first, let last = ends.last, first >= 0, last >= first else { return nil }
            return last - first + 1
        }
        return counts.isEmpty ? nil : counts.reduce(0, +)
    }
}
