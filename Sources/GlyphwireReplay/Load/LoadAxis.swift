/// What is raised from run to run.
package enum LoadAxis: String, Sendable, CaseIterable {
    /// How many connections play.
    case connections
    /// How many frames a second each connection sends.
    case rate

    /// A configuration with this much of it.
    package func applied(_ value: Int, to configuration: ReplayConfiguration) -> ReplayConfiguration {
        var configuration = configuration
        switch self {
        case .connections:
            configuration.connections = value
        case .rate:
            if case .poisson(_, let seed) = configuration.pace {
                configuration.pace = .poisson(rate: Double(value), seed: seed)
            } else {
                configuration.pace = .rate(Double(value))
            }
        }
        return configuration
    }

    /// So much of it, in words.
    package func text(_ value: Int) -> String {
        switch self {
        case .connections: value == 1 ? "1 connection" : "\(value) connections"
        case .rate: "\(value) frames/s on each connection"
        }
    }
}
