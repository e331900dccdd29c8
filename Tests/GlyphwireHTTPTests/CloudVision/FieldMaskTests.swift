import NIOCore
import TestSupport
import Testing

@testable import GlyphwireHTTP

/// Parts of responses, selected by `fields`.
@Suite(.timeLimit(.minutes(3))) struct FieldMaskTests {
    private static let json =
        #"{"responses":[{"textAnnotations":[{"locale":"en","description":"A b","boundingPoly":{"vertices":[{"x":1,"y":2}]}},"#
        + #"{"description":"A"}],"fullTextAnnotation":{"pages":[{"width":3,"blocks":[{"paragraphs":[{"words":[{"symbols":"#
        + #"[{"text":"A"},{"text":"b"}]}]}]}]}],"text":"A b"}},{"error":{"code":3,"message":"no"}},{}]}"#

    private func select(_ mask: String, isPretty: Bool = false) throws -> String {
        let mask = try FieldMask(mask, schema: .annotations)
        return String(buffer: JSONSelection.select(mask, of: ByteBuffer(string: Self.json), isPretty: isPretty))
    }

    @Test(arguments: [
        ("*", json), ("responses", json), ("responses/*", json), ("responses(*)", json), ("*/*", json),
        ("responses.fullTextAnnotation.text", #"{"responses":[{"fullTextAnnotation":{"text":"A b"}},{},{}]}"#),
        ("responses/fullTextAnnotation/text", #"{"responses":[{"fullTextAnnotation":{"text":"A b"}},{},{}]}"#),
        ("responses.full_text_annotation.text", #"{"responses":[{"fullTextAnnotation":{"text":"A b"}},{},{}]}"#),
        ("responses(fullTextAnnotation(text))", #"{"responses":[{"fullTextAnnotation":{"text":"A b"}},{},{}]}"#),
        (
            "responses(fullTextAnnotation/text,error),responses.textAnnotations.description",
            #"{"responses":[{"textAnnotations":[{"description":"A b"},{"description":"A"}],"#
                + #""fullTextAnnotation":{"text":"A b"}},{"error":{"code":3,"message":"no"}},{}]}"#
        ),
        (
            " responses ( textAnnotations / boundingPoly( vertices.x ) , error . code ) ",
            #"{"responses":[{"textAnnotations":[{"boundingPoly":{"vertices":[{"x":1}]}},{}]},{"error":{"code":3}},{}]}"#
        ),
        (
            "responses/*/text",
            #"{"responses":[{"textAnnotations":[{},{}],"fullTextAnnotation":{"text":"A b"}},{"error":{}},{}]}"#
        ),
        ("responses/error,responses/error/code", #"{"responses":[{},{"error":{"code":3,"message":"no"}},{}]}"#),
        ("responses/error/code,responses/error", #"{"responses":[{},{"error":{"code":3,"message":"no"}},{}]}"#),
        ("responses.labelAnnotations.score", #"{"responses":[{},{},{}]}"#),
        (
            "responses.fullTextAnnotation.pages.blocks.paragraphs.words.symbols.text",
            #"{"responses":[{"fullTextAnnotation":{"pages":[{"blocks":[{"paragraphs":[{"words":[{"symbols":"#
                + #"[{"text":"A"},{"text":"b"}]}]}]}]}]}},{},{}]}"#
        ),
    ])
    func whatIsNamedIsLeft(mask: String, json: String) throws {
        #expect(try self.select(mask) == json)
    }

    @Test(arguments: [
        ("text", #"the response has no member "text"."#), ("responses.text", #"responses has no member "text"."#),
        ("responses/textAnnotations/text", #"responses.textAnnotations has no member "text"."#),
        ("responses.error.code.x", #"responses.error.code has no member "x"."#),
        ("responses.error.code.*", #"responses.error.code has no member "*"."#),
        ("responses,", "expected the name of a member at character 11, found the end."),
        ("responses(error", "expected a comma or \")\" at character 16, found the end."),
        ("responses()", "expected the name of a member at character 11, found \")\"."),
        ("responses[0]", "expected a comma or the end at character 10, found \"[\"."),
        ("responses..error", "expected the name of a member at character 11, found \".\"."),
        (
            "responses.context" + String(repeating: ".a", count: 30),
            "expected no more than 24 levels at character 63, found \"a\"."
        ),
    ])
    func syntaxErrorsAreReported(mask: String, message: String) {
        #expect(throws: FieldMask.Failure(message: message)) { try FieldMask(mask, schema: .annotations) }
    }

    @Test func answersCanBeIndented() throws {
        #expect(
            try self.select("responses.error", isPretty: true) == """
                {
                  "responses": [
                    {},
                    {
                      "error": {
                        "code": 3,
                        "message": "no"
                      }
                    },
                    {}
                  ]
                }
                """
        )
    }

    @Test func aRequestNamesThePartThatItWants() async throws {
        let body = AnnotateRequests.body([AnnotateRequests.image(try AnnotateRequests.jpeg.get()), "{}"])
        let text = #"{"responses":[{"fullTextAnnotation":{"text":"0"}},{}]}"#
        try await TestHTTPServer.run { server async throws in
            for query in [
                "fields=responses.fullTextAnnotation.text", "%24fields=responses%2FfullTextAnnotation%2Ftext",
                "$fields=responses(fullTextAnnotation(text))&alt=json&key=x&prettyPrint=false",
                "fields=responses%28full_text_annotation%28text%29%29&$alt=json;enum-encoding=int",
            ] {
                let response = try await server.post("/v1/images:annotate?\(query)", body: body)
                #expect(response.status == 200 && response.body == text, "\(query)")
            }
            let header = "X-Goog-FieldMask: responses.fullTextAnnotation.text"
            #expect(try await server.post("/v1/images:annotate", body: body, headers: [header]).body == text)
            let both = try await server.post(
                "/v1/images:annotate?fields=responses.error.code&fields=responses.fullTextAnnotation.text",
                body: body
            )
            #expect(both.body == #"{"responses":[{"fullTextAnnotation":{"text":"0"}},{"error":{"code":3}}]}"#)
            let pretty = try await server.post("/v1/images:annotate?prettyPrint=true&fields=", body: body)
            #expect(pretty.body.hasPrefix("{\n  \"responses\": [\n    {\n      \"textAnnotations\": [\n"))
            #expect(try pretty.annotations().texts == ["0", nil])
        }
    }

    @Test func aParameterThatCannotBeHonouredIsRefused() async throws {
        try await TestHTTPServer.run { server async throws in
            for (query, hint) in [
                ("fields=responses.text", "Error expanding 'fields' parameter: responses has no member \"text\"."),
                ("fields=responses(", "expected the name of a member at character 11"), ("alt=proto", "alt=proto"),
                ("$alt=media", "alt=media"), ("callback=f", "callback"),
            ] {
                let response = try await server.post("/v1/images:annotate?\(query)", body: "{}")
                let error = try response.annotations().error
                #expect(response.status == 400 && error?.status == "INVALID_ARGUMENT")
                #expect(error?.message.contains(hint) == true, "\(error?.message ?? "")")
            }
        }
    }
}
