/// Shape class of a mark.
enum MarkShape {
    case underscore
    case highQuote
    case lowQuote
    case dash
    case bullet
    case dot

    /// Classifies a component by its size and rows in capital heights; `nil` where it is no mark.
    init?(_ box: BoundingBox, in band: LetterBand) {
        let (width, height) = ((box.x1 - box.x0) / band.height, (box.y1 - box.y0) / band.height)
        let (top, bottom) = ((box.y0 - band.top) / band.height, (box.y1 - band.top) / band.height)
        if height <= 0.25, width >= 0.4, width <= 3, top >= 0.9 {
            self = .underscore
        } else if top <= 0.2, bottom <= 0.65, (0.12...0.6).contains(height), (0.06...0.35).contains(width) {
            self = .highQuote
        } else if top >= 0.7, bottom >= 1.05, (0.15...0.5).contains(height), (0.06...0.35).contains(width) {
            self = .lowQuote
        } else if height <= 0.2, (0.25...1).contains(width), (0.4...0.8).contains((top + bottom) / 2) {
            self = .dash
        } else if (0.2...0.6).contains(height), (0.7...1.4).contains(width / height),
            (0.35...0.75).contains((top + bottom) / 2)
        {
            self = .bullet
        } else if (0.08...0.25).contains(height), (0.08...0.25).contains(width), (0.9...1.1).contains(bottom) {
            self = .dot
        } else {
            return nil
        }
    }

    /// Whether it always belongs to the word next to it.
    var isAttached: Bool {
        switch self {
        case .underscore, .highQuote, .lowQuote: true
        case .dash, .bullet, .dot: false
        }
    }

    /// Text of a single mark.
    var text: String {
        switch self {
        case .underscore: "_"
        case .highQuote: "'"
        case .lowQuote: ","
        case .dash: "-"
        case .bullet: "•"
        case .dot: "."
        }
    }

    /// Text of two side by side, where they are one mark.
    var double: String? {
        switch self {
        case .highQuote: "\""
        case .lowQuote: "„"
        default: nil
        }
    }
}
