#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif
internal import Foundation

/// Memory available to this process.
package enum SystemMemory {
    /// Limit in bytes: the machine's memory, or the smallest limit of the process's control groups.
    package static let limit: Int = Self.limit(
        groups: ControlGroups.ofThisProcess,
        machine: sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)),
        text: ControlGroups.text(of:)
    )

    /// Smallest limit of the machine and the control groups.
    ///
    /// - Parameters:
    ///   - groups: The text of `/proc/self/cgroup`; see ``ControlGroups``.
    ///   - machine: The machine's memory in bytes.
    ///   - text: Reads a file of the control groups, `nil` where there is none.
    /// - Returns: Bytes.
    static func limit(groups: String, machine: Int, text: (String) -> String?) -> Int {
        let files = ControlGroups.folders(of: "memory", groups: groups).map { folder in
            "\(folder.path)/\(folder.version == .v2 ? "memory.max" : "memory.limit_in_bytes")"
        }
        // "max" is not a number; the older interface has one that exceeds every machine's memory instead.
        let limits = files.compactMap(text).compactMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        return limits.filter { $0 > 0 }.reduce(machine, min)
    }
}
