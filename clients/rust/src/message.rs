//! Messages as bytes: what a client sends. Needs nothing but `core`.

/// Bytes of a header; the payload follows.
pub const HEADER_BYTES: usize = 32;
/// Bytes of a header that its length field counts.
const COUNTED_HEADER_BYTES: usize = HEADER_BYTES - 4;

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MessageType {
    /// A picture.
    Frame = 1,
    /// Options for the frames that follow, as a JSON object.
    Configure = 2,
    /// Asks for a sign of life.
    Ping = 3,
    /// That nothing follows.
    End = 4,
    /// Asks how long the stages took so far.
    Stats = 5,
}

/// How a payload holds the pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Format(
    /// The number on the wire; servers newer than this client may know others than are named here.
    pub u8,
);

impl Format {
    /// A JPEG file.
    pub const JPEG: Self = Self(1);
    /// BGRA rows as one LZ4 block.
    pub const BGRA_LZ4_BLOCK: Self = Self(2);
    /// BGRA rows as they are.
    pub const BGRA: Self = Self(3);
    /// BGRA rows in the LZ4 frame format.
    pub const BGRA_LZ4_FRAME: Self = Self(4);
    /// Gray rows as they are.
    pub const GRAY: Self = Self(5);
    /// Gray rows as one LZ4 block.
    pub const GRAY_LZ4_BLOCK: Self = Self(6);
}

/// How a picture must be turned to stand upright, numbered as in EXIF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Orientation(
    /// The number on the wire.
    pub u8,
);

impl Orientation {
    /// As the JPEG's own EXIF tag says, else [`Orientation::UP`].
    pub const NONE: Self = Self(0);
    /// It stands upright.
    pub const UP: Self = Self(1);
    /// Mirror it left to right.
    pub const UP_MIRRORED: Self = Self(2);
    /// Turn it by half.
    pub const DOWN: Self = Self(3);
    /// Mirror it top to bottom.
    pub const DOWN_MIRRORED: Self = Self(4);
    /// Mirror it along the diagonal from top left to bottom right.
    pub const LEFT_MIRRORED: Self = Self(5);
    /// Turn it a quarter clockwise.
    pub const RIGHT: Self = Self(6);
    /// Mirror it along the diagonal from top right to bottom left.
    pub const RIGHT_MIRRORED: Self = Self(7);
    /// Turn it a quarter counter-clockwise.
    pub const LEFT: Self = Self(8);
}

/// A picture to have read.
///
/// ```
/// use glyphwire::{Format, Frame, Orientation};
///
/// let photo = Frame { orientation: Orientation::RIGHT, ..Frame::jpeg(b"\xff\xd8...") };
/// let rows = Frame { format: Format::GRAY, width: 4, height: 2, ..Frame::jpeg(&[255; 8]) };
/// assert_eq!(rows.header(7).unwrap().encode()[..8], [0, 0, 0, 36, 1, 5, 0, 0]);
/// # let _ = photo;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// How `payload` holds the pixels.
    pub format: Format,
    /// The JPEG file, or the rows as they are or packed with LZ4.
    pub payload: &'a [u8],
    /// In pixels; 0 for a JPEG, which says itself.
    pub width: u16,
    /// In pixels; 0 for a JPEG, which says itself.
    pub height: u16,
    /// From the start of one row to the start of the next; 0 for rows without padding, and for a JPEG.
    pub bytes_per_row: u32,
    /// How the picture must be turned to stand upright.
    pub orientation: Orientation,
    /// When it was taken, in microseconds of a clock of yours, echoed in the result; 0 if unknown.
    pub captured_us: u64,
    /// Your own number for it, echoed in the result; `None` takes one more than the frame before.
    pub sequence: Option<u64>,
}

impl<'a> Frame<'a> {
    /// A frame that is a JPEG file and stands as its own EXIF tag says.
    pub const fn jpeg(payload: &'a [u8]) -> Self {
        Self {
            format: Format::JPEG,
            payload,
            width: 0,
            height: 0,
            bytes_per_row: 0,
            orientation: Orientation::NONE,
            captured_us: 0,
            sequence: None,
        }
    }

    /// What stands before the payload when the frame is sent under `sequence`.
    ///
    /// `None` if the payload is longer than any header can say.
    pub fn header(&self, sequence: u64) -> Option<Header> {
        let mut header = Header::new(MessageType::Frame, sequence, self.payload.len())?;
        header.format = self.format;
        header.orientation = self.orientation;
        header.captured_us = self.captured_us;
        header.width = self.width;
        header.height = self.height;
        header.bytes_per_row = self.bytes_per_row;
        Some(header)
    }
}

/// The 32 bytes before a payload, as their fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// What the message is.
    pub message_type: MessageType,
    /// Of a frame: how the payload holds the pixels.
    pub format: Format,
    /// Of a frame: how it must be turned to stand upright.
    pub orientation: Orientation,
    /// A number of the client's choice, repeated in the answer.
    pub sequence: u64,
    /// Microseconds of the client's clock, repeated in the answer to a frame or a ping; 0 if unknown.
    pub captured_us: u64,
    /// Of a frame, in pixels.
    pub width: u16,
    /// Of a frame, in pixels.
    pub height: u16,
    /// Of a frame: from the start of one row to the start of the next; 0 for rows without padding.
    pub bytes_per_row: u32,
    /// How many bytes follow the length field: the rest of the header, and the payload.
    length: u32,
}

impl Header {
    /// A header whose other fields are 0.
    ///
    /// `None` if the payload is longer than any header can say.
    pub fn new(message_type: MessageType, sequence: u64, payload_bytes: usize) -> Option<Self> {
        let length = payload_bytes.checked_add(COUNTED_HEADER_BYTES)?;
        Some(Self {
            message_type,
            format: Format(0),
            orientation: Orientation::NONE,
            sequence,
            captured_us: 0,
            width: 0,
            height: 0,
            bytes_per_row: 0,
            length: u32::try_from(length).ok()?,
        })
    }

    /// How many bytes follow the length field; a server tells how many it takes.
    pub const fn length(&self) -> u32 {
        self.length
    }

    /// The header as it is sent.
    pub fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[0..4].copy_from_slice(&self.length.to_be_bytes());
        bytes[4] = self.message_type as u8;
        bytes[5] = self.format.0;
        bytes[6] = self.orientation.0;
        bytes[8..16].copy_from_slice(&self.sequence.to_be_bytes());
        bytes[16..24].copy_from_slice(&self.captured_us.to_be_bytes());
        bytes[24..26].copy_from_slice(&self.width.to_be_bytes());
        bytes[26..28].copy_from_slice(&self.height.to_be_bytes());
        bytes[28..32].copy_from_slice(&self.bytes_per_row.to_be_bytes());
        bytes
    }
}
