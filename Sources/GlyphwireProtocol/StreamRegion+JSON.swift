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

    /// Rejects more regions than a frame may have, two of one name, and such that are too large together.
    fileprivate static func check(_ regions: [StreamRegion]) throws(WireError) {
        guard regions.count <= Self.maxCount else {
            throw WireError(.badOption, "there are \(regions.count) \"regions\"; send at most \(Self.maxCount)")
        }
        var indices: [String: Int] = [:]
        for (index, region) in regions.enumerated() {
            guard let other = indices.updateValue(index, forKey: region.name) else { continue }
            throw WireError(
                .badOption,
                "regions[\(index)] has the \"name\" of regions[\(other)], \"\(region.name)\"; send one of its own for each"
            )
        }
        let area = regions.reduce(0) { $0 + $1.outline.bounds.width * $1.outline.bounds.height }
        guard area <= Self.maxArea else {
            throw WireError(
                .badOption,
                "the \"regions\", of polygons the rectangles around them, are together "
                    + "\((area * 100).rounded(.up) / 100) times as large as the picture; send at most \(Int(Self.maxArea)) times"
            )
        }
    }

    /// Parses an element of `regions`.
    ///
    /// - Parameter options: The parser of the stream's options, before the element.
    /// - Throws: ``WireError`` or ``JSONError``.
    fileprivate init(from options: inout OptionReader) throws {
        guard options.reader.peek() == UInt8(ascii: "{") else {
            let text = try options.reader.rawValue()
            throw WireError(.badOption, "\(text.shortened) is not an object; send \(Self.allowed)")
        }
        var (name, outline): (String?, RegionOutline?)
        self.init(name: "", outline: .rectangle(.full))
        var seen = Set<String>()
        try options.reader.beginObject()
        while let member = try options.reader.nextName() {
            guard seen.insert(member).inserted else {
                throw WireError(.badConfiguration, "\"\(member.shortened)\" is given twice; send it once")
            }
            switch Member(rawValue: member) {
            case .name: name = try options.name(member)
            case .regionOfInterest: outline = .rectangle(try options.region(member))
            case .polygon: outline = .polygon(try options.polygon(member, corners: Self.corners))
            case .find: self.find = try options.patterns(member)
            case .characterSet: self.allowedCharacters = try options.characterSet(member)
            case .minimumTextHeight: self.minimumTextHeight = try options.fraction(member)
            case nil: try options.unknown(member, among: Member.allCases.map(\.rawValue), of: "members of a region")
            }
        }
        guard let name else { throw WireError(.badOption, "there is no \"name\"; send one of its own for each region") }
        guard let outline, !seen.isSuperset(of: ["regionOfInterest", "polygon"]) else {
            let found = outline == nil ? "neither is" : "both are"
            throw WireError(
                .badOption,
                "of \"regionOfInterest\" and \"polygon\", \(found) given; send one of them"
            )
        }
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
            case .rectangle(let region):
                json.name("regionOfInterest")
                json.region(region)
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

extension OptionReader {
    /// Parses regions; the error of one names its index.
    mutating func regions(_ name: String) throws -> [StreamRegion] {
        guard self.reader.peek() == UInt8(ascii: "[") else {
            throw try self.refusal(of: name, allowed: StreamRegion.allowed)
        }
        var regions: [StreamRegion] = []
        try self.reader.beginArray()
        while try self.reader.nextElement() {
            do {
                regions.append(try StreamRegion(from: &self))
            } catch let error as WireError {
                throw WireError(error.code, "regions[\(regions.count)]: \(error.message)")
            }
        }
        try StreamRegion.check(regions)
        return regions
    }

    /// Parses the corners of a polygon.
    fileprivate mutating func polygon(
        _ name: String,
        corners: ClosedRange<Int>
    ) throws -> [RegionOutline.Corner] {
        let allowed =
            "[x0, y0, x1, y1, ...] as fractions 0...1 of the upright picture, of \(corners.lowerBound)...\(corners.upperBound) "
            + "corners that are not on one upright or level line"
        return try self.value(name, allowed: allowed) { reader in
            let numbers = try reader.fractions()
            guard numbers.count.isMultiple(of: 2), corners.contains(numbers.count / 2),
                numbers.allSatisfy((0...1).contains)
            else { return nil }
            let points = stride(from: 0, to: numbers.count, by: 2).map {
                RegionOutline.Corner(x: numbers[$0], y: numbers[$0 + 1])
            }
            let bounds = RegionOutline.polygon(points).bounds
            return bounds.width > 0 && bounds.height > 0 ? points : nil
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
    /// Writes the four numbers of a region.
    mutating func region(_ region: Region) {
        self.array { json in
            json.number(region.x, precision: .options)
            json.number(region.y, precision: .options)
            json.number(region.width, precision: .options)
            json.number(region.height, precision: .options)
        }
    }
}
