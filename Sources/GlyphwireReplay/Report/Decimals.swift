/// Number formatting for people.
enum Decimals {
    /// Formats `value` rounded to `places` decimals.
    static func text(_ value: Double, places: Int) -> String {
        let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
        guard value.isFinite, value.magnitude < 1e12 else { return "\(value)" }
        let scaled = Int((value.magnitude * Double(scale)).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(scaled)" }
        return "\(sign)\(scaled / scale).\(Self.padded("\(scaled % scale)", to: places, with: "0"))"
    }

    /// Formats `value` rounded to `places` decimals; a dash for none.
    static func text(orDash value: Double?, places: Int) -> String {
        value.map { Self.text($0, places: places) } ?? "-"
    }

    /// Formats `value` with about three significant digits; a dash for none.
    static func short(orDash value: Double?) -> String { value.map { Self.short($0) } ?? "-" }

    /// Formats `value` with about three significant digits, and no decimals from a hundred on.
    static func short(_ value: Double) -> String {
        switch value.magnitude {
        case 99.95...: Self.text(value, places: 0)
        case 9.995...: Self.text(value, places: 1)
        default: Self.text(value, places: 2)
        }
    }

    /// Formats a fraction in percent, never rounded to 0 % or 100 %.
    static func percent(_ fraction: Double) -> String {
        let text = Self.text(fraction * 100, places: 1)
        if fraction < 1, text == "100.0" { return "99.9 %" }
        if fraction > 0, text == "0.0" { return "0.1 %" }
        return fraction == 1 || fraction == 0 ? "\(Self.text(fraction * 100, places: 0)) %" : "\(text) %"
    }

    /// Formats `count` with thousands separators.
    static func count(_ count: Int) -> String {
        let digits = Array("\(count.magnitude)")
        var text = count < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "\u{202F}" }
            text.append(digit)
        }
        return text
    }

    /// Pads `text` on the left with `filler` to `width`.
    static func padded(_ text: String, to width: Int, with filler: Character = " ") -> String {
        String(repeating: filler, count: max(width - text.count, 0)) + text
    }
}

extension Decimals {
    /// Formats a number of bytes in a suitable unit.
    static func bytes(_ count: Int) -> String {
        switch count {
        case 1_000_000_000...: "\(Self.short(Double(count) / 1e9)) GB"
        case 1_000_000...: "\(Self.short(Double(count) / 1e6)) MB"
        case 1000...: "\(Self.short(Double(count) / 1e3)) kB"
        default: "\(count) bytes"
        }
    }
}
