internal import ImageCodecs
internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Editor that cuts and merges sessions and exports their frames as pictures.
package enum SessionEditor {
    /// Summary of an edit.
    package struct Summary: Sendable, Equatable {
        /// Number of frames written.
        package var frames = 0
        /// Number of bytes written.
        package var bytes = 0
        /// Notices for the user, without duplicates.
        package var notices: [String] = []
    }

    /// Writes the part of a session in a window, with the options in effect there.
    ///
    /// - Throws: ``ReplayError``; also if the window has no frame.
    package static func cut(
        _ input: String,
        window: SessionWindow,
        to output: String
    ) throws(ReplayError) -> Summary {
        var reader = WindowedReader(try SessionReader(path: input), window: window)
        var summary = Summary()
        var writer = try SessionWriter(path: output, apartFrom: [input], limits: SessionReader.limits)
        while let message = try reader.next() {
            if message.header.type != MessageType.end.rawValue { try writer.write(message) }
        }
        guard writer.frameCount > 0 else {
            throw ReplayError(
                .notASession,
                "\(input) has no frame in that part; glyphwire-replay info reports its length"
            )
        }
        try writer.finish()
        summary.add(writer, reader.ending, of: input)
        return summary
    }

    /// Concatenates sessions, with frames renumbered from 1 and continuous times.
    ///
    /// A session that sets no options gets the defaults, whatever was set before it.
    ///
    /// - Throws: ``ReplayError``; also if none of them has a frame.
    package static func merge(_ inputs: [String], to output: String) throws(ReplayError) -> Summary {
        var summary = Summary()
        var join = SessionJoin()
        var writer = try SessionWriter(path: output, apartFrom: inputs, limits: SessionReader.limits)
        for input in inputs {
            var reader = try SessionReader(path: input)
            let framesBefore = writer.frameCount
            join.sessionBegins()
            while let message = try reader.next() {
                for message in join.messages(for: message) { try writer.write(message) }
            }
            summary.add(writer, reader.ending, of: input)
            if writer.frameCount == framesBefore {
                summary.notices.append("\(input) holds no whole frame, and is left out")
            }
        }
        guard writer.frameCount > 0 else {
            throw ReplayError(.notASession, "there is no whole frame in \(inputs.joined(separator: ", "))")
        }
        try writer.finish()
        (summary.frames, summary.bytes) = (writer.frameCount, writer.byteCount)
        return summary
    }

    /// Exports the frames of a part of a session: JPEG unchanged, other formats as PNG.
    ///
    /// - Parameters:
    ///   - input: The session.
    ///   - window: The part.
    ///   - folder: The output folder, created if needed; files are numbered by the frames' positions in the session.
    ///   - onFrame: Called with the number of pictures so far.
    /// - Returns: The summary, with the frames that cannot be decoded.
    /// - Throws: ``ReplayError``.
    package static func export(
        _ input: String,
        window: SessionWindow,
        to folder: String,
        onFrame: (Int) -> Void = { _ in }
    ) throws(ReplayError) -> Summary {
        var reader = WindowedReader(try SessionReader(path: input), window: window)
        guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
            throw ReplayError(.unwritable, "the folder \(folder) cannot be made: \(String(cString: strerror(errno)))")
        }
        var summary = Summary()
        while let message = try reader.next() {
            guard message.header.type == MessageType.frame.rawValue else { continue }
            let number = reader.frameNumber
            let name = "\(folder)/frame-\(Decimals.padded("\(number)", to: 6, with: "0"))"
            do {
                summary.bytes += try Self.write(message, as: name, apartFrom: [input])
                summary.frames += 1
            } catch let error as ReplayError {
                throw error
            } catch {
                summary.notices.append("frame \(number) is left out: \(error)")
            }
            onFrame(summary.frames)
        }
        if let notice = reader.ending?.notice { summary.notices.append(notice) }
        return summary
    }

    private static func write(_ frame: Message, as name: String, apartFrom inputs: [String]) throws -> Int {
        if frame.header.format == FrameFormat.jpeg.rawValue {
            try OutputFile.save(frame.payload, to: "\(name).jpg", apartFrom: inputs)
            return frame.payload.readableBytes
        }
        let description = try FrameDescription(header: frame.header, limits: WireLimits())
        let png = try FrameDecoder(limits: PictureLimits()).withPixels(
            of: description,
            payload: frame.payload.readableBytesSpan
        ) { view, _ in
            PixelBuffer(copying: view)
        }.png()
        try OutputFile.save(ByteBuffer(bytes: png), to: "\(name).png", apartFrom: inputs)
        return png.count
    }
}

extension SessionEditor.Summary {
    fileprivate mutating func add(_ writer: SessionWriter, _ ending: SessionReader.Ending?, of input: String) {
        (self.frames, self.bytes) = (writer.frameCount, writer.byteCount)
        if let notice = ending?.notice { self.notices.append("\(input): \(notice)") }
    }
}

extension PixelBuffer {
    fileprivate func png() throws(PictureError) -> [UInt8] {
        try self.withPixels { (view) throws(PictureError) in try PNGEncoder().encode(view) }
    }
}
