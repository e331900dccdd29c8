internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// What every interface of Google's can be asked in the address or a header: here, how the answer is written.
struct SystemParameters: Sendable, Hashable {
    /// Why a parameter cannot be honoured, for a person.
    struct Failure: Error, Hashable {
        let message: String
    }

    /// Which members are wanted; `nil` stands for all.
    private(set) var fields: FieldMask?
    /// Whether the answer is to be indented.
    private(set) var isPretty = false

    /// Reads those of `request`; of names that are not known here, none means anything.
    ///
    /// - Throws: What cannot be honoured.
    init(_ request: Request) throws(Failure) {
        let parameters = request.uri.queryParameters.map { pair in
            // Each may be written with a dollar in front, which some clients escape.
            let name = pair.key.replacing("%24", with: "$")
            return (name: name.hasPrefix("$") ? String(name.dropFirst()) : String(name), value: String(pair.value))
        }
        func values(_ name: String) -> [String] {
            parameters.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
        }
        for value in values("alt") where value.split(separator: ";").first != "json" {
            throw Failure(message: "Answers are JSON: \"alt=\(value.prefix(32))\" is not offered.")
        }
        if !values("callback").isEmpty { throw Failure(message: "Answers are JSON: \"callback\" is not offered.") }
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

    /// An answer, written as it is asked for.
    func apply(to json: ByteBuffer) -> ByteBuffer {
        guard self.fields != nil || self.isPretty else { return json }
        return JSONSelection.select(self.fields ?? .whole, of: json, isPretty: self.isPretty)
    }
}
