internal import GlyphwireProtocol
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Google's system parameters for the format of a response, in the query or a header.
struct SystemParameters: Sendable, Hashable {
    /// Error of a parameter, as a message.
    struct Failure: Error, Hashable {
        let message: String
    }

    /// Members to return; `nil` for all.
    private(set) var fields: FieldMask?
    /// Whether the response is indented.
    private(set) var isPretty = false

    /// Parses the parameters of `request`; unknown ones are ignored.
    ///
    /// - Throws: The error of the first that is invalid.
    init(_ request: Request) throws(Failure) {
        let parameters = request.uri.queryParameters.map { pair in
            // Each name may have a dollar prefix, which some clients escape.
            let name = pair.key.replacing("%24", with: "$")
            return (name: name.hasPrefix("$") ? String(name.dropFirst()) : String(name), value: String(pair.value))
        }
        func values(_ name: String) -> [String] {
            parameters.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
        }
        for value in values("alt") where value.split(separator: ";").first != "json" {
            throw Failure(message: "Responses are JSON: \"alt=\(value.shortened)\" is not supported.")
        }
        if !values("callback").isEmpty { throw Failure(message: "Responses are JSON: \"callback\" is not supported.") }
        self.isPretty = values("prettyPrint").last == "true"
        var masks = values("fields")
        if let name = HTTPField.Name("X-Goog-FieldMask"), let mask = request.headers[name], !mask.isEmpty {
            masks.append(mask)
        }
        guard !masks.isEmpty else { return }
        do throws(FieldMask.Failure) {
            self.fields = try FieldMask(masks.joined(separator: ","), schema: .annotations)
        } catch {
            throw Failure(message: "Error expanding 'fields' parameter: \(error.message)")
        }
    }

    /// Formats the response as requested.
    func apply(to json: ByteBuffer) -> ByteBuffer {
        guard self.fields != nil || self.isPretty else { return json }
        return JSONSelection.select(self.fields ?? .whole, of: json, isPretty: self.isPretty)
    }
}
