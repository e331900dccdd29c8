internal import GlyphwireProtocol

/// Body of an `images:annotate` request, as far as it concerns text.
///
/// As in all of Google's interfaces, members may be named `languageHints` or `language_hints`, `null` is the same as an
/// omitted member, and enumerations may be names or numbers. An unknown member is an error. An unknown feature is kept
/// by its name, since it must not affect the others.
struct AnnotateRequest: Sendable {
    /// Picture with the features requested for it.
    struct Image: Sendable {
        /// Picture file; empty if it was not sent.
        var content: [UInt8] = []
        /// Whether the picture is a reference to fetch.
        var hasSource = false
        /// Requested features.
        var features: [Feature] = []
        /// Expected languages.
        var languageHints: [String] = []
    }

    /// Requested feature.
    struct Feature: Sendable {
        /// Google's name of the feature.
        var type = "TYPE_UNSPECIFIED"
        /// Name of the requested model; empty for none.
        var model = ""
    }

    /// Error of a list with more elements than are allowed.
    struct LongList: Error, Hashable {
        /// Name of the list.
        let name: String
        let limit: Int

        /// The error as a sentence.
        var message: String {
            let advice = self.name == "requests" ? "; send the others in another request" : ""
            return "Too many \(self.name): at most \(self.limit) are allowed\(advice)."
        }
    }

    /// Maximum number of pictures in one request.
    static let maxImages = 16
    /// Maximum number of features of a picture; Google has twelve.
    fileprivate static let maxFeatures = 64
    /// Maximum number of language hints of a picture, as of the `languages` of a stream.
    fileprivate static let maxLanguageHints = 32

    private static let byteOrderMark = Array("\u{FEFF}".utf8)

    /// Pictures in order.
    var images: [Image] = []

    /// Parses a body.
    ///
    /// - Parameters:
    ///   - body: JSON in UTF-8, perhaps behind a byte order mark.
    ///   - memory: The memory share of the request, to which the pictures are added.
    /// - Throws: ``JSONError`` with its position, ``LongList``, or ``BodyError/noMemory``.
    init(_ body: [UInt8], holding memory: HeldMemory) throws {
        var reader = JSONReader(body)
        // Windows PowerShell 5 writes files with one, which RFC 8259 lets a parser ignore.
        if body.starts(with: Self.byteOrderMark) { reader.offset = Self.byteOrderMark.count }
        try reader.readObject { name, reader in
            switch name {
            case "requests":
                self.images = try reader.readArray(of: name, atMost: Self.maxImages) {
                    try Image(&$0, holding: memory)
                }
            // A project and its billing labels have no meaning here.
            case "parent", "labels": try reader.skipValue()
            default: throw reader.unknown(name)
            }
        }
        try reader.end()
    }
}

extension AnnotateRequest.Image {
    init(_ reader: inout JSONReader, holding memory: HeldMemory) throws {
        try reader.readObject { name, reader in
            switch name {
            case "image": try self.readImage(&reader, holding: memory)
            case "features":
                let limit = AnnotateRequest.maxFeatures
                self.features = try reader.readArray(of: name, atMost: limit) { try AnnotateRequest.Feature(&$0) }
            case "imageContext", "image_context": try self.readContext(&reader)
            default: throw reader.unknown(name)
            }
        }
    }

    private mutating func readImage(_ reader: inout JSONReader, holding memory: HeldMemory) throws {
        try reader.readObject { name, reader in
            switch name {
            case "content": self.content = try reader.base64(holding: memory)
            case "source":
                self.hasSource = true
                try reader.skipValue()
            default: throw reader.unknown(name)
            }
        }
    }

    private mutating func readContext(_ reader: inout JSONReader) throws {
        try reader.readObject { name, reader in
            switch name {
            case "languageHints", "language_hints":
                let limit = AnnotateRequest.maxLanguageHints
                self.languageHints = try reader.readArray(of: name, atMost: limit) { try $0.string() }
            // Parameters of other features, or for output that is always included.
            case "latLongRect", "lat_long_rect", "cropHintsParams", "crop_hints_params", "productSearchParams",
                "product_search_params", "webDetectionParams", "web_detection_params", "textDetectionParams",
                "text_detection_params":
                try reader.skipValue()
            default: throw reader.unknown(name)
            }
        }
    }
}

extension AnnotateRequest.Feature {
    /// Google's features by number.
    private static let types = [
        0: "TYPE_UNSPECIFIED", 1: "FACE_DETECTION", 2: "LANDMARK_DETECTION", 3: "LOGO_DETECTION", 4: "LABEL_DETECTION",
        5: "TEXT_DETECTION", 6: "SAFE_SEARCH_DETECTION", 7: "IMAGE_PROPERTIES", 9: "CROP_HINTS", 10: "WEB_DETECTION",
        11: "DOCUMENT_TEXT_DETECTION", 12: "PRODUCT_SEARCH", 19: "OBJECT_LOCALIZATION",
    ]

    init(_ reader: inout JSONReader) throws {
        try reader.readObject { name, reader in
            switch name {
            case "type": self.type = try Self.type(&reader)
            case "model": self.model = try reader.string()
            // The number of results is never limited.
            case "maxResults", "max_results": try reader.skipValue()
            default: throw reader.unknown(name)
            }
        }
    }

    private static func type(_ reader: inout JSONReader) throws(JSONError) -> String {
        if reader.peek() == UInt8(ascii: "\"") { return try reader.string() }
        let number = try reader.integer()
        return self.types[number] ?? "\(number)"
    }
}

extension JSONReader {
    /// Reads an object member by member; those that are `null` are skipped.
    fileprivate mutating func readObject(_ body: (String, inout JSONReader) throws -> Void) throws {
        try self.beginObject()
        while let name = try self.nextName() {
            if !self.null() { try body(name, &self) }
        }
    }

    /// Reads the array of a member, element by element, up to the first one beyond its limit.
    fileprivate mutating func readArray<Element>(
        of name: String,
        atMost limit: Int,
        _ body: (inout JSONReader) throws -> Element
    ) throws -> [Element] {
        var elements: [Element] = []
        try self.beginArray()
        while try self.nextElement() {
            guard elements.count < limit else { throw AnnotateRequest.LongList(name: name, limit: limit) }
            elements.append(try body(&self))
        }
        return elements
    }

    /// Decodes a string of base64, which may be long: only one with escapes is copied first.
    fileprivate mutating func base64(holding memory: HeldMemory) throws -> [UInt8] {
        guard self.peek() == UInt8(ascii: "\"") else { throw self.error("expected a string") }
        let start = self
        let end = self.bytes[(self.offset + 1)...].firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        if let end, self.bytes[end] == UInt8(ascii: "\"") {
            self.offset = end + 1
            return try self.decoded(self.bytes[(start.offset + 1)..<end], from: start, holding: memory)
        }
        let text = try self.string().utf8
        guard memory.add(text.count) else { throw BodyError.noMemory }
        defer { memory.remove(text.count) }
        return try self.decoded(text, from: start, holding: memory)
    }

    /// Decodes the text of a string that begins at `start`.
    private func decoded(
        _ text: some Collection<UInt8>,
        from start: JSONReader,
        holding memory: HeldMemory
    ) throws -> [UInt8] {
        guard memory.add(Base64.decodedByteCount(ofText: text.count)) else { throw BodyError.noMemory }
        if let decoded = Base64.decode(text) { return decoded }
        if let prefix = Self.dataPrefix(of: text) {
            var content = start
            content.offset += 1
            throw content.error("expected base64 alone: leave out the prefix \"\(prefix)\"")
        }
        let found = Base64.firstOther(in: text).map { ", found \"\(Unicode.Scalar($0))\"," } ?? ""
        throw self.error("expected base64\(found) in the string that ends")
    }

    /// The prefix of a `data:` URL, up to the comma; `nil` for other text.
    private static func dataPrefix(of text: some Collection<UInt8>) -> String? {
        let start = Array(text.prefix(64))
        guard String(decoding: start.prefix(5), as: UTF8.self).lowercased() == "data:" else { return nil }
        let end = start.firstIndex(of: UInt8(ascii: ",")).map { $0 + 1 } ?? start.startIndex + 5
        return String(decoding: start[..<end], as: UTF8.self)
    }

    fileprivate func unknown(_ name: String) -> JSONError { self.error("unknown name \"\(name.shortened)\"") }
}
