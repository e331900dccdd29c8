internal import FramePipeline

/// Limit of a server as operators set it: flag, environment variable, unit, range and default.
///
/// ``all`` is the one table of them: the command line makes its flags, help and environment variables from it, and a test holds
/// the table of Protocol.md to it.
package struct ServerLimit: Sendable {
    /// Unit of a limit's values.
    package enum Unit: String, Sendable {
        /// Bytes, with or without K, M or G behind the number.
        case bytes
        /// A number of things.
        case count
        /// A ratio of sizes.
        case ratio
        /// Seconds, with or without a fraction.
        case seconds
    }

    /// Value of a limit that was set.
    package struct Setting: Sendable {
        /// The limit.
        package let limit: ServerLimit
        /// Milliseconds of a time, else the value itself.
        fileprivate let amount: Int

        /// Sets the limit in `configuration`.
        package func apply(to configuration: inout ServerConfiguration) {
            switch self.limit.property {
            case .number(let path): configuration[keyPath: path] = self.amount
            case .time(let path): configuration[keyPath: path] = .milliseconds(self.amount)
            }
        }
    }

    /// Text that is no value of a limit.
    package struct InvalidValue: Error, CustomStringConvertible {
        /// The values that are allowed, in a few words.
        package let description: String
    }

    private enum Property: Sendable {
        case number(any WritableKeyPath<ServerConfiguration, Int> & Sendable)
        case time(any WritableKeyPath<ServerConfiguration, Duration> & Sendable)
    }

    /// The name of the flag, without its dashes.
    package let flag: String
    /// The unit of the values.
    package let unit: Unit
    /// The default where it depends on the machine.
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
        sets path: any WritableKeyPath<ServerConfiguration, Duration> & Sendable
    ) {
        self.flag = flag
        self.summary = summary
        self.unit = .seconds
        // A millisecond to eleven days.
        self.allowed = 1...1_000_000_000
        self.machineDefault = nil
        self.property = .time(path)
    }

    /// The name of the environment variable, without the prefix `GLYPHWIRE_`.
    package var variable: String { String(self.flag.uppercased().map { $0 == "-" ? "_" : $0 }) }

    /// The help of the flag, with its default.
    package var help: String {
        "\(self.summary) (default: \(self.machineDefault ?? self.text(of: self.defaultAmount)))"
    }

    /// The default of this machine: milliseconds of a time, else the value itself.
    package var defaultAmount: Int {
        let configuration = ServerConfiguration()
        switch self.property {
        case .number(let path): return configuration[keyPath: path]
        case .time(let path): return configuration[keyPath: path].microseconds / 1000
        }
    }

    /// Parses a value of a flag or an environment variable.
    ///
    /// - Parameter text: A number, in ``unit``.
    /// - Returns: The setting.
    /// - Throws: ``InvalidValue`` if the text is no number, or not in the range.
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

    /// A whole number with or without K, M or G behind it.
    package static func number(_ text: String) -> Int? {
        let factors: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let factor = text.last.flatMap { factors[Character($0.uppercased())] }
        guard let number = Int(factor == nil ? text[...] : text.dropLast()) else { return nil }
        let (value, isTooLarge) = number.multipliedReportingOverflow(by: factor ?? 1)
        return isTooLarge ? nil : value
    }

    /// An amount as the help has it: bytes in their largest whole unit, times in seconds.
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
