import Foundation
import ImageCodecs
import Testing

/// Annotation requests as clients write them.
enum AnnotateRequests {
    /// A picture of 40 x 30 pixels.
    static let png = Result {
        try PixelBuffer(width: 40, height: 30, format: .gray).withPixels { try PNGEncoder().encode($0) }
    }

    /// A picture of 64 x 48 pixels.
    static let jpeg = Result {
        try PixelBuffer(width: 64, height: 48, format: .bgra).withPixels { try JPEGEncoder().encode($0) }
    }

    /// A request for one picture, with `more` members.
    static func image(
        _ picture: [UInt8],
        features: String = #"{"type":"TEXT_DETECTION"}"#,
        more: String = ""
    ) -> String {
        #"{"image":{"content":"\#(Data(picture).base64EncodedString())"},"features":[\#(features)]\#(more)}"#
    }

    /// A request for one picture with language hints.
    static func image(_ picture: [UInt8], hints: String) -> String {
        self.image(picture, more: #","imageContext":{"languageHints":\#(hints)}"#)
    }

    /// The body of a request for several pictures.
    static func body(_ images: [String]) -> String { #"{"requests":[\#(images.joined(separator: ","))]}"# }
}

/// A client's view of a response.
struct AnnotateAnswer: Decodable {
    struct Response: Decodable {
        struct Entity: Decodable {
            let locale: String?
            let description: String
        }
        struct Full: Decodable {
            let text: String
        }
        let textAnnotations: [Entity]?
        let fullTextAnnotation: Full?
        let error: Status?
    }
    struct Status: Decodable {
        let code: Int
        let message: String
        let status: String?
    }
    let responses: [Response]?
    let error: Status?

    /// Text of each picture.
    var texts: [String?] { self.responses?.map { $0.fullTextAnnotation?.text } ?? [] }
}

extension TestHTTPServer {
    /// Requests annotations of `images` and parses the response.
    func annotate(
        _ images: [String],
        path: String = "/v1/images:annotate",
        headers: [String] = []
    ) async throws -> (status: Int, answer: AnnotateAnswer) {
        let response = try await self.post(path, body: AnnotateRequests.body(images), headers: headers)
        return (response.status, try response.annotations())
    }
}

extension TestResponse {
    /// The parsed response.
    func annotations() throws -> AnnotateAnswer {
        #expect(self.headers["content-type"] == "application/json; charset=utf-8")
        return try JSONDecoder().decode(AnnotateAnswer.self, from: Data(self.body.utf8))
    }
}
