internal import GlyphwireProtocol
internal import NIOCore
internal import SystemSupport
internal import TextModel
internal import VideoSources
internal import Yams

/// File with the sources of `watch` and their options, in YAML or JSON.
///
/// ```yaml
/// sources:
///   - name: gate
///     address: rtsp://10.0.0.7/1
///     orientation: 6
///     options: {find: ['/[A-Z]{2} \d+/']}
/// ```
///
/// `options` is the body of a `configure` (Protocol.md).
enum SourceFile {
    /// Reads the sources.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - defaults: The source with what an entry omits.
    /// - Returns: The sources, in the order of the file.
    /// - Throws: ``Failure`` with the place of what is wrong.
    static func read(_ path: String, defaults: WatchedSource) throws(Failure) -> [WatchedSource] {
        var reader = JSONReader(try self.json(path))
        var sources: [WatchedSource] = []
        do {
            var seen: Set<String> = []
            try reader.beginObject()
            while let name = try reader.nextName() {
                guard name == "sources" else { throw Failure("there is no member \"\(name)\", only \"sources\"") }
                guard seen.insert(name).inserted else { throw Failure("it has \"sources\" twice") }
                try reader.beginArray()
                while try reader.nextElement() { sources.append(try self.source(&reader, defaults: defaults)) }
            }
            try reader.end()
        } catch {
            throw Failure("The file \(path) cannot be used: \((error as? WireError)?.message ?? "\(error)").")
        }
        return sources
    }

    /// Content of the file as JSON; the ending of its name says which it has.
    private static func json(_ path: String) throws(Failure) -> [UInt8] {
        if path.hasSuffix(".yaml") || path.hasSuffix(".yml") {
            guard let root = try YAMLFile.read(path) else { return Array("{}".utf8) }
            try self.checkShape(of: root, in: path)
            var buffer = ByteBuffer()
            buffer.writeJSON { $0.yaml(root) }
            return Array(buffer: buffer)
        }
        return try SmallFile.contents(of: path)
    }

    /// Checks that a file in YAML has a list of sources: errors in the JSON that it becomes name no line.
    private static func checkShape(of root: Node, in path: String) throws(Failure) {
        guard let members = root.mapping else {
            throw Failure("\(path)\(root.place): the file must have the member `sources`, a list.")
        }
        guard let sources = members["sources"] else { return }
        guard let list = sources.sequence else { throw Failure("\(path)\(sources.place): `sources` must be a list.") }
        for source in list where source.mapping == nil {
            throw Failure("\(path)\(source.place): a source must have members, such as `address`.")
        }
    }

    private static func source(_ reader: inout JSONReader, defaults: WatchedSource) throws -> WatchedSource {
        var source = defaults
        var (name, address): (String?, String?) = (nil, nil)
        var seen: Set<String> = []
        try reader.beginObject()
        while let member = try reader.nextName() {
            guard seen.insert(member).inserted else { throw Failure("a source has \"\(member)\" twice") }
            switch member {
            case "name": name = try reader.string()
            case "address": address = try reader.string()
            case "options":
                let body = ByteBuffer(string: try reader.rawValue())
                source.configuration = try StreamConfiguration(json: body, defaults: defaults.configuration)
            case "orientation":
                let text = try reader.rawValue()
                guard let orientation = UInt8(text).flatMap({ Orientation(rawValue: $0) }) else {
                    throw Failure("\"orientation\" is \(text), and can be 1 to 8 as in EXIF")
                }
                source.orientation = orientation
            case "rate":
                let text = try reader.rawValue()
                guard let rate = FrameRate(text) else {
                    throw Failure("\"rate\" is \(text), and can be a number of frames a second")
                }
                source.rate = rate
            case "every":
                let text = try reader.string()
                guard let interval = Interval(text) else {
                    throw Failure("\"every\" is \"\(text)\", and can be a time such as \"2s\" or \"500ms\"")
                }
                source.interval = interval.duration
            default:
                throw Failure(
                    "a source has no member \"\(member)\", only name, address, options, orientation, rate and every"
                )
            }
        }
        guard let address else { throw Failure("a source has no \"address\"") }
        source.address = try SourceAddress(address)
        source.name = name ?? source.address.name
        return source
    }
}
