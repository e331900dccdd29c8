internal import ArgumentParser
internal import TextModel

/// Check of the environment for variables that no setting has, such as misspelled ones.
enum EnvironmentCheck {
    private static let prefix = "GLYPHWIRE_"
    /// Variables of the programs that build, test and measure this one.
    private static let others: Set = [
        "PROGRAM", "OPENVINO", "BENCH_PROGRAM", "BENCH_SETS", "SCREENSHOTS", "NODE_TYPES", "FUZZ", "FUZZ_TARGET",
        "ONLY_CORE",
    ]

    /// Checks all variables.
    ///
    /// - Parameter environment: The variables of the process.
    /// - Throws: `ValidationError` that names the first unknown one, and the setting that was probably meant.
    static func validate(_ environment: [String: String]) throws {
        let settings = SettingName.withLimits
        for variable in Self.names(in: environment) {
            let name = String(variable.dropFirst(Self.prefix.count))
            guard !settings.contains(name), !Self.others.contains(name),
                !Self.isServiceLink(name, value: environment[variable])
            else { continue }
            let hint =
                Spelling.nearest(to: name, among: settings).map { "did you mean \(Self.prefix)\($0)?" }
                ?? "`glyphwire serve --help` lists the settings."
            throw ValidationError("\(variable) is set, and there is no such setting; \(hint)")
        }
    }

    /// Names of the variables that are meant for Glyphwire, sorted.
    static func names(in environment: [String: String]) -> [String] {
        environment.keys.filter { $0.hasPrefix(Self.prefix) }.sorted()
    }

    /// Whether Kubernetes or Docker sets such a variable, in containers beside a service called `glyphwire`.
    private static func isServiceLink(_ name: String, value: String?) -> Bool {
        let pattern = /([A-Z0-9_]+_)?(SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)|PORT_[0-9]+_(TCP|UDP|SCTP)(_[A-Z]+)?)/
        return name.wholeMatch(of: pattern) != nil || name.hasSuffix("_PORT") && value?.contains("://") == true
    }
}
