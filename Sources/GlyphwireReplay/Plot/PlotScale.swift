#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Scale of an axis.
struct PlotScale {
    /// Position on the axis with a label.
    struct Tick {
        var value: Double
        var label: String
    }

    private enum Kind {
        case linear
        case logarithmic
        /// Each step of equal width divides the distance to 100 by ten.
        case percentile
    }

    private let kind: Kind
    private let range: ClosedRange<Double>
    let ticks: [Tick]

    /// Position of `value`, 0 at the start of the axis and 1 at its end.
    func position(_ value: Double) -> Double {
        let (low, high) = (self.transform(self.range.lowerBound), self.transform(self.range.upperBound))
        return high > low ? min(max((self.transform(value) - low) / (high - low), 0), 1) : 0
    }

    private func transform(_ value: Double) -> Double {
        switch self.kind {
        case .linear: value
        case .logarithmic: log10(max(value, 1e-9))
        case .percentile: -log10(max(1 - value / 100, 1e-9))
        }
    }

    /// Linear scale from 0 to a round number not below `most`.
    static func linear(upTo most: Double) -> PlotScale {
        let most = most > 0 ? most : 1
        let step = Self.roundStep(most / 5)
        let end = (most / step).rounded(.up) * step
        let places = max(Int((-log10(step)).rounded(.up)), 0)
        let ticks = (0...Int((end / step).rounded())).map { index in
            Tick(value: Double(index) * step, label: Self.label(Double(index) * step, places: places))
        }
        return PlotScale(kind: .linear, range: 0...end, ticks: ticks)
    }

    /// Linear scale of exactly `range`, with ticks at round numbers.
    static func linear(over range: ClosedRange<Double>) -> PlotScale {
        let width = max(range.upperBound - range.lowerBound, 1e-9)
        let step = Self.roundStep(width / 8)
        let places = max(Int((-log10(step)).rounded(.up)), 0)
        let first = Int((range.lowerBound / step).rounded(.up))
        let last = max(Int((range.upperBound / step).rounded(.down)), first)
        let ticks = (first...last).map { index in
            Tick(value: Double(index) * step, label: Self.label(Double(index) * step, places: places))
        }
        return PlotScale(kind: .linear, range: range.lowerBound...(range.lowerBound + width), ticks: ticks)
    }

    /// Logarithmic scale of at least the positive `range`, extended to 1, 2 or 5 times a power of ten.
    static func logarithmic(over range: ClosedRange<Double>) -> PlotScale {
        let steps = (-4...9).flatMap { decade in [1, 2, 5].map { $0 * pow(10, Double(decade)) } }
        let low = steps.last { $0 <= range.lowerBound } ?? range.lowerBound
        let high = steps.first { $0 >= range.upperBound && $0 > low } ?? range.upperBound
        let marked = steps.filter { (low...high).contains($0) }
        return PlotScale(
            kind: .logarithmic,
            range: low...high,
            ticks: marked.map { Tick(value: $0, label: Self.label($0, places: $0 >= 1 ? 0 : $0 >= 0.1 ? 1 : 2)) }
        )
    }

    /// Percentile scale from 0 to the resolution of `count` values.
    static func percentile(count: Int) -> PlotScale {
        let nines = min(max(Int(log10(Double(max(count, 10))).rounded(.up)), 2), 6)
        let all: [(Double, String)] = [
            (0, "0 %"), (50, "50 %"), (90, "90 %"), (99, "99 %"), (99.9, "99.9 %"), (99.99, "99.99 %"),
            (99.999, "99.999 %"), (99.9999, "99.9999 %"),
        ]
        let ticks = all.prefix(nines + 2).map { Tick(value: $0.0, label: $0.1) }
        return PlotScale(kind: .percentile, range: 0...(ticks.last?.value ?? 99), ticks: ticks)
    }

    /// Smallest of 1, 2 or 5 times a power of ten not below `step`.
    private static func roundStep(_ step: Double) -> Double {
        let power = pow(10, log10(max(step, 1e-9)).rounded(.down))
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= step * 0.999_999 } ?? power
    }

    private static func label(_ value: Double, places: Int) -> String {
        value >= 10_000 ? Decimals.count(Int(value)) : Decimals.text(value, places: places)
    }
}
