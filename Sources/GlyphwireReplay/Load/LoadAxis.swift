/// Quantity that is raised from run to run.
package enum LoadAxis: String, Sendable, CaseIterable {
    /// The number of connections.
    case connections
    /// The number of frames per second on each connection.
    case rate

    /// Configuration with this value of the quantity.
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

    /// Description of a value.
    package func text(_ value: Int) -> String {
        switch self {
        case .connections: value.counted("connection")
        case .rate: "\(value) frames/s on each connection"
        }
    }
}
