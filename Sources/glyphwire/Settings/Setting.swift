internal import ArgumentParser
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Source of a setting: the flag, else the environment, else the configuration file, else the default.
enum Setting {
    /// Configuration file of the process.
    private static let file = Mutex(SettingsFile?.none)

    /// Takes the settings of the configuration file from now on.
    ///
    /// - Parameter flag: The value of `--config`; without it, the environment may name a file.
    /// - Throws: ``Failure`` if the file cannot be used.
    static func useFile(flag: String?) throws {
        guard let path = flag ?? self.environment(SettingName.config.rawValue) else { return }
        let file = try SettingsFile.read(path)
        self.file.withLock { $0 = file }
    }

    /// The configuration file in use.
    static var settingsFile: SettingsFile? { self.file.withLock(\.self) }

    /// Value of the environment variable `GLYPHWIRE_`*name*; an empty one counts as not set.
    private static func environment(_ name: String) -> String? {
        guard let value = getenv("GLYPHWIRE_\(name)") else { return nil }
        let text = String(cString: value)
        // Kubernetes sets GLYPHWIRE_PORT to the URL of a service called "glyphwire".
        return text.isEmpty || text.hasPrefix("tcp://") ? nil : text
    }

    /// Value of a setting in the environment, else in the configuration file.
    ///
    /// - Parameter name: The name of its variable, without the prefix.
    /// - Returns: The value as text; `nil` if neither sets it.
    static func text(_ name: String) -> String? {
        self.environment(name) ?? self.settingsFile?.values[name]
    }

    /// Value of the flag if it was given, else of the environment variable `GLYPHWIRE_`*name*, else in the file.
    ///
    /// - Parameters:
    ///   - flag: The flag's value, if it was given.
    ///   - name: The name of the variable.
    /// - Returns: `nil` if none is set.
    /// - Throws: `ValidationError` if the value is invalid.
    static func value<Value: ExpressibleByArgument>(_ flag: Value?, environment name: SettingName) throws -> Value? {
        if let flag { return flag }
        guard let text = self.text(name.rawValue) else { return nil }
        guard let value = Value(argument: text) else {
            let choices = Value.self == Bool.self ? ["true", "false"] : Value.allValueStrings
            throw Self.invalid(
                name,
                text,
                allowed: choices.isEmpty ? "what `glyphwire serve --help` says" : choices.joined(separator: " or ")
            )
        }
        return value
    }

    /// Value of the port for frames: of the flag if it was given, else of the environment, else of the file.
    ///
    /// - Parameter flag: The flag's value, if it was given.
    /// - Returns: `nil` if none is set.
    /// - Throws: `ValidationError` if it is no port.
    static func port(_ flag: Int?) throws -> Int? {
        guard let port = try self.value(flag, environment: .port) else { return nil }
        guard (0...65_535).contains(port) else { throw self.invalid(.port, "\(port)", allowed: "0 to 65535") }
        return port
    }

    /// Error of a flag or variable with a value that is not allowed.
    ///
    /// - Parameters:
    ///   - name: The setting.
    ///   - value: The value.
    ///   - allowed: The allowed values, as they follow the word "use".
    /// - Returns: The error.
    static func invalid(_ name: SettingName, _ value: String, allowed: String) -> ValidationError {
        ValidationError("\(self.places(of: name.rawValue)) is \"\(value)\": use \(allowed).")
    }

    /// Where a setting can have its value from: its flag, its variable, and the file if that has it.
    ///
    /// - Parameter name: The name of its variable, without the prefix.
    /// - Returns: The places, as they precede the word "is".
    static func places(of name: String) -> String {
        let flag = SettingsFile.key(of: name)
        guard let file = self.settingsFile, file.values[name] != nil else {
            return "--\(flag) or GLYPHWIRE_\(name)"
        }
        return "--\(flag), GLYPHWIRE_\(name) or \(flag) in \(file.path)"
    }
}
