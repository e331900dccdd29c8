/// Time as an argument, such as `2s`, `500ms` or `5m`.
struct Interval: Equatable {
    private static let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)]

    let duration: Duration

    /// Parses a positive time; `nil` for another text.
    init?(_ text: String) {
        guard let (unit, milliseconds) = Self.units.first(where: { text.hasSuffix($0.0) }),
            let count = Double(text.dropLast(unit.count)), count > 0, count <= 1e6
        else { return nil }
        self.duration = .milliseconds(Int64((count * Double(milliseconds)).rounded(.up)))
    }
}
