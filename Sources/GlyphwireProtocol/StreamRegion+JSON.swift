internal import TextModel
internal import TextSearch

extension StreamRegion {
    /// Member of an element of `regions`, by its name on the wire.
    package enum Member: String, Sendable, CaseIterable {
        case name, regionOfInterest, polygon, find, characterSet, minimumTextHeight
    }

    /// Maximum number of regions of a stream.
    static let maxCount = 16
    /// Maximum area of the rectangles around all regions, in pictures, which bounds the work of a frame.
    static let maxArea = 2.0
    /// Description of an element of `regions`.
    static let allowed =
        "an array of at most \(Self.maxCount) objects, each with a \"name\" of its own and a \"regionOfInterest\" or a "
        + "\"polygon\", such as [{\"name\":\"meter\",\"regionOfInterest\":[0.1,0.2,0.3,0.1]}]"
    private static let corners = 3...32

    /// Whether the regions have distinct names and are no more than a frame may have.
    static func areAllowed(_ regions: [StreamRegion]) -> Bool {
        let area = regions.reduce(0) { $0 + $1.outline.bounds.width * $1.outline.bounds.height }
        return regions.count <= Self.maxCount && area <= Self.maxArea && Set(regions.map(\.name)).count == regions.count
    }

    /// Parses an element of `regions`; `nil` if it is not allowed.
    ///
    /// - Parameter options: The parser of the stream's options, before the element.
    /// - Throws: ``WireError`` or ``JSONError``.
    init?(from options: inout OptionReader) throws {
        var (name, outline): (String?, RegionOutline?)
        self.init(name: "", outline: .rectangle(.full))
        var seen = Set<String>()
        try options.reader.beginObject()
        while let member = try options.reader.nextName() {
            guard seen.insert(member).inserted else {
                throw WireError(.badConfiguration, "a region has \"\(member.shortened)\" twice; send it once")
            }
            switch Member(rawValue: member) {
            case .name: name = try options.name(member)
            case .regionOfInterest: outline = .rectangle(try options.region(member))
            case .polygon: outline = .polygon(try options.polygon(member, corners: Self.corners))
            case .find: self.find = try options.patterns(member)
            case .characterSet: self.allowedCharacters = try options.characterSet(member)
            case .minimumTextHeight: self.minimumTextHeight = try options.fraction(member)
            case nil: try options.unknown(member, among: Member.self, of: "members of a region")
            }
        }
        guard let name, let outline, !seen.isSuperset(of: ["regionOfInterest", "polygon"]) else { return nil }
        (self.name, self.outline) = (name, outline)
    }

    /// The region with its outline upside down, as between Vision's coordinates and others.
    func flipped() -> StreamRegion {
        var region = self
        switch self.outline {
        case .rectangle(let rectangle): region.outline = .rectangle(rectangle.flipped())
        case .polygon(let corners):
            region.outline = .polygon(
                corners.map { RegionOutline.Corner(x: $0.x, y: JSONBuilder.Precision.options.rounded(1 - $0.y)) }
            )
        }
        return region
    }

    /// Writes the region as an element of `regions`.
    func write(into json: inout JSONBuilder) {
        json.object { json in
            json.string("name", self.name)
            switch self.outline {
            case .rectangle(let region): json.region("regionOfInterest", region)
            case .polygon(let corners):
                json.array("polygon") { json in
                    for corner in corners {
                        json.number(corner.x, precision: .options)
                        json.number(corner.y, precision: .options)
                    }
                }
            }
            json.strings("find", self.find.map(\.source))
            json.string("characterSet", self.allowedCharacters?.source ?? "")
            json.number("minimumTextHeight", self.minimumTextHeight, precision: .options)
        }
    }
}

extension Region {
    /// The region with its lower edge in place of the upper one, as between Vision's coordinates and others.
    func flipped() -> Region {
        Region(x: self.x, y: max(0, 1 - self.y - self.height), width: self.width, height: self.height)
    }
}

extension JSONBuilder {
    /// Writes a member with the four numbers of a region.
    mutating func region(_ name: StaticString, _ region: Region) {
        self.array(name) { json in
            json.number(region.x, precision: .options)
            json.number(region.y, precision: .options)
            json.number(region.width, precision: .options)
            json.number(region.height, precision: .options)
        }
    }
}
