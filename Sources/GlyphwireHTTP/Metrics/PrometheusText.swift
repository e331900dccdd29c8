internal import GlyphwireServer

/// Writer of the Prometheus text format, version 0.0.4.
struct PrometheusText {
    /// Media type of ``text``.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Samples of one metric family.
    struct Samples {
        fileprivate let name: String
        fileprivate var text = ""

        /// Writes a sample.
        mutating func add(_ value: some Number, _ labels: KeyValuePairs<String, String> = [:]) {
            self.add(value, labels.map { ($0.key, $0.value) })
        }

        /// Writes a sample, whose name may have a suffix.
        mutating func add(_ value: some Number, _ labels: [(String, String)], suffix: String = "") {
            self.text += self.name + suffix
            if !labels.isEmpty {
                self.text += "{" + labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",") + "}"
            }
            self.text += " \(value)\n"
        }

        private static func escaped(_ value: String) -> String {
            // By scalar: with a combining mark or a carriage return, a sign is another character.
            let scalars = value.unicodeScalars.map { scalar in
                switch scalar {
                case "\\": "\\\\"
                case "\"": "\\\""
                case "\n": "\\n"
                default: String(scalar)
                }
            }
            return scalars.joined()
        }
    }

    /// Text written so far.
    private(set) var text = ""

    /// Writes `family` with its samples.
    mutating func write(_ family: MetricFamily, samples: (inout Samples) -> Void) {
        self.write(family.rawValue, kind: family.kind, help: family.help, samples: samples)
    }

    /// Writes the metrics of a name with their samples.
    ///
    /// - Parameters:
    ///   - name: The name by the conventions of Prometheus: with its unit, and `_total` for a counter.
    ///   - kind: The kind; `nil` for metrics without a type.
    ///   - help: A description in one line without a backslash.
    ///   - samples: Closure that adds the samples.
    mutating func write(_ name: String, kind: MetricFamily.Kind?, help: String, samples: (inout Samples) -> Void) {
        self.text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind?.rawValue ?? "untyped")\n"
        var written = Samples(name: name)
        samples(&written)
        self.text += written.text
    }
}

/// Number type that Swift formats as Prometheus expects.
protocol Number {}
extension Int: Number {}
extension Double: Number {}
