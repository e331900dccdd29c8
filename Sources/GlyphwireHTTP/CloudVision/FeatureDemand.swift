internal import GlyphwireProtocol
internal import TextModel
internal import TextFormats

/// What the features of one picture ask for, as far as it is offered here.
struct FeatureDemand: Sendable {
    /// Errors quote no more of a name that a client chose.
    private static let maxQuotedCharacters = 64
    /// Errors name no more features.
    private static let maxNames = 8

    /// Which models suit the features; `nil` if none of them asks for text.
    private(set) var level: RecognitionLevel?
    /// What else is asked for and not offered, or that nothing is asked for.
    let refusal: ImageAnnotation.Status?

    /// What `features` ask for.
    init(_ features: [AnnotateRequest.Feature]) {
        var missing: [String] = []
        for feature in features {
            switch feature.type {
            case "TEXT_DETECTION": self.level = self.level ?? .fast
            case "DOCUMENT_TEXT_DETECTION": self.level = .accurate
            default:
                missing.append(String(feature.type.prefix(Self.maxQuotedCharacters)))
                continue
            }
            if !["", "builtin/stable", "builtin/latest"].contains(feature.model) {
                missing.append("the model \(feature.model.prefix(Self.maxQuotedCharacters))")
            }
        }
        self.refusal = Self.refusal(missing, level: self.level)
    }

    private static func refusal(_ missing: [String], level: RecognitionLevel?) -> ImageAnnotation.Status? {
        var names: [String] = []
        for name in missing where !names.contains(name) && names.count < self.maxNames { names.append(name) }
        guard let last = names.popLast() else {
            if level != nil { return nil }
            return .invalid("no feature is asked for; add TEXT_DETECTION or DOCUMENT_TEXT_DETECTION to features")
        }
        let list = names.isEmpty ? "\(last) is" : "\(names.joined(separator: ", ")) and \(last) are"
        let advice = level == nil ? "ask for TEXT_DETECTION or DOCUMENT_TEXT_DETECTION" : "the text was read"
        return .unsupported("\(list) not offered here; \(advice)")
    }
}
