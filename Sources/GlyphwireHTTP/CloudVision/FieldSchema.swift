/// Schema of Google's responses, by which masks with unknown members are rejected.
indirect enum FieldSchema: Sendable {
    /// Text or a number, without members.
    case value
    /// A value that this server does not write: any name is valid and selects nothing.
    case anything
    /// An object, or an array of them.
    case object([String: FieldSchema])

    /// Schema of a member; `nil` for an unknown one.
    subscript(name: String) -> FieldSchema? {
        switch self {
        case .value: nil
        case .anything: .anything
        case .object(let members): name == "*" ? .anything : members[name]
        }
    }
}

extension FieldSchema {
    /// Schema of a `BatchAnnotateImagesResponse`.
    static let annotations = FieldSchema.object(["responses": .object(Self.response)])

    private static let response: [String: FieldSchema] = [
        "textAnnotations": .object(Self.entity),
        "fullTextAnnotation": .object(["text": .value, "pages": .object(Self.page)]),
        "error": .object(["code": .value, "message": .value, "details": .anything]),
        "faceAnnotations": .anything, "landmarkAnnotations": .anything, "logoAnnotations": .anything,
        "labelAnnotations": .anything, "localizedObjectAnnotations": .anything, "safeSearchAnnotation": .anything,
        "imagePropertiesAnnotation": .anything, "cropHintsAnnotation": .anything, "webDetection": .anything,
        "productSearchResults": .anything, "context": .anything,
    ]

    private static let entity: [String: FieldSchema] = [
        "mid": .value, "locale": .value, "description": .value, "score": .value, "confidence": .value,
        "topicality": .value, "boundingPoly": Self.box, "locations": .anything, "properties": .anything,
    ]

    private static let box: FieldSchema = {
        let point = FieldSchema.object(["x": .value, "y": .value])
        return .object(["vertices": point, "normalizedVertices": point])
    }()

    private static let property = FieldSchema.object([
        "detectedLanguages": .object(["languageCode": .value, "confidence": .value]),
        "detectedBreak": .object(["type": .value, "isPrefix": .value]),
    ])

    private static let page: [String: FieldSchema] = [
        "property": Self.property, "width": .value, "height": .value, "confidence": .value,
        "blocks": Self.part([
            "blockType": .value,
            "paragraphs": Self.part(["words": Self.part(["symbols": Self.part(["text": .value])])]),
        ]),
    ]

    /// Schema of a part of a page, with the members of all parts.
    private static func part(_ members: [String: FieldSchema]) -> FieldSchema {
        .object(
            members.merging(["property": self.property, "boundingBox": self.box, "confidence": .value]) { own, _ in own
            }
        )
    }
}
