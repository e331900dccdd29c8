import GlyphwireProtocol
import Testing

@testable import GlyphwireHTTP

/// Bodies of annotation requests.
@Suite struct AnnotateRequestTests {
    private func images(_ body: String) throws -> [AnnotateRequest.Image] {
        try AnnotateRequest(Array(body.utf8), holding: HeldMemory(nil)).images
    }

    @Test func whatIsAskedForIsRead() throws {
        let images = try self.images(
            """
            {"parent":"projects/p","labels":{"a":"b"},"requests":[
             {"image":{"content":"AAEC","source":null},"features":[{"type":"TEXT_DETECTION","maxResults":5,"model":"builtin/stable"},
               {"type":11}],"imageContext":{"languageHints":["en","zh-Hans"],"latLongRect":{"minLatLng":{}},
               "textDetectionParams":{"enableTextDetectionConfidenceScore":true}}},
             {"image":{"source":{"imageUri":"http://example.com/a.jpg"}},"features":null,"image_context":{"language_hints":[]}},
             {}]}
            """
        )
        #expect(images.map(\.content) == [[0, 1, 2], [], []])
        #expect(images.map(\.hasSource) == [false, true, false])
        #expect(images.map { $0.features.map(\.type) } == [["TEXT_DETECTION", "DOCUMENT_TEXT_DETECTION"], [], []])
        #expect(images[0].features[0].model == "builtin/stable")
        #expect(images.map(\.languageHints) == [["en", "zh-Hans"], [], []])
        #expect(try self.images("{}").isEmpty)
    }

    @Test func escapesInThePictureAreRead() throws {
        // PHP escapes slashes, and some Java encoders the padding character.
        let images = try self.images(
            #"{"requests":[{"image":{"content":"\/\/8\u003d"}},{"image":{"content":"AA\nEC"}}]}"#
        )
        #expect(images.map(\.content) == [[255, 255], [0, 1, 2]])
    }

    @Test func aByteOrderMarkIsPassedOver() throws {
        #expect(try self.images("\u{FEFF}" + #"{"requests":[{}]}"#).count == 1)
        #expect(throws: JSONError.self) { try self.images("\u{FEFF}\u{FEFF}{}") }
    }

    @Test func thePictureMayHaveSpacesAndLineBreaks() throws {
        let images = try self.images(#"{"requests":[{"image":{"content":" AA\r\n EC\t"}}]}"#)
        #expect(images.map(\.content) == [[0, 1, 2]])
    }

    @Test(arguments: [
        ("", "expected an object at byte 0"), ("[]", "expected an object at byte 0"),
        ("{} x", "expected nothing more at byte 3"),
        (#"{"requests":{}}"#, "expected an array at byte 12"),
        (#"{"request":[]}"#, #"unknown name "request" at byte 11"#),
        (#"{"requests":[{"img":1}]}"#, #"unknown name "img" at byte 20"#),
        (#"{"requests":[{"image":{"content":7}}]}"#, "expected a string at byte 33"),
        (#"{"requests":[{"image":{"content":"A"}}]}"#, "expected base64 in the string that ends at byte 36"),
        (#"{"requests":[{"image":{"content":"AAAA"#, "expected the end of a string at byte 38"),
        (#"{"requests":[{"features":[{"type":true}]}]}"#, "expected a value at byte 34"),
        (#"{"requests":[{"imageContext":{"languages":["en"]}}]}"#, #"unknown name "languages" at byte 42"#),
    ])
    func errorsAreReportedWithTheirPosition(body: String, message: String) {
        #expect { try self.images(body) } throws: { error in (error as? JSONError)?.description == message }
    }

    @Test func unknownFeaturesKeepTheirNames() throws {
        let images = try self.images(
            #"{"requests":[{"features":[{"type":"READ_MINDS"},{"type":8},{"type":"TEXT_DETECTION"}]}]}"#
        )
        #expect(images[0].features.map(\.type) == ["READ_MINDS", "8", "TEXT_DETECTION"])
    }

    @Test(arguments: [
        ("data:image/jpeg;base64,/9j/", "data:image/jpeg;base64,"),
        ("data:image\\/png;base64,AAAA", "data:image/png;base64,"),
        ("DATA:;base64,AAAA", "DATA:;base64,"), ("data:,AAAA", "data:,"), ("data:image/png;base64", "data:"),
        ("data:" + String(repeating: "x", count: 100), "data:"),
    ])
    func aPrefixInFrontOfThePictureIsNamed(content: String, prefix: String) {
        let body = #"{"requests":[{"image":{"content":"\#(content)"}}]}"#
        let message = "expected base64 alone: leave out the prefix \"\(prefix)\" at byte 34"
        #expect { try self.images(body) } throws: { error in (error as? JSONError)?.description == message }
    }

    @Test func whatIsNoBase64IsNamed() {
        let body = #"{"requests":[{"image":{"content":"AAA%3D"}}]}"#
        let message = "expected base64, found \"%\", in the string that ends at byte 41"
        #expect { try self.images(body) } throws: { error in (error as? JSONError)?.description == message }
    }

    @Test func thereAreNoMoreThanSixteenPictures() throws {
        func body(_ count: Int) -> String {
            #"{"requests":["# + Array(repeating: "{}", count: count).joined(separator: ",") + "]}"
        }
        #expect(try self.images(body(16)).count == 16)
        let error = #expect(throws: AnnotateRequest.LongList.self) { try self.images(body(17)) }
        #expect(error?.message == "Too many requests: at most 16 are allowed; send the others in another request.")
    }

    /// Each list is too long, and not one at its end.
    @Test(arguments: [
        (#"{"requests":["#, "{}", 16, "requests"), (#"{"requests":[{"features":["#, "{}", 64, "features"),
        (#"{"requests":[{"imageContext":{"languageHints":["#, #""en""#, 32, "languageHints"),
        (#"{"requests":[{"image_context":{"language_hints":["#, #""en""#, 32, "language_hints"),
    ])
    func aListIsReadNoFurtherThanItsLimit(start: String, element: String, limit: Int, name: String) {
        let body = start + String(repeating: element + ",", count: limit + 1) + "oops"
        #expect(throws: AnnotateRequest.LongList(name: name, limit: limit)) { try self.images(body) }
    }

    @Test func listsMayBeAsLongAsTheirLimits() throws {
        let features = Array(repeating: #"{"type":5}"#, count: 64).joined(separator: ",")
        let hints = Array(repeating: #""en""#, count: 32).joined(separator: ",")
        let images = try self.images(
            #"{"requests":[{"features":[\#(features)],"imageContext":{"languageHints":[\#(hints)]}}]}"#
        )
        #expect(images.map(\.features.count) == [64])
        #expect(images.map(\.languageHints.count) == [32])
    }

    @Test func noCutOffRequestTraps() throws {
        let body = Array(
            #"{"requests":[{"image":{"content":"AA\u003d\u003d"},"features":[{"type":5}],"imageContext":{"languageHints":["en"]}}]}"#
                .utf8
        )
        for end in body.indices {
            #expect(throws: JSONError.self) { try AnnotateRequest(Array(body[..<end]), holding: HeldMemory(nil)) }
        }
    }
}
