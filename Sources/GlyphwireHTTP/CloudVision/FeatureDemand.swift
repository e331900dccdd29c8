internal import GlyphwireProtocol
internal import TextModel
internal import TextFormats

/// Features requested for one picture: the recognition level they need, and unsupported ones.
struct FeatureDemand: Sendable {
    /// Maximum number of features that an error lists.
    private static let maxNames = 8

    /// Level for the features; `nil` if none requests text.
    private(set) var level: RecognitionLevel?
    /// Error for unsupported features, or for no feature at all.
    let refusal: ImageAnnotation.Status?

    /// Evaluates `features`.
    init(_ features: [AnnotateRequest.Feature]) {
        var missing: [String] = []
        for feature in features {
            switch feature.type {
            case "TEXT_DETECTION": self.level = self.level ?? .fast
            case "DOCUMENT_TEXT_DETECTION": self.level = .accurate
            default:
                missing.append(feature.type.shortened)
                continue
            }
            if !["", "builtin/stable", "builtin/latest"].contains(feature.model) {
                missing.append("the model \(feature.model.shortened)")
            }
        }
        self.refusal = Self.refusal(missing, level: self.level)
    }

    private static func refusal(_ missing: [String], level: RecognitionLevel?) -> ImageAnnotation.Status? {
        var names: [String] = []
        for name in missing where !names.contains(name) && names.count < self.maxNames { names.append(name) }
        guard let last = names.popLast() else {
            if level != nil { return nil }
            return .invalid("no feature is requested; add TEXT_DETECTION or DOCUMENT_TEXT_DETECTION to features")
        }
        let list = names.isEmpty ? "\(last) is" : "\(names.joined(separator: ", ")) and \(last) are"
        let advice = level == nil ? "ask for TEXT_DETECTION or DOCUMENT_TEXT_DETECTION" : "the text was read"
        return .unsupported("\(list) not offered here; \(advice)")
    }
}
