internal import TextModel

extension CodecError {
    /// Creates the error of a payload that is no LZ4 block; `nil` unless its first bytes show what it is.
    init?(mistakenForLZ4Block payload: PeerBytes, of frame: FrameDescription) {
        if payload.isLZ4Frame {
            let isGray = frame.format == .grayLZ4Block
            self.init(
                .lz4Corrupt,
                "the payload is an LZ4 frame; send the bare block" + (isGray ? "" : ", or the frame as format 4")
            )
        } else if payload.startsWithSize(of: frame) {
            self.init(
                .lz4Corrupt,
                "the LZ4 block has its size in front; send it without those four bytes (in Python, store_size=False)"
            )
        } else {
            self.init(jpegAsLZ4: payload)
        }
    }

    /// Creates the error of a payload that is no LZ4 frame; `nil` if it begins as one.
    init?(mistakenForLZ4Frame payload: PeerBytes) {
        guard !payload.isLZ4Frame else { return nil }
        self =
            CodecError(jpegAsLZ4: payload)
            ?? CodecError(
                .lz4Corrupt,
                "the payload does not begin with 04 22 4D 18, as an LZ4 frame does; send a bare block as format 2"
            )
    }

    private init?(jpegAsLZ4 payload: PeerBytes) {
        guard PictureFormat(of: payload) == .jpeg else { return nil }
        self.init(.lz4Corrupt, "the payload is a JPEG; send it as format 1")
    }
}

extension PeerBytes {
    /// Whether the bytes begin with the magic number of an LZ4 frame (LZ4 Frame Format Description, *Magic Number*).
    fileprivate var isLZ4Frame: Bool { self.number(UInt32.self, at: 0) == 0x0422_4D18 }

    /// Whether the bytes begin with the number of bytes of a frame's rows, as several libraries write it by default.
    fileprivate func startsWithSize(of frame: FrameDescription) -> Bool {
        guard let size = self.number(UInt32.self, at: 0, littleEndian: true) else { return false }
        return frame.accepts(pixelByteCount: Int(size))
    }
}
