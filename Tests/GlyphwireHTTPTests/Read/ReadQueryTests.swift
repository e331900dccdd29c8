import Foundation
import GlyphwireProtocol
import TextFormats
import TextModel
import TextSearch
import Testing

@testable import GlyphwireHTTP

@Suite struct ReadQueryTests {
    private func query(_ text: String) throws -> ReadQuery {
        try ReadQuery(text, defaults: StreamConfiguration(), limits: WireLimits())
    }

    @Test func optionsAreThoseOfAConfigure() throws {
        let query = try self.query(
            "level=accurate&recognize=true&characters=false&coordinates=upright&minimumTextHeight=0.05"
                + "&regionOfInterest=0,0.25,1,0.5&languages=en,zh-Hans&candidates=3&find=exit+1&find=%2F%5B0-9%5D%2B%2F"
                + "&customWords=Stra%C3%9Fe,Gleis&languageCorrection=false&upright=auto&damaged=read&orientation=6"
        )
        let (configuration, reading) = (query.configuration, query.configuration.reading)
        #expect(reading.level == .accurate && reading.recognize && !reading.characters)
        #expect(configuration.coordinates == .upright && reading.minimumTextHeight == 0.05)
        #expect(reading.regionOfInterest == Region(x: 0, y: 0.25, width: 1, height: 0.5))
        #expect(reading.languages == ["en", "zh-Hans"] && reading.candidates == 3)
        #expect(configuration.find.map(\.source) == ["exit 1", "/[0-9]+/"])
        #expect(reading.customWords == ["Straße", "Gleis"] && reading.upright == .auto)
        #expect(!reading.languageCorrection)
        #expect(configuration.damaged == .read && query.orientation == 6)
    }

    @Test func onlyOptionsOfAStreamAreNotThoseOfAPicture() {
        #expect(
            StreamOption.all.map(\.name).filter { !ReadQuery.isOption($0) } == [
                "token", "delivery", "deadline_ms", "clock_offset_us", "temporal", "refresh_ms", "report",
            ]
        )
    }

    @Test func everyOptionIsInTheDocument() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/read-http.md")
        let text = try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
        // The name of the client is for the server's logs.
        for name in StreamOption.all.map(\.name) where ReadQuery.isOption(name) && name != StreamOption.client.name {
            #expect(text.contains("`\(name)`") || text.contains("`\(name)="), "\(name)")
        }
    }

    @Test func theErrorOfAnUnknownOptionListsThoseOfAPicture() throws {
        let error = #expect(throws: WireError.self) { try self.query("report=all") }
        let message = """
            there is no option "report"; the options of a picture are level, recognize, characters, coordinates, \
            minimumTextHeight, regionOfInterest, regions, languages, candidates, find, customWords, characterSet, \
            languageCorrection, unreadable, upright, damaged, client, orientation, stream
            """
        #expect(error?.message == message)
    }

    @Test func textsMayBeginWithACombiningMark() throws {
        let query = try self.query("customWords=ab,%CC%81cd&find=\u{301}e+\u{301}f")
        #expect(query.configuration.reading.customWords == ["ab", "\u{301}cd"])
        #expect(query.configuration.find.map(\.source) == ["\u{301}e \u{301}f"])
    }

    @Test func regionsAreJSON() throws {
        let query = try self.query("regions=%5B%7B%22name%22:%22a%22,%22regionOfInterest%22:%5B0,0,1,0.5%5D%7D%5D")
        #expect(query.configuration.regions.map(\.name) == ["a"])
        #expect(query.configuration.reading.level == .fast)
    }

    @Test(arguments: ["", "token=a", "key=a&%24access_token=b"])
    func withoutOptionsTheDefaultsCount(text: String) throws {
        let query = try self.query(text)
        #expect(query.configuration == StreamConfiguration() && query.orientation == 0)
    }

    @Test(arguments: [
        ("level=quick", WireError.Code.badOption, #""fast" or "accurate""#),
        ("recognize=1", .badOption, "true or false"),
        ("recognize", .badOption, "true or false"), ("candidates=011", .badOption, "whole number 1...10"),
        ("minimumTextHeight=1e999", .badOption, "a number 0...1"), ("regionOfInterest=0,0,1", .badOption, "[x, y,"),
        ("regionOfInterest=0,,1,1", .badOption, "[x, y,"),
        ("regions=7", .badOption, "an array"), ("regions=[],%22level%22:7", .badOption, "an array"),
        ("level=fast&level=fast", .badConfiguration, "twice"),
        ("orientation=9", .badOrientation, #""orientation" is "9"; send one number from 0 to 8"#),
        ("orientation=1&orientation=2", .badOrientation, #""orientation" is "1" and "2"; send one"#),
        ("stream=a%20b", .badOption, #""stream" is "a b"; send one name of 1 to 64 letters"#),
        ("levle=fast", .unknownOption, #"did you mean "level"? The options"#),
        ("minimumtextheight=0", .unknownOption, #"did you mean "minimumTextHeight"?"#),
        ("delivery=live", .unknownOption, #"no option "delivery"; the options of a picture are level, recognize,"#),
        ("find=%2F(%2F", .badOption, "find"), ("languages=e%22n", .badOption, "BCP 47"),
        ("candidates=%22%7D", .badOption, "whole number"),
    ])
    func whatIsWrongIsNamed(text: String, code: WireError.Code, hint: String) throws {
        let error = #expect(throws: WireError.self) { try self.query(text) }
        #expect(error?.code == code && error?.message.contains(hint) == true, "\(error?.message ?? "")")
    }

    @Test(
        arguments: [
            (nil, TextFormat.json, "application/json"), ("*/*", .json, "application/json"),
            ("", .json, "application/json"), (" , ,", .json, "application/json"),
            ("*/*, application/json;q=0", .json, "application/x-ndjson"),
            ("*/*;q=0.5, text/*;q=0, application/*;q=0, text/html", .hocr, "text/html; charset=utf-8"),
            ("application/pdf;q=0.2, application/*;q=0.1, text/*;q=0.2", .pdf, "application/pdf"),
            ("application/json, text/plain, */*", .json, "application/json"),
            ("application/x-ndjson", .json, "application/x-ndjson"), ("text/*", .text, "text/plain; charset=utf-8"),
            ("text/plain;q=0.3, application/alto+xml;q=0.9", .alto, "application/alto+xml; charset=utf-8"),
            ("image/png, TEXT/HTML ; level=1", .hocr, "text/html; charset=utf-8"),
            ("text/tab-separated-values", .tsv, "text/tab-separated-values; charset=utf-8"),
        ] as [(String?, TextFormat, String)]
    )
    func theHeaderChoosesTheFormat(header: String?, format: TextFormat, contentType: String) throws {
        let accepted = try #require(AcceptedFormat(header: header))
        #expect(accepted.format == format && accepted.contentType(pictureCount: 1) == contentType)
        #expect(format != .json || accepted.contentType(pictureCount: 2) == "application/x-ndjson")
    }

    @Test(arguments: ["image/png", "text/plain;q=0", "*/*;q=0", "nonsense"])
    func whatIsNotOfferedIsRefused(header: String) { #expect(AcceptedFormat(header: header) == nil) }
}
