import GlyphwireProtocol
import TextModel
import TextSearch
import NIOCore
import Testing

@Suite struct StreamConfigurationTests {
    private static func parse(_ json: String) throws(WireError) -> StreamConfiguration {
        try StreamConfiguration(json: ByteBuffer(string: json))
    }

    private static func error(_ json: String) -> WireError? {
        wireError { () throws(WireError) in try Self.parse(json) }
    }

    @Test(arguments: ["", "{}", " { } \n"])
    func anEmptyBodyIsAllDefaults(json: String) throws {
        #expect(try Self.parse(json) == StreamConfiguration())
    }

    @Test func everyOptionIsRead() throws {
        let parsed = try Self.parse(
            """
            {"token":"open sesame","client":"gate 3","level":"accurate","recognize":true,"characters":false,
             "coordinates":"upright","minimumTextHeight":0.03125,"regionOfInterest":[0.1,0.2,0.5,0.25],
             "languages":["en","zh-Hans"],"candidates":10,
             "delivery":"every","deadline_ms":250,"clock_offset_us":-1234567890123,"temporal":true,"refresh_ms":500,
             "find":["EXIT","/\\\\d+/i"],"customWords":["Gleis","Ü.1"],"languageCorrection":false,"unreadable":"omit",
             "upright":"auto","damaged":"read"}
            """
        )
        var expected = StreamConfiguration(
            token: "open sesame",
            client: "gate 3",
            coordinates: .upright,
            delivery: .every,
            deadlineMilliseconds: 250,
            clockOffsetMicroseconds: -1_234_567_890_123,
            temporal: true,
            refreshMilliseconds: 500,
            find: [try TextPattern("EXIT"), try TextPattern("/\\d+/i")],
            damaged: .read
        )
        expected.reading = ReadingOptions(
            level: .accurate,
            characters: false,
            minimumTextHeight: 0.03125,
            regionOfInterest: Region(x: 0.1, y: 0.2, width: 0.5, height: 0.25),
            upright: .auto,
            languages: ["en", "zh-Hans"],
            customWords: ["Gleis", "Ü.1"],
            languageCorrection: false,
            unreadable: .omit,
            candidates: 10
        )
        #expect(parsed == expected)
        #expect(try !Self.parse(#"{"recognize":false}"#).reading.recognize)
    }

    @Test(arguments: CoordinateSpace.allCases)
    func regionsAreReadAsTheyWereWritten(coordinates: CoordinateSpace) throws {
        let json = """
            {"coordinates":"\(coordinates.rawValue)","regions":[
             {"name":"meter","regionOfInterest":[0.1,0.6,0.5,0.25],"characterSet":"0-9","minimumTextHeight":0.1},
             {"name":"sign","polygon":[0,0.1,0.5,0.1,0.25,0.4],"find":["EXIT"]}]}
            """
        let parsed = try Self.parse(json)
        let isFlipped = coordinates == .vision
        #expect(parsed.regions.map(\.name) == ["meter", "sign"])
        #expect(abs(parsed.regions[0].outline.bounds.y - (isFlipped ? 0.15 : 0.6)) < 1e-9)
        #expect(abs(parsed.regions[1].outline.bounds.y - (isFlipped ? 0.6 : 0.1)) < 1e-9)
        #expect(parsed.regions[0].allowedCharacters?.source == "0-9")
        #expect(parsed.regions[0].minimumTextHeight == 0.1)
        #expect(parsed.patterns(in: "sign").map(\.source) == ["EXIT"])
        #expect(parsed.patterns(in: "meter").isEmpty)
        let echoed = String(buffer: parsed.json())
        #expect(echoed.contains(#""regionOfInterest":[0.1,0.6,0.5,0.25],"find":[],"characterSet":"0-9""#))
        #expect(echoed.contains(#""polygon":[0,0.1,0.5,0.1,0.25,0.4],"find":["EXIT"]"#))
        #expect(try StreamConfiguration(json: parsed.json()).json() == parsed.json())
    }

    @Test func regionsTakeThePlaceOfTheRegionOfInterest() {
        let region = #"{"name":"a","regionOfInterest":[0,0,1,1]}"#
        let both = Self.error(#"{"regions":[\#(region)],"regionOfInterest":[0,0,1,0.5]}"#)
        #expect(both?.code == .badOption && both?.message.contains("one of them") == true)
        let unknown = Self.error(#"{"regions":[{"name":"a","regionOfInterest":[0,0,1,1],"charcterSet":"0"}]}"#)
        #expect(unknown?.code == .unknownOption && unknown?.message.contains("\"characterSet\"?") == true)
        let twice = Self.error(#"{"regions":[{"name":"a","name":"b"}]}"#)
        #expect(twice?.code == .badConfiguration)
    }

    @Test(arguments: [
        (#"7"#, "7 is not an object"), (#"{"regionOfInterest":[0,0,1,1]}"#, #"there is no "name""#),
        (#"{"name":"b"}"#, "neither is given"),
        (#"{"name":"b","regionOfInterest":[0,0,1,1],"polygon":[0,0,1,0,1,1]}"#, "both are given"),
        (#"{"name":"b","polygon":[0,0,1]}"#, #""polygon" is [0,0,1]"#),
        (#"{"name":"b","regionOfInterest":[0,0,1,1],"characterSet":"9-0"}"#, #""characterSet" is "9-0""#),
        (#"{"name":"b","regionOfInterest":[0,0,1,1],"find":["/(/"]}"#, #""find" holds "/(/""#),
        (#"{"name":"b","level":"fast"}"#, #"no option "level""#),
    ])
    func theErrorOfARegionSaysWhichAndWhatIsWrong(region: String, reason: String) throws {
        let message = try #require(
            Self.error(#"{"regions":[{"name":"a","regionOfInterest":[0,0,0.1,0.1]},\#(region)]}"#)?.message
        )
        #expect(message.hasPrefix("regions[1]: ") && message.contains(reason), "\(message)")
    }

    @Test func theErrorOfRegionsTogetherNamesTheRule() {
        func error(_ count: Int, side: String, name: (Int) -> String = { "\($0)" }) -> WireError? {
            let regions = (0..<count).map { #"{"name":"\#(name($0))","regionOfInterest":[0,0,\#(side),1]}"# }
            return Self.error(#"{"regions":[\#(regions.joined(separator: ","))]}"#)
        }
        #expect(error(16, side: "0.125") == nil)
        let many = error(17, side: "0.1")
        #expect(many?.code == .badOption)
        #expect(many?.message.contains("17") == true && many?.message.contains("at most 16") == true)
        let large = error(3, side: "0.7")
        #expect(large?.code == .badOption && large?.message.contains("2.1 times") == true, "\(large?.message ?? "")")
        let same = error(4, side: "0.1") { $0 == 3 ? "1" : "\($0)" }
        #expect(same?.code == .badOption)
        #expect(same?.message.contains(#"regions[3] has the "name" of regions[1], "1""#) == true)
    }

    @Test(arguments: [
        #"{"recognize":false,"find":["EXIT"]}"#, #"{"recognize":false,"report":"changes"}"#,
        #"{"regions":[{"name":"a","regionOfInterest":[0,0,1,1],"find":["EXIT"]}],"recognize":false}"#,
    ])
    func whatNeedsTextIsRefusedWhereNoneIsRead(json: String) {
        let error = Self.error(json)
        #expect(error?.code == .badOption)
        #expect(error?.message.contains(#"without "recognize":false"#) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [[0xEF, 0xBB, 0xBF, 0x7B, 0x7D], [0xFF, 0xFE, 0x7B, 0], [0xFE, 0xFF, 0, 0x7B]] as [[UInt8]])
    func aByteOrderMarkIsNamed(bytes: [UInt8]) {
        let error = wireError { () throws(WireError) in try StreamConfiguration(json: ByteBuffer(bytes)) }
        #expect(error?.code == .badConfiguration)
        #expect(error?.message.contains("byte order mark") == true)
    }

    @Test(arguments: CoordinateSpace.allCases)
    func whatAClientWritesTheServerReads(coordinates: CoordinateSpace) throws {
        var sent = StreamConfiguration(token: "\"\\\u{1F600}", client: "Tür 7", coordinates: coordinates)
        sent.reading.regionOfInterest = Region(x: 0.25, y: 0.125, width: 0.5, height: 0.25)
        sent.reading.languages = ["de"]
        sent.delivery = .every
        sent.deadlineMilliseconds = 100
        sent.clockOffsetMicroseconds = -1
        sent.reading.candidates = 3
        sent.reading.upright = .auto
        sent.reading.customWords = ["\"Tür\"", "\u{1F600}"]
        sent.reading.languageCorrection = false
        sent.reading.unreadable = .omit
        sent.damaged = .read
        sent.find = [try TextPattern("Tür"), try TextPattern("/\"\\w+\"/")]
        #expect(try StreamConfiguration(json: sent.json()) == sent)
    }

    @Test(arguments: [
        ("{}", true), (#"{"delivery":"live"}"#, true), (#"{"delivery":"every"}"#, false),
        (#"{"temporal":true,"delivery":"every"}"#, true), (#"{"delivery":"live","temporal":false}"#, false),
    ])
    func liveStreamsAreTemporalByDefault(json: String, isTemporal: Bool) throws {
        let options = try Self.parse(json)
        #expect(options.isTemporal == isTemporal)
        #expect(written(.configured(Configured(sequence: 0, options: options))).contains("\"temporal\":\(isTemporal)"))
    }

    @Test func visionCountsTheRegionFromBelow() throws {
        for json in [
            #"{"coordinates":"vision","regionOfInterest":[0,0.75,1,0.25]}"#,
            #"{"regionOfInterest":[0,0.75,1,0.25],"coordinates":"vision"}"#,
        ] {
            #expect(try Self.parse(json).reading.regionOfInterest == Region(x: 0, y: 0, width: 1, height: 0.25))
        }
    }

    @Test func aRegionMayEndAHairPastTheEdge() throws {
        let region = try Self.parse(#"{"regionOfInterest":[0.1,0.7,0.900005,0.300005]}"#).reading.regionOfInterest
        #expect(region.x + region.width <= 1)
        #expect(region.y + region.height <= 1)
    }

    @Test func anUnknownOptionIsNamed() {
        let error = Self.error(#"{"levle":"fast"}"#)
        #expect(error?.code == .unknownOption)
        #expect(error?.message.contains("\"levle\"") == true)
        #expect(error?.message.contains("minimumTextHeight") == true)
    }

    @Test(arguments: [
        (#"{"level":"turbo"}"#, "\"level\" is \"turbo\"", "\"fast\" or \"accurate\""),
        (#"{"level":1}"#, "\"level\" is 1", "\"fast\" or \"accurate\""),
        (#"{"level":null}"#, "\"level\" is null", "\"fast\" or \"accurate\""),
        (#"{"recognize":"yes"}"#, "\"recognize\" is \"yes\"", "true or false"),
        (#"{"characters":0}"#, "\"characters\" is 0", "true or false"),
        (#"{"coordinates":"pixels"}"#, "\"coordinates\" is \"pixels\"", "\"sent\", \"upright\" or \"vision\""),
        (#"{"minimumTextHeight":1.5}"#, "\"minimumTextHeight\" is 1.5", "0...1"),
        (#"{"minimumTextHeight":-0.1}"#, "\"minimumTextHeight\" is -0.1", "0...1"),
        (#"{"minimumTextHeight":1e999}"#, "\"minimumTextHeight\" is 1e999", "0...1"),
        (#"{"regionOfInterest":[0,0,1]}"#, "\"regionOfInterest\" is [0,0,1]", "[x, y, width, height]"),
        (#"{"regionOfInterest":[0,0,0,1]}"#, "[0,0,0,1]", "above 0"),
        (#"{"regionOfInterest":[0.001,0,0.0000001,1]}"#, "[0.001,0,0.0000001,1]", "above 0"),
        (#"{"regionOfInterest":[0.9999999,0,0.1,1]}"#, "[0.9999999,0,0.1,1]", "0...1"),
        (#"{"regionOfInterest":[0.5,0,0.6,1]}"#, "[0.5,0,0.6,1]", "x + width"),
        (#"{"regionOfInterest":[0,0.5,1,0.50002]}"#, "[0,0.5,1,0.50002]", "y + height at most 1"),
        (#"{"regionOfInterest":{"x":0}}"#, #"{"x":0}"#, "[x, y, width, height]"),
        (#"{"languages":"en"}"#, "\"languages\" is \"en\"", "BCP 47"),
        (#"{"languages":["en_US"]}"#, "[\"en_US\"]", "BCP 47"),
        (#"{"languages":[""]}"#, "[\"\"]", "BCP 47"),
        (#"{"candidates":0}"#, "\"candidates\" is 0", "1...10"),
        (#"{"candidates":11}"#, "\"candidates\" is 11", "1...10"),
        (#"{"candidates":1.5}"#, "\"candidates\" is 1.5", "1...10"),
        (#"{"candidates":99999999999999999999}"#, "99999999999999999999", "1...10"),
        (#"{"delivery":"all"}"#, "\"delivery\" is \"all\"", "\"live\" or \"every\""),
        (#"{"deadline_ms":0}"#, "\"deadline_ms\" is 0", "1...3600000"),
        (#"{"deadline_ms":null}"#, "\"deadline_ms\" is null", "1...3600000"),
        (#"{"clock_offset_us":0.5}"#, "\"clock_offset_us\" is 0.5", "-9007199254740992...9007199254740992"),
        (#"{"clock_offset_us":9007199254740994}"#, "9007199254740994", "-9007199254740992...9007199254740992"),
        (#"{"temporal":1}"#, "\"temporal\" is 1", "true or false"),
        (#"{"refresh_ms":0}"#, "\"refresh_ms\" is 0", "1...3600000"),
        (#"{"find":"EXIT"}"#, "\"find\" is \"EXIT\"", "array of at most 32"),
        (#"{"find":[1]}"#, "\"find\" is [1]", "array of at most 32"),
        (#"{"find":["EXIT","/a(/"]}"#, "\"find\" holds \"/a(/\"", "does not close"),
        (#"{"find":[""]}"#, "\"find\" holds \"\"", "nothing in it to find"),
        (#"{"customWords":"EXIT"}"#, "\"customWords\" is \"EXIT\"", "at most 1000"),
        (#"{"customWords":["EXIT 42"]}"#, "[\"EXIT 42\"]", "without spaces"),
        (#"{"customWords":[""]}"#, "[\"\"]", "1...64"),
        (#"{"characterSet":"9-0"}"#, "\"characterSet\" is \"9-0\"", "from an earlier to a later character"),
        (#"{"characterSet":"a\\"}"#, "\"characterSet\" is", "behind each backslash"),
        (#"{"languageCorrection":"no"}"#, "\"languageCorrection\" is \"no\"", "true or false"),
        (#"{"upright":"left"}"#, "\"upright\" is \"left\"", "\"given\" or \"auto\""),
        (#"{"damaged":"repair"}"#, "\"damaged\" is \"repair\"", "\"refuse\" or \"read\""),
        (#"{"client":""}"#, "\"client\" is \"\"", "1...64"),
        (#"{"client":"a\u0007b"}"#, "\"client\" is", "control"),
        (#"{"client":"a\u2028b"}"#, "\"client\" is", "line separators"),
    ])
    func aBadValueIsNamedWithWhatIsAllowed(json: String, found: String, allowed: String) {
        let error = Self.error(json)
        #expect(error?.code == .badOption)
        #expect(error?.message.contains(found) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains(allowed) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("token", "\"\"", "a string of 1...4096 bytes"),
        ("client", "\"\"", "a string of 1...64 characters without control characters and line separators"),
        ("candidates", "0", "a whole number 1...10"), ("deadline_ms", "0", "a whole number 1...3600000"),
        ("refresh_ms", "0", "a whole number 1...3600000"),
        ("clock_offset_us", "0.5", "a whole number -9007199254740992...9007199254740992"),
        ("languages", #"[""]"#, #"an array of at most 32 BCP 47 codes, such as ["en", "zh-Hans"]"#),
        (
            "find", "[1]",
            #"an array of at most 32 texts or regular expressions, such as ["EXIT", "/[A-Z]{2} ?[0-9]+/"]"#
        ),
        (
            "customWords", #"[""]"#,
            #"an array of at most 1000 words of 1...64 characters without spaces, such as ["Bahnhofstraße"]"#
        ),
    ])
    func theErrorNamesTheRangeOfTheTable(option: String, value: String, allowed: String) {
        let found = option == "token" ? "not" : "\(value), which is not"
        #expect(
            Self.error(#"{"\#(option)":\#(value)}"#)?.message
                == #""\#(option)" is \#(found) allowed; send \#(allowed)"#
        )
    }

    @Test func optionsAreWrittenInTheOrderOfTheTable() throws {
        var reader = JSONReader(StreamConfiguration.withEveryOption.json())
        var names: [String] = []
        try reader.beginObject()
        while let name = try reader.nextName() {
            names.append(name)
            try reader.skipValue()
        }
        #expect(names == StreamOption.all.map(\.name))
    }

    @Test func thereIsRoomForThirtyTwoPatterns() throws {
        let patterns = Array(repeating: "\"EXIT\"", count: 32).joined(separator: ",")
        #expect(try Self.parse(#"{"find":[\#(patterns)]}"#).find.count == 32)
        #expect(Self.error(#"{"find":[\#(patterns),"x"]}"#)?.code == .badOption)
    }

    /// 32 patterns of 993 steps each, of which there is room for 32,000.
    @Test func regionsShareThePatternsThatTheyHaveInCommon() throws {
        func region(_ name: Int, _ patterns: [String]) -> String {
            let find = patterns.map { "\"\($0)\"" }.joined(separator: ",")
            return #"{"name":"\#(name)","regionOfInterest":[0,0,0.1,0.1],"find":[\#(find)]}"#
        }
        let patterns = (10...41).map { "/" + String(repeating: "a{100}", count: 9) + "b{90}\($0)/" }
        let regions = (0..<16).map { region($0, patterns) }.joined(separator: ",")
        let parsed = try Self.parse(#"{"find":["\#(patterns[0])"],"regions":[\#(regions)]}"#).regions
        #expect(parsed.count == 16 && parsed.allSatisfy { $0.find.map(\.source) == patterns })
        let others = [region(0, patterns), region(1, ["/c{100}c{100}c{100}/"])].joined(separator: ",")
        let error = Self.error(#"{"regions":[\#(others)]}"#)
        #expect(error?.code == .badOption)
        #expect(error?.message.contains("\"/c{100}c") == true && error?.message.contains("32000 steps") == true)
    }

    @Test func thereIsRoomForAThousandWords() throws {
        let words = Array(repeating: "\"EXIT\"", count: 1000).joined(separator: ",")
        #expect(try Self.parse(#"{"customWords":[\#(words)]}"#).reading.customWords.count == 1000)
        #expect(Self.error(#"{"customWords":[\#(words),"x"]}"#)?.code == .badOption)
    }

    @Test func aTokenIsNeverRepeated() {
        let secret = String(repeating: "s3cret", count: 1000)
        let error = Self.error(#"{"token":"\#(secret)"}"#)
        #expect(error?.code == .badOption)
        #expect(error?.message.contains("s3cret") == false)
        let configured = written(.configured(Configured(sequence: 1, options: StreamConfiguration(token: "s3cret"))))
        #expect(!configured.contains("s3cret"))
        #expect(!configured.contains("token"))
    }

    @Test func aLongValueIsCutInTheError() {
        let error = Self.error(#"{"level":"\#(String(repeating: "x", count: 10_000))"}"#)
        #expect(error?.code == .badOption)
        #expect(error?.message.count ?? .max < 300)
    }

    @Test(arguments: [
        "[]", "7", "null", "{", "{\"level\":}", "{\"level\":\"fast\",}", "{\"level\":\"fast\"} x", "{level:\"fast\"}",
        "{\"level\":\"fast\",\"level\":\"fast\"}", "{\"level\" \"fast\"}", "\u{FEFF}{}", "{\"level\":tru}", " ",
        "{\"client\":\"\\ud800\"}", "{\"minimumTextHeight\":01}", "{\"candidates\":+1}", "{\"candidates\":1.}",
        "{\"a\":" + String(repeating: "[", count: 60_000),
    ])
    func whatIsNoJSONObjectIsABadConfiguration(json: String) {
        let code = Self.error(json)?.code
        // An unknown member is reported before its value is parsed.
        #expect(code == (json.hasPrefix("{\"a\"") ? .unknownOption : .badConfiguration))
    }

    @Test func bytesThatAreNoUTF8AreABadConfiguration() {
        let bytes = ByteBuffer(Array(#"{"client":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8))
        let error = wireError { () throws(WireError) in try StreamConfiguration(json: bytes) }
        #expect(error?.code == .badConfiguration)
    }

    @Test func aBodyPastTheLimitIsNotRead() {
        let body = ByteBuffer(string: "{" + String(repeating: " ", count: 100) + "}")
        let limits = WireLimits(maxConfigureBytes: 101)
        let error = wireError { () throws(WireError) in try StreamConfiguration(json: body, limits: limits) }
        #expect(error?.code == .badConfiguration)
        #expect(error?.message.contains("102 bytes") == true)
    }
}

extension StreamConfiguration {
    /// A configuration of which every option is written.
    static let withEveryOption = StreamConfiguration(
        token: "t",
        client: "c",
        deadlineMilliseconds: 1,
        clockOffsetMicroseconds: 0,
        temporal: true
    )
}
