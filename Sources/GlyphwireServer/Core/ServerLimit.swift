internal import TextModel

/// Limit of a server with its flag, environment variable, unit, range and default.
///
/// ``all`` is the only table of them: the command line derives its flags, help and environment variables from it, and a
/// test compares the table of Protocol.md with it.
package struct ServerLimit: Sendable {
    /// Unit of a limit's values.
    package enum Unit: String, Sendable {
        /// Bytes, with an optional suffix K, M or G.
        case bytes
        /// A count.
        case count
        /// A ratio of sizes.
        case ratio
        /// Seconds, with an optional fraction.
        case seconds
    }

    /// Limit with a configured value.
    package struct Setting: Sendable {
        /// The limit.
        package let limit: ServerLimit
        /// Value, in milliseconds for a time.
        fileprivate let amount: Int

        /// Applies the value to `configuration`.
        package func apply(to configuration: inout ServerConfiguration) {
            switch self.limit.property {
            case .number(let path): configuration[keyPath: path] = self.amount
            case .time(let path): configuration[keyPath: path] = .milliseconds(self.amount)
            }
        }
    }

    /// Error for a text that is not a valid value of a limit.
    package struct InvalidValue: Error, CustomStringConvertible {
        /// Short description of the allowed values.
        package let description: String
    }

    /// Default of each limit, on this machine.
    private static let defaults = ServerConfiguration()

    private enum Property: Sendable {
        case number(any WritableKeyPath<ServerConfiguration, Int> & Sendable)
        case time(any WritableKeyPath<ServerConfiguration, Duration> & Sendable)
    }

    /// Name of the flag, without its dashes.
    package let flag: String
    /// Unit of the values.
    package let unit: Unit
    /// Default that depends on the machine, in words; `nil` for other defaults.
    package let machineDefault: String?

    private let summary: String
    private let allowed: ClosedRange<Int>
    private let property: Property

    init(
        _ flag: String,
        _ summary: String,
        unit: Unit = .count,
        allowed: ClosedRange<Int>,
        machineDefault: String? = nil,
        sets path: any WritableKeyPath<ServerConfiguration, Int> & Sendable
    ) {
        self.flag = flag
        self.summary = summary
        self.unit = unit
        self.allowed = allowed
        self.machineDefault = machineDefault
        self.property = .number(path)
    }

    init(
        _ flag: String,
        _ summary: String,
        // A millisecond to eleven days.
        allowed times: ClosedRange<Duration> = .milliseconds(1)...(.seconds(1_000_000)),
        sets path: any WritableKeyPath<ServerConfiguration, Duration> & Sendable
    ) {
        self.flag = flag
        self.summary = summary
        self.unit = .seconds
        self.allowed = times.lowerBound.microseconds / 1000...times.upperBound.microseconds / 1000
        self.machineDefault = nil
        self.property = .time(path)
    }

    /// Name of the environment variable, without the prefix `GLYPHWIRE_`.
    package var variable: String { String(self.flag.uppercased().map { $0 == "-" ? "_" : $0 }) }

    /// Help text of the flag, with its default.
    package var help: String {
        "\(self.summary) (default: \(self.machineDefault ?? self.text(of: self.defaultAmount)))"
    }

    /// Default on this machine, in milliseconds for a time.
    package var defaultAmount: Int {
        switch self.property {
        case .number(let path): return Self.defaults[keyPath: path]
        case .time(let path): return Self.defaults[keyPath: path].microseconds / 1000
        }
    }

    /// Parses a value of a flag or an environment variable.
    ///
    /// - Parameter text: A number, in ``unit``.
    /// - Returns: The setting.
    /// - Throws: ``InvalidValue`` if the text is not a number in the range.
    package func setting(_ text: String) throws(InvalidValue) -> Setting {
        let amount =
            self.unit == .seconds
            ? Double(text).flatMap { Int(exactly: ($0 * 1000).rounded(.towardZero)) } : Self.number(text)
        guard let amount, self.allowed.contains(amount) else {
            throw InvalidValue(
                description:
                    "use \(self.text(of: self.allowed.lowerBound)) to \(self.text(of: self.allowed.upperBound))"
            )
        }
        return Setting(limit: self, amount: amount)
    }

    /// Parses a whole number with an optional suffix K, M or G.
    package static func number(_ text: String) -> Int? {
        let factors: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let factor = text.last.flatMap { factors[Character($0.uppercased())] }
        guard let number = Int(factor == nil ? text[...] : text.dropLast()) else { return nil }
        let (value, isTooLarge) = number.multipliedReportingOverflow(by: factor ?? 1)
        return isTooLarge ? nil : value
    }

    /// Formats an amount for the help: bytes in their largest whole unit, times in seconds.
    private func text(of amount: Int) -> String {
        switch self.unit {
        case .count, .ratio: return "\(amount)"
        case .seconds: return amount % 1000 == 0 ? "\(amount / 1000)" : "\(Double(amount) / 1000)"
        case .bytes:
            let units = [(1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")]
            let unit = units.first { amount >= $0.0 && amount % $0.0 == 0 }
            return unit.map { "\(amount / $0.0)\($0.1)" } ?? "\(amount)"
        }
    }
}
