internal import Foundation

/// Control groups of a process, which limit what it may use.
enum ControlGroups {
    /// Version of the interface to a group's limits, which differ in names and in values.
    enum Version {
        case v1
        case v2
    }

    /// Folders with the limits of a controller, for the groups of a process and all their ancestors.
    ///
    /// - Parameters:
    ///   - controller: The name of the controller, such as `memory`.
    ///   - groups: The text of `/proc/self/cgroup`: a line for each hierarchy, with its number, its controllers and a
    ///     path.
    /// - Returns: The folders from the root, which is a container's own, to the group, of each hierarchy.
    static func folders(of controller: String, groups: String) -> [(path: String, version: Version)] {
        groups.split(separator: "\n").flatMap { line -> [(path: String, version: Version)] in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return [] }
            if fields[1].isEmpty { return Self.folders(under: "/sys/fs/cgroup", fields[2]).map { ($0, .v2) } }
            guard fields[1].split(separator: ",").contains(controller[...]) else { return [] }
            return Self.folders(under: "/sys/fs/cgroup/\(controller)", fields[2]).map { ($0, .v1) }
        }
    }

    /// The text of `/proc/self/cgroup`; empty where there is none.
    static var ofThisProcess: String { Self.text(of: "/proc/self/cgroup") ?? "" }

    /// The text of a file of the system; `nil` where there is none.
    static func text(of path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    private static func folders(under root: String, _ path: Substring) -> [String] {
        path.split(separator: "/").reduce(into: [root]) { folders, name in
            folders.append("\(folders[folders.count - 1])/\(name)")
        }
    }
}
