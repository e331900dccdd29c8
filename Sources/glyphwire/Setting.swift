internal import ArgumentParser

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Source of a setting: the flag, else the environment, else the default.
enum Setting {
    /// Value of the environment variable `GLYPHWIRE_`*name*; an empty one counts as not set.
    static func environment(_ name: String) -> String? {
        guard let value = getenv("GLYPHWIRE_\(name)") else { return nil }
        let text = String(cString: value)
        // Kubernetes sets GLYPHWIRE_PORT to the URL of a service called "glyphwire".
        return text.isEmpty || text.hasPrefix("tcp://") ? nil : text
    }

    /// Value of the flag if it was given, else of the environment variable `GLYPHWIRE_`*name*.
    ///
    /// - Parameters:
    ///   - flag: The flag's value, if it was given.
    ///   - name: The name of the variable.
    /// - Returns: `nil` if neither is set.
    /// - Throws: `ValidationError` if the variable is invalid.
    static func value<Value: ExpressibleByArgument>(_ flag: Value?, environment name: SettingName) throws -> Value? {
        if let flag { return flag }
        guard let text = self.environment(name.rawValue) else { return nil }
        guard let value = Value(argument: text) else {
            let choices = Value.allValueStrings
            throw Self.invalid(
                name,
                text,
                allowed: choices.isEmpty ? "what `glyphwire serve --help` says" : choices.joined(separator: " or ")
            )
        }
        return value
    }

    /// Error of a flag or variable with a value that is not allowed.
    ///
    /// - Parameters:
    ///   - name: The setting.
    ///   - value: The value.
    ///   - allowed: The allowed values, as they follow the word "use".
    /// - Returns: The error.
    static func invalid(_ name: SettingName, _ value: String, allowed: String) -> ValidationError {
        let flag = "--" + name.rawValue.lowercased().replacing("_", with: "-")
        return ValidationError("\(flag) or GLYPHWIRE_\(name.rawValue) is \"\(value)\": use \(allowed).")
    }
}
