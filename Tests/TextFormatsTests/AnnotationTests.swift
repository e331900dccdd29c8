import Foundation
import GlyphwireProtocol
import TextModel
import Testing
import TextFormats

/// The formats of Google Cloud Vision and of Apple's Vision.
@Suite struct AnnotationTests {
    private struct Batch: Decodable {
        struct Response: Decodable {
            struct Poly: Decodable {
                struct Vertex: Decodable, Equatable {
                    let x: Int
                    let y: Int
                }
                let vertices: [Vertex]
            }
            struct Entity: Decodable {
                let locale: String?
                let description: String
                let boundingPoly: Poly
            }
            struct Property: Decodable {
                struct Language: Decodable {
                    let languageCode: String
                }
                struct Break: Decodable {
                    let type: String
                }
                let detectedLanguages: [Language]?
                let detectedBreak: Break?
            }
            struct Symbol: Decodable {
                let text: String
                let confidence: Double
                let boundingBox: Poly?
                let property: Property?
            }
            struct Word: Decodable {
                let symbols: [Symbol]
                let boundingBox: Poly
                let property: Property?
                let confidence: Double
            }
            struct Paragraph: Decodable {
                let words: [Word]
                let boundingBox: Poly
            }
            struct Block: Decodable {
                let paragraphs: [Paragraph]
                let boundingBox: Poly
                let blockType: String
            }
            struct Page: Decodable {
                let width: Int
                let height: Int
                let blocks: [Block]
                let property: Property?
                let confidence: Double
            }
            struct Full: Decodable {
                let pages: [Page]
                let text: String
            }
            struct Status: Decodable {
                let code: Int
                let message: String
            }
            let textAnnotations: [Entity]?
            let fullTextAnnotation: Full?
            let error: Status?
        }
        let responses: [Response]
    }

    private func batch(_ pages: [Page], languages: [String] = []) throws -> [Batch.Response] {
        let document = TextFormat.google.document(pages, languages: languages)
        return try JSONDecoder().decode(Batch.self, from: Data(document.utf8)).responses
    }

    @Test func googleListsTheWholeTextAndThenEachWord() throws {
        let entities = try #require(try self.batch([Sample.page(Sample.lines)]).first?.textAnnotations)
        #expect(
            entities.map(\.description) == ["Old Ferry\nPier 5\nOpens\n41", "Old", "Ferry", "Pier", "5", "Opens", "41"]
        )
        #expect(entities.map(\.locale) == ["und-Latn"] + Array(repeating: nil, count: 6))
        #expect(
            entities[0].boundingPoly.vertices
                == [(100, 100), (720, 100), (720, 190), (100, 190)].map { .init(x: $0, y: $1) }
        )
        #expect(
            entities[1].boundingPoly.vertices
                == [(100, 100), (160, 100), (160, 120), (100, 120)].map { .init(x: $0, y: $1) }
        )
    }

    @Test func googleRepeatsTheTextInSymbolsAndBreaks() throws {
        let full = try #require(try self.batch([Sample.page(Sample.lines)]).first?.fullTextAnnotation)
        let page = try #require(full.pages.first)
        #expect((page.width, page.height) == (1000, 800) && full.pages.count == 1)
        #expect(page.blocks.map { $0.paragraphs.map(\.words.count) } == [[4, 1], [1]])
        #expect(page.blocks.allSatisfy { $0.blockType == "TEXT" && $0.boundingBox.vertices.count == 4 })
        #expect(page.confidence == 0.875 && page.property?.detectedLanguages?.map(\.languageCode) == ["und-Latn"])
        let symbols = page.blocks.flatMap { $0.paragraphs.flatMap { $0.words.flatMap(\.symbols) } }
        let breaks = symbols.compactMap { $0.property?.detectedBreak?.type }
        #expect(breaks == ["SPACE", "EOL_SURE_SPACE", "SPACE", "LINE_BREAK", "LINE_BREAK", "LINE_BREAK"])
        let text = symbols.map { symbol in
            symbol.text + (symbol.property?.detectedBreak.map { $0.type == "SPACE" ? " " : "\n" } ?? "")
        }.joined()
        #expect(text == full.text + "\n")
        #expect(symbols.allSatisfy { $0.confidence == 0.9 && $0.boundingBox?.vertices.count == 4 })
    }

    @Test func googleKeepsTheOrderOfCornersWhereTextIsTurned() throws {
        let page = Sample.page([Sample.line("ab", x: 500, y: 100, angle: 90)])
        let response = try #require(try self.batch([page]).first)
        let vertices = try #require(response.textAnnotations?.last).boundingPoly.vertices
        #expect(vertices == [(500, 100), (500, 140), (480, 140), (480, 100)].map { .init(x: $0, y: $1) })
    }

    @Test func googleAnswersEachPictureInOrder() throws {
        let responses = try self.batch([
            Sample.page(error: WireError(.fileUnreadable, "there is no such file"), number: 1, name: "a"),
            Sample.page([], number: 2),
            Sample.page(error: WireError(.jpegCorrupt, "it is cut off"), number: 3, name: "c"),
            Sample.page(Sample.lines, number: 4),
        ])
        #expect(responses.map { $0.error?.code } == [3, nil, 3, nil])
        #expect(responses[0].error?.message == "Bad image data: there is no such file")
        #expect(responses[2].error?.message == "Bad image data: it is cut off")
        #expect(responses[1].textAnnotations == nil && responses[1].fullTextAnnotation == nil)
        #expect(responses[3].fullTextAnnotation != nil)
    }

    @Test func googleHasSymbolsWithoutBoxesWhereCharactersWereNotAskedFor() throws {
        var line = Sample.line("ab", x: 0, y: 0)
        line.words[0].characters = []
        let full = try #require(try self.batch([Sample.page([line])]).first?.fullTextAnnotation)
        let symbols = full.pages[0].blocks[0].paragraphs[0].words[0].symbols
        #expect(symbols.map(\.text) == ["a", "b"])
        #expect(symbols.allSatisfy { $0.boundingBox == nil })
    }

    @Test func googleHasBoxesWithoutTextWhereNothingWasRecognized() throws {
        let document = TextFormat.google.document([Sample.page([Sample.unreadLine("a b", x: 100, y: 200)])])
        #expect(!document.contains(#""description""#) && !document.contains(#""text""#))
        #expect(document.ranges(of: #""boundingPoly""#).count == 3, "the whole text and its words")
        #expect(document.ranges(of: #""confidence":0.9}"#).count == 2, "symbols")
    }

    @Test(arguments: [
        ("Pier 5", [], "und-Latn", ["und-Latn", nil]), ("Pier", ["de"], "de", ["de"]),
        ("Pier", ["de", "en"], "und-Latn", ["und-Latn"]), ("梧桐里街 Street", ["zh-Hant", "en"], "en", ["zh-Hant", "en"]),
        ("梧桐里街 5", [], "zh", ["zh", nil]), ("東京 へ", [], "ja", ["ja", "ja"]), ("東京", ["ja"], "ja", ["ja"]),
        ("서울", [], "ko", ["ko"]), ("42", [], "und", [nil]),
    ])
    func languagesAreGuessedFromLetters(text: String, expected: [String], locale: String, words: [String?]) throws {
        let response = try #require(
            try self.batch([Sample.page([Sample.line(text, x: 0, y: 0)])], languages: expected).first
        )
        #expect(response.textAnnotations?.first?.locale == locale)
        let reported = try #require(response.fullTextAnnotation).pages[0].blocks[0].paragraphs[0].words
        #expect(reported.map { $0.property?.detectedLanguages?.first?.languageCode } == words)
    }

    private struct Vision: Decodable {
        struct Point: Decodable, Equatable {
            let x: Double
            let y: Double
        }
        struct Box: Decodable, Equatable {
            let x: Double
            let y: Double
            let width: Double
            let height: Double
        }
        struct Candidate: Decodable, Equatable {
            let string: String
            let confidence: Double
        }
        struct Range: Decodable, Equatable {
            let location: Int
            let length: Int
        }
        struct Word: Decodable {
            let string: String
            let range: Range
            let characterBoxes: [Candidate]?
        }
        struct Observation: Decodable {
            let confidence: Double
            let boundingBox: Box
            let topLeft: Point
            let topRight: Point
            let bottomRight: Point
            let bottomLeft: Point
            let topCandidates: [Candidate]
            let words: [Word]
        }
        let picture: String
        let width: Int?
        let height: Int?
        let observations: [Observation]?
        let error: String?
    }

    @Test func cornersAreThoseOfTheUprightTextThoughItRunsLeft() throws {
        let page = Sample.page([Sample.hebrewLine("אב ג", x: 500, y: 100)])
        let google = TextFormat.google.document([page])
        #expect(google.contains(#""description":"אב","boundingPoly":{"vertices":[{"x":460,"y":100},{"x":500,"y":100}"#))
        #expect(TextFormat.vision.document([page]).contains(#""topLeft":{"x":0.42,"#))
    }

    @Test func visionUsesFractionsFromTheLowerLeftOfTheUprightPicture() throws {
        var line = Sample.line("a𝛼 b", x: 100, y: 200)
        line.candidates = [TextCandidate(text: "a𝛼 b", confidence: 0.5), TextCandidate(text: "aa b", confidence: 0.25)]
        let turned = line.box.mapCorners { Orientation.right.sent($0, width: 1000, height: 800) }
        line.box = turned
        let pages = [
            Sample.page(Sample.text([line], orientation: .right)),
            Sample.page(error: WireError(.fileUnreadable, "there is no such file"), number: 2, name: "gone\n.png"),
        ]
        let lines = try TextFormat.vision.document(pages).split(separator: "\n").map {
            try JSONDecoder().decode(Vision.self, from: Data($0.utf8))
        }
        #expect(lines.map(\.picture) == ["page.png", "gone\n.png"])
        #expect(lines[1].error == "there is no such file" && lines[1].observations == nil)
        #expect(lines[0].width == 800 && lines[0].height == 1000)
        let observation = try #require(lines[0].observations?.first)
        #expect(observation.boundingBox == .init(x: 0.125, y: 0.78, width: 0.1, height: 0.02))
        #expect(observation.topLeft == .init(x: 0.125, y: 0.8) && observation.topRight == .init(x: 0.225, y: 0.8))
        #expect(
            observation.bottomLeft == .init(x: 0.125, y: 0.78) && observation.bottomRight == .init(x: 0.225, y: 0.78)
        )
        #expect(observation.topCandidates.map(\.string) == ["a𝛼 b", "aa b"])
        #expect(observation.words.map(\.range) == [.init(location: 0, length: 3), .init(location: 4, length: 1)])
        #expect(observation.words[0].characterBoxes?.map(\.string) == ["a", "𝛼"])
    }

    @Test func wordsThatWereNotReadAreRangesOfNothing() throws {
        let document = TextFormat.vision.document([Sample.page([Sample.unreadLine("a b", x: 100, y: 200)])])
        let reported = try JSONDecoder().decode(Vision.self, from: Data(document.utf8))
        let nothing = Vision.Range(location: 0, length: 0)
        #expect(reported.observations?.first?.words.map(\.range) == [nothing, nothing])
    }

    @Test(arguments: [TextFormat.google, .vision]) func nothingInATextBreaksTheJSON(format: TextFormat) throws {
        let document = format.document([Sample.page([Sample.line(Sample.nasty, x: 0, y: 0)], name: Sample.nasty)])
        if format == .vision { #expect(document.split(separator: "\n").count == 1) }
        let data = Data(document.utf8)
        let reported =
            format == .google
            ? try JSONDecoder().decode(Batch.self, from: data).responses[0].textAnnotations?.last?.description
            : try JSONDecoder().decode(Vision.self, from: data).observations?.first?.words.first?.string
        #expect(reported == Sample.nasty)
    }
}
